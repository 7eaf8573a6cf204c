// SPDX-License-Identifier: Apache-2.0
// An L1D between the initiator and the memory of support/cache_bench.hpp.
#pragma once

#include "l1d/l1d.hpp"
#include "support/cache_bench.hpp"

namespace warpmem::l1d {

using cache::Allocate;
using cache::Bypass;
using cache::FrontendKind;
using cache::Stall;
using testing_support::atomic;
using testing_support::load;
using testing_support::Scripted;
using testing_support::store;

inline constexpr unsigned kLine = 128;
inline constexpr Addr kLocalBase = 0x100000;

inline Scripted as_local(Scripted s) {
  s.local = true;
  return s;
}
inline Scripted bypassed(Scripted s) {
  s.bypass = true;
  return s;
}
inline Scripted wanting(std::uint8_t sectors, Scripted s) {
  s.sectors = sectors;
  return s;
}
/// 4 sets of 2 ways, conventional handler of 4 entries of 3 slots.
inline L1d::Params small() {
  L1d::Params p;
  p.size = 1024;
  p.ways = 2;
  p.mshr.kind = mha::Kind::conventional;
  p.mshr.entries = 4;
  p.mshr.slots = 3;
  return p;
}

class Bench : public testing_support::CacheBench<L1d> {
 public:
  explicit Bench(const std::string& name, const L1d::Params& params = small(),
                 bool tick_all = false, const mha::UnitFactories& units = {})
      : CacheBench<L1d>(
            name, tick_all,
            [&](const char* cache_name, ClockDomain& clock, TransactionPool& transactions) {
              return std::make_unique<L1d>(cache_name, clock, params, transactions, units);
            },
            [](L1d& l1d) -> ServicePort& { return l1d.in; }, params.banks) {
    initiator->carry_data = params.carry_data;
    memory->carry_data = params.carry_data;
  }

  void script(std::vector<Scripted> requests) { initiator->script = std::move(requests); }
  const cache::HeadStall::Count& stall(Stall cause) const { return cache->stalls().count(cause); }
  Cycle latency(std::size_t i) const { return initiator->latency(i); }
};

}  // namespace warpmem::l1d
