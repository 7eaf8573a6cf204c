// SPDX-License-Identifier: Apache-2.0
// Stands in for Ramulator 2's configuration and factory: a frontend that passes requests on, and a
// memory with room for 32 that answers reads after 30 cycles of 0.833 ns, one a cycle.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "frontend/frontend.h"
#include "memory_system/memory_system.h"

namespace Ramulator {

namespace stub {

class FrontEnd : public IFrontEnd {
 public:
  void connect_memory_system(IMemorySystem* memory) override { memory_ = memory; }
  bool receive_external_requests(int type, Addr_t address, int,
                                 std::function<void(Request&)> callback) override {
    Request request;
    request.addr = address;
    request.type_id = type;
    request.callback = std::move(callback);
    return memory_->send(std::move(request));
  }

 private:
  IMemorySystem* memory_ = nullptr;
};

class MemorySystem : public IMemorySystem {
 public:
  void connect_frontend(IFrontEnd*) override {}
  bool send(Request request) override {
    if (queue_.size() == 32) return false;
    queue_.push_back({std::move(request), now_ + 30});
    return true;
  }
  void tick() override {
    ++now_;
    if (queue_.empty() || queue_.front().second > now_) return;
    Request request = std::move(queue_.front().first);
    queue_.pop_front();
    if (request.type_id == Request::Type::Read) request.callback(request);
  }
  float get_tCK() override { return 0.833f; }

 private:
  std::deque<std::pair<Request, std::uint64_t>> queue_;
  std::uint64_t now_ = 0;
};

struct File {};

}  // namespace stub

namespace Config {
inline stub::File parse_config_file(const std::string&, const std::vector<std::string>&) {
  return {};
}
}  // namespace Config

namespace Factory {
inline IFrontEnd* create_frontend(const stub::File&) { return new stub::FrontEnd; }
inline IMemorySystem* create_memory_system(const stub::File&) { return new stub::MemorySystem; }
}  // namespace Factory

}  // namespace Ramulator
