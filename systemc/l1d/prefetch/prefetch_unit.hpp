// SPDX-License-Identifier: Apache-2.0
// What stands around a prefetcher in L1D: it lets the prefetcher see the requests, keeps the blocks
// that it wants until the cache has a cycle for them, and follows each prefetch to its end.
//
//   wanted = issued + dropped (by reason)         once the queue is empty
//   issued = useful + late + useless              once no prefetched line is unused in the cache
//
// A prefetch is useful when the first demand access finds its line, late when that finds the miss
// outstanding, and useless when the line leaves, or the launch ends, before any demand access. A
// useless one is early-evicted when its block is demanded afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "cache/tag_array.hpp"
#include "l1d/prefetch/prefetcher.hpp"

namespace warpmem::l1d {

/// Why a prefetch was not made.
enum class PrefetchDrop : std::uint8_t {
  same_line,        ///< the block is in the line of the request that caused it
  queued,           ///< the block is in the queue already
  queue_full,       ///< the queue of the prefetcher is full
  out_of_range,     ///< the block is outside device memory; a prefetch never faults
  present,          ///< the line is in the cache
  outstanding,      ///< a miss on the line is under way, with which the prefetch merges
  mshr_full,        ///< no entry is free, or only those spared for demand misses
  no_line,          ///< every line of the set is reserved
  miss_queue_full,  ///< there is no room towards the crossbar
  count
};

class PrefetchUnit {
 public:
  /// A block that should be brought.
  struct Wanted {
    Addr block = 0;
    Access cause;  ///< sideband of the request that caused it
  };
  /// Device memory, [begin, end). Requests from elsewhere (a trace has addresses of its own) cause
  /// prefetches without a limit.
  struct Range {
    Addr begin = 0;
    Addr end = ~Addr(0);
    bool holds(Addr a) const { return a >= begin && a < end; }
  };

  PrefetchUnit(const PrefetchParams& params, const cache::TagArray& tags, Range range);

  /// The cache has accepted `demand`, of global memory. `looked_up` tells whether it is a load that
  /// looked for its line, and so causes prefetches.
  void accepted(const Payload& demand, bool looked_up);

  bool empty() const { return wanted_.empty(); }
  const Wanted& front() const { return wanted_.front(); }
  void drop(PrefetchDrop reason) {
    wanted_.drop();
    ++dropped_[static_cast<std::size_t>(reason)];
  }
  /// The prefetch at front() is on its way.
  void issue() {
    if (Addr& victim = victim_of(front().block); victim == front().block) victim = kNoBlock;
    wanted_.drop();
    ++issued_;
    ++outstanding_;
  }

  /// A demand miss has taken the place of an outstanding prefetch.
  void taken_over() {
    ++late_;
    --outstanding_;
  }
  /// A prefetch for which nobody waited has arrived. It is kept in `line`; discarded() means that
  /// it is not kept.
  void arrived(cache::LineId line);
  void discarded() {
    ++useless_;
    ++dropped_fills_;
    --outstanding_;
  }
  /// A demand access has hit the line.
  void hit(cache::LineId line) {
    if (!unused_[line]) return;
    unused_[line] = false;
    --unused_lines_;
    ++useful_;
  }
  /// The line becomes invalid, or with `evicted` another block's.
  void gone(cache::LineId line, Addr block, bool evicted);
  /// A demand access has missed `block` and fetches it.
  void missed(Addr block) {
    Addr& victim = victim_of(block);
    if (victim != block) return;
    victim = kNoBlock;
    ++early_evicted_;
  }

  /// A block of the grid has left the SM.
  void cta_finished(bool tracked);
  /// Counts the lines that are unused now as useless. Precondition: no prefetch is outstanding or
  /// waits.
  void end_launch();
  /// Forgets what was learned and does what end_launch() does.
  void begin_launch();

  const std::uint64_t& issued() const { return issued_; }
  std::uint64_t useful() const { return useful_; }
  std::uint64_t late() const { return late_; }
  std::uint64_t useless() const { return useless_; }
  std::uint64_t early_evicted() const { return early_evicted_; }
  std::uint64_t dropped(PrefetchDrop reason) const {
    return dropped_[static_cast<std::size_t>(reason)];
  }
  const Prefetcher& prefetcher() const { return *prefetcher_; }
  std::string describe() const;
  void register_stats(StatGroup& group);

 private:
  static constexpr unsigned kVictimBits = 12;
  static constexpr Addr kNoBlock = ~Addr(0);

  void want(Addr address, const Payload& cause);
  void count_drop(PrefetchDrop reason) { ++dropped_[static_cast<std::size_t>(reason)]; }
  Addr& victim_of(Addr block) {
    return victims_[(block * 0x9E3779B97F4A7C15ULL) >> (64 - kVictimBits)];
  }

  PrefetchParams params_;
  const cache::TagArray& tags_;
  Range range_;
  std::unique_ptr<Prefetcher> prefetcher_;
  Ring<Wanted> wanted_;
  std::vector<bool> unused_;  // lines that were prefetched and not hit since
  // Unused blocks that were evicted, in a direct-mapped table that serves the statistics.
  std::vector<Addr> victims_;
  std::uint64_t unused_lines_ = 0;
  std::uint64_t outstanding_ = 0;

  // The counts when the last block of the grid left.
  std::uint64_t good_before_ = 0;
  std::uint64_t useless_before_ = 0;

  std::uint64_t all_wanted_ = 0;
  std::uint64_t issued_ = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(PrefetchDrop::count)> dropped_{};
  std::uint64_t useful_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t useless_ = 0;
  std::uint64_t dropped_fills_ = 0;
  std::uint64_t early_evicted_ = 0;
  std::uint64_t storage_bits_ = 0;
};

}  // namespace warpmem::l1d
