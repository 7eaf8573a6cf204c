// SPDX-License-Identifier: Apache-2.0
// An L2 bank between the initiator and the memory of support/cache_bench.hpp.
#pragma once

#include "l2/l2_bank.hpp"
#include "support/cache_bench.hpp"

namespace warpmem::l2 {

using cache::Allocate;
using cache::Bypass;
using cache::CartDrain;
using cache::FrontendKind;
using cache::Stall;
using testing_support::atomic;
using testing_support::load;
using testing_support::Scripted;
using testing_support::store;

inline constexpr unsigned kLine = 128;
inline constexpr Addr kSet = 4 * kLine;  ///< addresses this far apart share a set of small()

/// 4 sets of 2 ways, conventional handler of 4 entries of 4 slots, one partition.
inline L2Bank::Params small() {
  L2Bank::Params p;
  p.size = 1024;
  p.ways = 2;
  p.hit_cycles = 5;
  p.evict_buffer = 2;
  p.mshr.kind = mha::Kind::conventional;
  p.mshr.entries = 4;
  p.mshr.slots = 4;
  return p;
}

inline const AddressMap& one_partition() {
  static const AddressMap map = [] {
    AddressMapParams params;
    params.partitions = 1;
    return AddressMap(params);
  }();
  return map;
}

/// What a bench needs besides support/cache_bench.hpp: debug accesses, and what they should find.
template <class Cache>
class BenchOf : public testing_support::CacheBench<Cache> {
  using Base = testing_support::CacheBench<Cache>;

 public:
  /// `make` and `port` are those of CacheBench.
  template <class Make, class Port>
  BenchOf(const std::string& name, const L2Bank::Params& params, bool tick_all, Make&& make,
          Port&& port)
      : Base(name, tick_all, std::forward<Make>(make), std::forward<Port>(port)) {
    this->initiator->carry_data = params.carry_data;
    this->memory->carry_data = params.carry_data;
  }

  void script(std::vector<Scripted> requests) { this->initiator->script = std::move(requests); }
  Cycle latency(std::size_t i) const { return this->initiator->latency(i); }

  /// Returns what the hierarchy holds, by debug access.
  std::vector<std::uint8_t> debug_read(Addr begin, unsigned bytes) {
    std::vector<std::uint8_t> out(bytes);
    transfer(tlm::TLM_READ_COMMAND, begin, out);
    return out;
  }
  void debug_write(Addr begin, std::vector<std::uint8_t> bytes) {
    transfer(tlm::TLM_WRITE_COMMAND, begin, bytes);
  }
  std::vector<std::uint8_t> reference(Addr begin, unsigned bytes) {
    std::vector<std::uint8_t> out(bytes);
    this->initiator->reference.read(begin, bytes, out.data());
    return out;
  }
  std::vector<std::uint8_t> in_memory(Addr begin, unsigned bytes) {
    std::vector<std::uint8_t> out(bytes);
    this->memory->image.read(begin, bytes, out.data());
    return out;
  }

 private:
  void transfer(tlm::tlm_command command, Addr begin, std::vector<std::uint8_t>& bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(begin);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
    EXPECT_EQ(this->initiator->out.socket->transport_dbg(payload), bytes.size());
  }
};

class Bench : public BenchOf<L2Bank> {
 public:
  explicit Bench(const std::string& name, const L2Bank::Params& params = small(),
                 bool tick_all = false, const AddressMap& map = one_partition())
      : BenchOf<L2Bank>(
            name, params, tick_all,
            [&](const char* bank_name, ClockDomain& clock, TransactionPool& transactions) {
              return std::make_unique<L2Bank>(bank_name, clock, params, map, transactions,
                                              mha::UnitFactories());
            },
            [](L2Bank& bank) -> ServicePort& { return bank.in; }) {}

  const cache::HeadStall::Count& stall(Stall cause) const { return cache->stalls().count(cause); }
  L2Bank& bank() { return *cache; }
};

}  // namespace warpmem::l2
