// SPDX-License-Identifier: Apache-2.0
// Unified virtual memory without a GPU: initiators in the place of the SMs, a flat memory in that
// of the caches, and everything in between as in the machine.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/errors.hpp"
#include "base/memory_image.hpp"
#include "base/protocol_checker.hpp"
#include "base/random.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "uvm/gmmu.hpp"
#include "uvm/host_memory.hpp"
#include "uvm/pcie_link.hpp"
#include "uvm/tlb.hpp"

namespace warpmem::uvm {

inline constexpr Addr kManaged = 0x2000'0000'0000;
inline constexpr unsigned kWord = 8;

struct UvmRequest {
  Cycle at = 0;  ///< earliest cycle of BEGIN_REQ
  Addr address = 0;
  bool write = false;
  std::uint64_t value = 0;  ///< written, or expected
};

/// Sends its requests in order, as many at a time as it is let.
class UvmInitiator : public sc_core::sc_module, public Clocked {
 public:
  UvmInitiator(sc_core::sc_module_name name, ClockDomain& domain, unsigned rank)
      : sc_module(name), Clocked(domain, rank), out("out", *this, 4) {}

  RequestPort out;
  std::vector<UvmRequest> script;
  std::vector<Cycle> responded;    ///< cycles by script index
  std::vector<std::size_t> order;  ///< order of the responses
  std::vector<Access> access;      ///< accesses of the responses, by script index

  bool done() const { return order.size() == script.size(); }
  std::size_t outstanding() const { return pool_.outstanding(); }

 private:
  Cycle tick(Cycle now) override {
    out.begin_cycle();
    bool worked = false;
    if (out.response() != nullptr) {
      auto& t = static_cast<Transaction&>(*out.take_response());
      EXPECT_TRUE(t.is_response_ok());
      const UvmRequest& r = script[t.access.tag];
      if (!r.write) {
        std::uint64_t got = 0;
        std::memcpy(&got, t.data.data(), kWord);
        EXPECT_EQ(got, r.value) << "at " << std::hex << r.address;
      }
      responded.resize(script.size());
      responded[t.access.tag] = now;
      access.resize(script.size());
      access[t.access.tag] = t.access;
      order.push_back(t.access.tag);
      t.release();
      worked = true;
    }
    if (next_ < script.size() && script[next_].at <= now && out.can_send()) {
      const UvmRequest& r = script[next_];
      Transaction& t =
          pool_.get(r.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, r.address, kWord);
      if (r.write) std::memcpy(t.data.data(), &r.value, kWord);
      t.access.kind = r.write ? AccessKind::store : AccessKind::load;
      t.access.tag = static_cast<std::uint32_t>(next_++);
      out.send(t);
      worked = true;
    }
    if (worked) return now + 1;
    return next_ < script.size() && script[next_].at > now ? script[next_].at : kNever;
  }

  TransactionPool pool_;
  std::size_t next_ = 0;
};

/// This is the device memory: a request takes effect when it is seen and is answered some cycles
/// later.
class UvmMemory : public sc_core::sc_module, public Clocked {
 public:
  UvmMemory(sc_core::sc_module_name name, ClockDomain& domain, MemoryImage& image)
      : sc_module(name), Clocked(domain), in("in", *this, 4), image_(image) {}

  ServicePort in;
  Cycle latency = 20;
  std::vector<Cycle> seen;
  std::vector<Addr> addresses;

 private:
  Cycle tick(Cycle now) override {
    in.begin_cycle();
    bool worked = false;
    if (!waiting_.empty() && waiting_.front().second <= now && in.can_respond()) {
      Payload& p = *waiting_.front().first;
      waiting_.pop_front();
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      in.respond(p);
      worked = true;
    }
    if (in.request() != nullptr) {
      Payload& p = *in.take_request();
      seen.push_back(now);
      addresses.push_back(p.get_address());
      if (p.is_write()) {
        image_.write(p.get_address(), kWord, p.get_data_ptr());
      } else {
        image_.read(p.get_address(), kWord, p.get_data_ptr());
      }
      waiting_.emplace_back(&p, now + latency);
      worked = true;
    }
    if (worked) return now + 1;
    return waiting_.empty() || waiting_.front().second <= now ? kNever : waiting_.front().second;
  }
  std::deque<std::pair<Payload*, Cycle>> waiting_;
  MemoryImage& image_;
};

/// A test may build two benches.
inline void set_resolution_once() {
  static const bool done = (set_simulation_resolution(), true);
  static_cast<void>(done);
}

struct UvmBench : sc_core::sc_module {
  struct Setup {
    UvmParams params;
    unsigned sms = 1;
    std::uint64_t frames = 1024;
    std::vector<std::uint64_t> allocations = {1 << 20};  ///< bytes; each at a multiple of 2 MiB
    bool tick_all = false;
  };

  UvmBench(sc_core::sc_module_name name, Setup setup)
      : sc_module((set_resolution_once(), name)),
        s(std::move(setup)),
        clock(std::make_unique<ClockDomain>("clock", 1'000'000'000, s.tick_all)),
        table(s.params.page_shift()) {
    s.params.enable = true;
    MachineHooks hooks;
    hooks.settled = [this](Addr, std::uint64_t) { return ++settle_calls % 3 == 0; };
    hooks.take = [this](Addr address, unsigned bytes, std::uint8_t* to) {
      if (to != nullptr) device.read(address, bytes, to);
      const std::vector<std::uint8_t> rubbish(bytes, 0xd5);
      device.write(address, bytes, rubbish.data());
    };
    hooks.put = [this](Addr address, unsigned bytes, const std::uint8_t* from) {
      device.write(address, bytes, from);
    };
    hooks.shoot_down = [this](unsigned id, PageNumber first, std::uint64_t count) {
      for (auto& tlb : tlbs) tlb->shoot_down(id, first, count);
    };
    gmmu = std::make_unique<Gmmu>("gmmu", *clock, s.params, s.sms, table, std::move(hooks));
    in = std::make_unique<PcieLink>("in", *clock, s.params);
    out = std::make_unique<PcieLink>("out", *clock, s.params);
    host = std::make_unique<HostMemory>("host", *clock, true);
    link(gmmu->to_device(), in->in);
    link(in->host, host->reads);
    link(gmmu->to_host(), out->in);
    link(out->host, host->writes);
    for (unsigned i = 0; i < s.sms; ++i) {
      sms.push_back(std::make_unique<UvmInitiator>(fmt::format("sm{}", i).c_str(), *clock, i));
      tlbs.push_back(std::make_unique<Tlb>(fmt::format("tlb{}", i).c_str(), *clock, s.params, i,
                                           pool, table, *gmmu));
      memories.push_back(
          std::make_unique<UvmMemory>(fmt::format("memory{}", i).c_str(), *clock, device));
      link(sms[i]->out, tlbs[i]->cpu);
      link(tlbs[i]->mem, memories[i]->in);
      link(tlbs[i]->gmmu, gmmu->port(i));
      tlbs[i]->register_stats(registry, i);
    }
    gmmu->register_stats(registry);
    in->register_stats(registry.group("uvm"), "in");
    out->register_stats(registry.group("uvm"), "out");
    Addr begin = kManaged;
    for (const std::uint64_t bytes : s.allocations) {
      gmmu->allocated(begin, bytes);
      bases.push_back(begin);
      begin += (bytes + (2 << 20) - 1) / (2 << 20) * (2 << 20);
    }
  }

  /// Begins a launch.
  void begin() {
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION)
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    registry.begin_kernel("test");
    gmmu->begin_launch(s.frames << table.page_shift());
  }
  /// Runs until all is done and the unit is idle; then the laws must hold.
  void finish() {
    for (auto& sm : sms) sm->wake();
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC));
    rethrow_tick_failure();
    for (auto& sm : sms) {
      EXPECT_TRUE(sm->done());
      EXPECT_EQ(sm->outstanding(), 0u);
    }
    for (auto& tlb : tlbs) EXPECT_TRUE(tlb->idle()) << tlb->describe();
    EXPECT_TRUE(gmmu->idle()) << gmmu->describe();
    EXPECT_TRUE(in->idle() && out->idle() && host->idle());
    EXPECT_EQ(pool.outstanding(), 0u);
    for (const auto& c : checkers) EXPECT_EQ(c->outstanding(), 0u);
    registry.end_kernel();
  }
  void run() {
    begin();
    finish();
  }
  /// Returns the word that the two memories hold between them.
  std::uint64_t word(Addr address) const {
    std::uint64_t value = 0;
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&value);
    if (gmmu->resident(table.page_of(address))) {
      device.read(address, kWord, bytes);
    } else {
      host->read(address, kWord, bytes);
    }
    return value;
  }

  template <class Initiator, class Target>
  void link(Initiator& from, Target& to) {
    checkers.push_back(
        std::make_unique<ProtocolChecker>(fmt::format("checker{}", checkers.size()).c_str()));
    from.socket.bind(checkers.back()->target);
    checkers.back()->initiator.bind(to.socket);
  }

  Setup s;
  std::unique_ptr<ClockDomain> clock;
  TransactionPool pool;
  PageTable table;
  MemoryImage device;
  StatRegistry registry;
  std::unique_ptr<Gmmu> gmmu;
  std::unique_ptr<PcieLink> in, out;
  std::unique_ptr<HostMemory> host;
  std::vector<std::unique_ptr<UvmInitiator>> sms;
  std::vector<std::unique_ptr<Tlb>> tlbs;
  std::vector<std::unique_ptr<UvmMemory>> memories;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
  unsigned settle_calls = 0;
  std::vector<Addr> bases;  ///< start of each allocation
};

}  // namespace warpmem::uvm
