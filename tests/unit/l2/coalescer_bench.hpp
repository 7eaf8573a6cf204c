// SPDX-License-Identifier: Apache-2.0
// A request coalescer between the initiator and the memory of support/cache_bench.hpp, alone or
// with the L2 bank that it belongs to.
#pragma once

#include "l2/coalescer.hpp"
#include "unit/l2/l2_bench.hpp"

namespace warpmem::l2 {

/// A bank of small() with a coalescer of `entries` entries of `merges` reads.
inline L2Bank::Params coalesced(std::uint32_t entries = 8, std::uint32_t merges = 4) {
  L2Bank::Params params = small();
  params.coalescer.entries = entries;
  params.coalescer.merges = merges;
  return params;
}

/// The memory takes the place of the slice.
class CoalescerBench : public BenchOf<Coalescer> {
 public:
  explicit CoalescerBench(const std::string& name, const L2Bank::Params& params = coalesced())
      : BenchOf<Coalescer>(
            name, params, false,
            [&](const char* coalescer, ClockDomain& clock, TransactionPool& transactions) {
              return std::make_unique<Coalescer>(coalescer, clock, params, transactions);
            },
            [](Coalescer& coalescer) -> ServicePort& { return coalescer.in; }) {
    fill(0, 8192);
  }
  const Coalescer::Stats& counts() const { return cache->stats(); }
  const std::vector<testing_support::Memory::Seen>& seen() const { return memory->seen; }
};

/// A coalescer and its bank, with a checker on the link between them.
class CoalescedBank {
 public:
  CoalescedBank(const std::string& name, ClockDomain& clock, const L2Bank::Params& params,
                TransactionPool& pool)
      : coalescer((name + "_coalescer").c_str(), clock, params, pool),
        bank((name + "_bank").c_str(), clock, params, one_partition(), pool, {}),
        mem(bank.mem),
        between_((name + "_between").c_str()) {
    coalescer.mem.socket.bind(between_.target);
    between_.initiator.bind(bank.in.socket);
  }

  bool idle() const { return coalescer.idle() && bank.idle() && between_.outstanding() == 0; }
  std::string describe() const { return coalescer.describe() + "\n" + bank.describe(); }
  void register_stats(StatRegistry& registry, unsigned index) {
    bank.register_stats(registry, index);
    coalescer.register_stats(registry, index);
  }

  Coalescer coalescer;
  L2Bank bank;
  RequestPort& mem;

 private:
  ProtocolChecker between_;
};

class CoalescedBench : public BenchOf<CoalescedBank> {
 public:
  CoalescedBench(const std::string& name, const L2Bank::Params& params, bool tick_all = false)
      : BenchOf<CoalescedBank>(
            name, params, tick_all,
            [&](const char* both, ClockDomain& clock, TransactionPool& transactions) {
              return std::make_unique<CoalescedBank>(both, clock, params, transactions);
            },
            [](CoalescedBank& both) -> ServicePort& { return both.coalescer.in; }) {}

  const Coalescer::Stats& counts() const { return cache->coalescer.stats(); }
  const L2Stats& bank_counts() const { return cache->bank.stats(); }
};

}  // namespace warpmem::l2
