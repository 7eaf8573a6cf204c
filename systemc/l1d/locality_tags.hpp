// SPDX-License-Identifier: Apache-2.0
// Warp numbers (WID) beside the lines of L1D and beside the first slot of each MSHR entry, and what
// follows from comparing them with a requester's (KI 2.5, Figs 2.6 and 2.7):
//
// - the class of each access, for LAWS and the throttling unit;
// - the warps that hold MSHR entries (Load_CNT, KI 3.3.2);
// - victim tags a warp (CCWS, KI 3.2): a miss on a block that the warp itself had brought and lost;
// - who had evicted the block that misses now (MR Fig 4): the same warp, another one of the block,
// or
//   another block.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/locality.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "cache/block_map.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::l1d {

class LocalityTags {
 public:
  /// `entries`: the most misses outstanding; `victim_tags` a warp, 0 for none.
  LocalityTags(std::uint32_t lines, std::uint32_t entries, unsigned warps, unsigned victim_tags);

  /// An access of each outcome. `mshr_full` as in LocalityEvent.
  LocalityEvent hit(cache::LineId line, const Access& access);
  LocalityEvent secondary_miss(Addr block, const Access& access);
  LocalityEvent primary_miss(Addr block, const Access& access, bool mshr_full);

  /// A prefetch that `cause` has led to is no access of a class; what merges with it is one.
  void prefetch(Addr block, const Access& cause);

  /// The line of `block` is now valid: it belongs to the warp of its primary miss.
  void installed(cache::LineId line, Addr block);
  /// The entry of `block` is free.
  void completed(Addr block);
  /// A valid line leaves for the miss of `evictor`.
  void evicted(cache::LineId line, Addr block, const Access& evictor);

  /// Drops what is remembered of lines that have left: every line is invalid now.
  void forget();
  /// Accesses of all classes.
  std::uint64_t accesses() const;
  void register_stats(StatGroup& group);

 private:
  struct Entry {
    std::uint8_t warp = 0;
    bool prefetch = false;
    unsigned next_free = 0;
  };
  /// A block that was evicted not long ago.
  struct Victim {
    Addr block = ~Addr(0);
    std::uint32_t cta = 0;
    std::uint16_t warp = 0;
  };
  /// Contention classes of MR Fig 4; `none`: the block was not in the cache before, as far as the
  /// table of evicted blocks remembers.
  enum class Contention : std::uint8_t { none, intra_warp, cross_warp, cross_block, count };

  void open(Addr block, std::uint8_t warp, bool prefetch);
  LocalityEvent event(Locality kind, const Access& access);
  Contention contention(Addr block, const Access& access) const;
  bool take_victim_tag(std::uint8_t warp, Addr block);
  Victim& evictor_of(Addr block) {
    return evicted_[(block * 0x9E3779B97F4A7C15ULL) >> (64 - kEvictedBits)];
  }

  static constexpr unsigned kEvictedBits = 12;

  std::vector<std::uint8_t> line_warp_;
  cache::BlockMap pending_;
  std::vector<Entry> entries_;
  unsigned free_entry_ = 0;
  std::vector<unsigned> entries_of_warp_;
  unsigned loading_warps_ = 0;

  unsigned victim_tags_;
  std::vector<Addr> victims_;          // by warp
  std::vector<unsigned> next_victim_;  // by warp: first in, first out
  std::vector<Victim> evicted_;        // direct-mapped

  std::array<std::uint64_t, kLocalities> classes_{};
  std::array<std::uint64_t, static_cast<std::size_t>(Contention::count)> contention_{};
  std::uint64_t lost_ = 0;
};

}  // namespace warpmem::l1d
