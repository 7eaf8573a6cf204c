// SPDX-License-Identifier: Apache-2.0
// The request coalescer in front of an L2 slice (docs/mechanisms.md 1.10). Reads of one line that
// are under way at the same time, of whichever SMs, share a request to the slice, so that they cost
// one lookup and at most one fetch. It exists with l2.coalescer.entries other than 0.
//
//   crossbar --> in, Coalescer, mem --> L2Bank
//
//   read       n: looked at, opens an entry    n+1: the entry's request to the slice
//   another    n: looked at, joins an open entry of its line
//   answer     a: seen, the entry's first read answered    a+1: the second one, ...
//   the rest   n: looked at    n+1: to the slice    a: its answer passed on
//
// A read joins an entry that has not asked for its line yet, which then asks for its bytes as well,
// or one that has asked for all of its bytes. A write or atomic closes the entries of its line
// before it follows them, so that no read gets bytes older than its place in the order of arrival
// says. An entry closes, too, when it has as many reads as it may, and when its answer arrives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_mask.hpp"
#include "base/clock_domain.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "cache/block_map.hpp"
#include "l2/params.hpp"

namespace warpmem::l2 {

struct CoalescerStats {
  std::uint64_t requests = 0;          ///< requests taken from the crossbar
  std::uint64_t responses = 0;         ///< responses sent to it
  std::uint64_t reads = 0;             ///< of these, reads that entries answer
  std::uint64_t opened = 0;            ///< reads that opened an entry
  std::uint64_t joined_early = 0;      ///< reads that joined one which had not been sent
  std::uint64_t joined_late = 0;       ///< reads that joined one which had been sent
  std::uint64_t merged = 0;            ///< both of these: lookups that the slice was spared
  std::uint64_t passed = 0;            ///< writes, atomics and malformed requests
  std::uint64_t sent = 0;              ///< requests to the slice
  std::uint64_t answers = 0;           ///< its answers
  std::uint64_t closed_by_writes = 0;  ///< entries
  std::uint64_t full_entries = 0;      ///< entries with as many reads as one may have
  std::uint64_t read_bytes = 0;        ///< bytes that reads asked for
  std::uint64_t sent_bytes = 0;        ///< bytes that the entries' requests asked for
  std::uint64_t entries_peak = 0;      ///< most entries in use at once
  std::uint64_t merges_peak = 0;       ///< most reads of one entry
  /// Cycles in which the oldest request waited for an entry, or for room towards the slice.
  std::uint64_t entry_wait_cycles = 0, send_wait_cycles = 0;
};

class Coalescer : public sc_core::sc_module, public Clocked {
 public:
  using Stats = CoalescerStats;

  /// Cycles that it adds to the way of a request to an idle slice and back.
  static constexpr Cycle kCycles = 3;

  ServicePort in;
  RequestPort mem;

  /// `params` are those of the slice, `pool` must outlive the coalescer. Precondition:
  /// params.coalescer.entries != 0.
  Coalescer(sc_core::sc_module_name name, ClockDomain& domain, const L2Params& params,
            TransactionPool& pool);

  const Stats& stats() const { return stats_; }
  /// Returns whether nothing is queued or in flight.
  bool idle() const;
  std::string describe() const;
  /// Registers its statistics as those of slice `index`, "coalescer.*".
  void register_stats(StatRegistry& registry, unsigned index);

 private:
  static constexpr std::uint32_t kNone = cache::BlockMap::kAbsent;

  struct Entry {
    Addr unit = 0;                              // the part of memory of which its reads are
    ByteMask wanted;                            // bytes of the unit
    Transaction* request = nullptr;             // from when it is sent
    std::uint32_t first = kNone, last = kNone;  // its reads, in order of joining
    std::uint32_t reads = 0;
    std::uint32_t next = kNone;  // the next younger open entry of the unit
    bool used = false, open = false;
  };
  struct Read {
    Payload* payload = nullptr;
    std::uint32_t next = kNone;
  };
  /// Something for the slice: the request of an entry, or a request that passes.
  struct Outgoing {
    Payload* passed = nullptr;
    std::uint32_t entry = kNone;
    Cycle ready = 0;
  };
  enum class Wait : std::uint8_t { nothing, entry, send };

  Cycle tick(Cycle now) override;
  bool respond();
  void answer_read();
  bool send(Cycle now);
  void accept(Cycle now);
  Wait take(Payload& payload, Cycle now);
  void wait(Cycle now, Wait cause);
  /// Counts the waiting before `now`.
  void settle(Cycle now);

  bool mergeable(const Payload& payload) const;
  Addr unit_of(Addr address) const { return address & ~Addr(unit_bytes_ - 1); }
  ByteMask bytes_in_unit(const Payload& payload) const;
  std::uint32_t joinable(const Payload& payload) const;
  void join(std::uint32_t e, Payload& payload);
  void open(Payload& payload, Cycle now);
  void add_read(Entry& entry, Payload& payload);
  void close(std::uint32_t e);
  unsigned close_for(const Payload& write);
  std::uint32_t entry_of(const Payload& answer) const;
  unsigned used_entries() const {
    return static_cast<unsigned>(entries_.size() - free_entries_.size());
  }

  const unsigned unit_bytes_;  // what one request to the slice may ask for
  const unsigned most_reads_;  // of an entry
  const bool carry_data_;
  TransactionPool& pool_;

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_entries_;
  cache::BlockMap oldest_;   // of the open entries of a unit
  std::vector<Read> reads_;  // those of all entries; it grows to the most that there ever were
  std::uint32_t free_read_ = kNone;
  Ring<Outgoing> outgoing_;
  std::uint32_t draining_ = kNone;  // the entry whose reads are being answered
  Wait waits_for_ = Wait::nothing;
  Cycle waits_since_ = 0;
  Cycle counted_until_ = 0;  // the waiting before is in the statistics
  Femtoseconds time_ = 0;    // time of this tick
  Stats stats_;
};

}  // namespace warpmem::l2
