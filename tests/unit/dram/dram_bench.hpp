// SPDX-License-Identifier: Apache-2.0
// A DRAM channel with a scripted initiator in one clock domain, every command checked and recorded.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/memory_image.hpp"
#include "base/protocol_checker.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "dram/channel.hpp"

namespace warpmem::dram {

struct Scripted {
  Cycle at = 0;  ///< earliest cycle of BEGIN_REQ
  Addr address = 0;
  bool write = false;
  unsigned bytes = 128;
};

/// Sends a script in order, one request a cycle at most, and notes when each response was seen.
class ScriptedInitiator : public sc_core::sc_module, public Clocked {
 public:
  ScriptedInitiator(sc_core::sc_module_name name, ClockDomain& domain)
      : sc_module(name), Clocked(domain), out("out", *this, 2) {}

  RequestPort out;
  std::vector<Scripted> script;
  std::vector<Cycle> responded;  ///< cycles by script index
  std::vector<std::size_t> response_order;
  std::vector<std::vector<std::uint8_t>> read_data;        ///< bytes by script index
  Cycle take_responses_from = 0;                           ///< back-pressure until then
  std::function<void(std::size_t, Transaction&)> prepare;  ///< fills a write's data

  bool done() const { return response_order.size() == script.size(); }
  std::size_t outstanding() const { return pool_.outstanding(); }

 private:
  Cycle tick(Cycle now) override {
    out.begin_cycle();
    if (out.response() != nullptr && now >= take_responses_from) retire(now);
    if (next_ < script.size() && script[next_].at <= now && out.can_send()) send();
    if (now < take_responses_from) return now + 1;
    if (next_ == script.size()) return kNever;
    return script[next_].at > now ? script[next_].at : kNever;
  }
  void send() {
    const Scripted& s = script[next_];
    Transaction& t =
        pool_.get(s.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, s.address, s.bytes);
    t.access.tag = static_cast<std::uint32_t>(next_);
    if (prepare) prepare(next_, t);
    ++next_;
    out.send(t);
    wake();
  }
  void retire(Cycle now) {
    auto& t = static_cast<Transaction&>(*out.take_response());
    EXPECT_TRUE(t.is_response_ok());
    const std::size_t i = t.access.tag;
    responded.resize(script.size());
    read_data.resize(script.size());
    responded[i] = now;
    response_order.push_back(i);
    if (t.is_read()) read_data[i].assign(t.data.begin(), t.data.begin() + t.get_data_length());
    t.release();
    wake();
  }

  TransactionPool pool_;
  std::size_t next_ = 0;
};

class CommandLog : public CommandObserver {
 public:
  void on_command(const CommandRecord& record) override { records.push_back(record); }
  /// Returns the cycles of the commands of one kind.
  std::vector<Cycle> cycles(Command command) const {
    std::vector<Cycle> found;
    for (const CommandRecord& r : records)
      if (r.command == command) found.push_back(r.cycle);
    return found;
  }
  /// Returns "ACT PRE RD ..." in order of issue.
  std::string text() const {
    std::string s;
    for (const CommandRecord& r : records)
      s += (s.empty() ? "" : " ") + std::string(name_of(r.command));
    return s;
  }
  std::vector<CommandRecord> records;
};

/// Returns one partition, rows of 2 KiB, 16 banks, no bank hash: address = row << 15 | bank << 11 |
/// column.
inline AddressMapParams plain_map() {
  AddressMapParams params;
  params.partitions = 1;
  params.bank_xor = false;
  return params;
}
inline Addr at(unsigned bank, unsigned row, unsigned column = 0) {
  return Addr(row) << 15 | Addr(bank) << 11 | column;
}

inline void resolution_once() {
  static const bool done = (set_simulation_resolution(), true);
  (void)done;
}

class DramBench {
 public:
  static Channel::Params defaults() {
    Channel::Params params;
    params.check_timing = true;
    return params;
  }
  explicit DramBench(const std::string& name, const Channel::Params& params = defaults(),
                     bool tick_all = false, bool initiator_first = false,
                     const AddressMapParams& map_params = plain_map(), bool observed = true)
      : map(map_params) {
    resolution_once();
    domain = std::make_unique<ClockDomain>((name + "_clock").c_str(), params.clock_hz, tick_all);
    if (initiator_first) make_initiator(name);
    channel = std::make_unique<Channel>((name + "_channel").c_str(), *domain, params, map, image);
    if (!initiator_first) make_initiator(name);
    protocol = std::make_unique<ProtocolChecker>((name + "_protocol").c_str());
    initiator->out.socket.bind(protocol->target);
    protocol->initiator.bind(channel->in().socket);
    if (observed) channel->observe(log);
    channel->register_stats(registry, 0);
    registry.begin_kernel("run");
  }
  /// Runs until every response is back; fails the test after `limit` cycles.
  void run(Cycle limit = 1'000'000) {
    const sc_core::sc_time step = sc_core::sc_time::from_value(domain->time_of(100));
    for (Cycle c = 0; c < limit && !initiator->done(); c += 100) sc_core::sc_start(step);
    finish();
  }
  void finish() {
    rethrow_tick_failure();
    ASSERT_TRUE(initiator->done()) << channel->describe();
    sc_core::sc_start(sc_core::sc_time::from_value(domain->time_of(10)));
    EXPECT_TRUE(channel->idle()) << channel->describe();
    EXPECT_EQ(initiator->outstanding(), 0u);
    EXPECT_EQ(protocol->outstanding(), 0u);
    registry.end_kernel();  // throws when a law does not hold
  }

  AddressMap map;
  MemoryImage image;
  CommandLog log;
  StatRegistry registry;
  std::unique_ptr<ClockDomain> domain;
  std::unique_ptr<Channel> channel;
  std::unique_ptr<ProtocolChecker> protocol;
  std::unique_ptr<ScriptedInitiator> initiator;

 private:
  void make_initiator(const std::string& name) {
    initiator = std::make_unique<ScriptedInitiator>((name + "_initiator").c_str(), *domain);
  }
};

}  // namespace warpmem::dram
