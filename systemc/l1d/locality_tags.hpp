// SPDX-License-Identifier: Apache-2.0
// Warp numbers (WID) beside the lines of L1D and beside the first slot of each MSHR entry.
// Comparing them with the requester's (KI 2.5, Figs 2.6 and 2.7) gives the class of each access
// (for LAWS and the throttling unit), the warps that hold MSHR entries (Load_CNT, KI 3.3.2), and
// the misses of a warp on blocks that it had itself brought and lost (victim tags of CCWS, KI 3.2).
// Another table remembers who evicted a block, so that a later miss on it can be put down to the
// same warp, to another warp of the thread block, or to another thread block (MR Fig 4).
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
  /// `entries` is the largest number of outstanding misses; each warp has `victim_tags` tags, or 0.
  LocalityTags(std::uint32_t lines, std::uint32_t entries, unsigned warps, unsigned victim_tags);

  /// These take note of an access by its outcome. `unit` is what its MSHR entry tracks: the line,
  /// or a fetch of some of its sectors. `mshr_full` is that of LocalityEvent.
  LocalityEvent hit(cache::LineId line, const Access& access);
  LocalityEvent secondary_miss(Addr unit, const Access& access);
  /// A miss looks for what is remembered of its block, and then the line that it replaces is
  /// remembered: look_up() comes first, evicted() next and primary_miss() last.
  void look_up(Addr block, const Access& access);
  LocalityEvent primary_miss(Addr unit, const Access& access, bool mshr_full);

  /// Takes note of a prefetch that a request `cause` has led to. The prefetch itself is no access
  /// and has no class; a secondary miss that merges with it has one.
  void prefetch(Addr unit, const Access& cause);

  /// The line is valid from now on and belongs to the warp of the primary miss of `unit`.
  void installed(cache::LineId line, Addr unit);
  /// The line is valid from now on because `store` has written into it.
  void written(cache::LineId line, const Access& store) {
    line_warp_[line] = static_cast<std::uint8_t>(store.warp);
  }
  /// The entry of `unit` is free.
  void completed(Addr unit);
  /// A valid line leaves the cache for the miss of `evictor`.
  void evicted(cache::LineId line, Addr block, const Access& evictor);

  /// Drops what is remembered of lines that have left. Every line is invalid now.
  void forget();
  /// Number of accesses of all classes.
  std::uint64_t accesses() const;
  void register_stats(StatGroup& group);

 private:
  struct Entry {
    std::uint8_t warp = 0;
    bool prefetch = false;
    unsigned next_free = 0;
  };
  /// Who had evicted a block, not long ago.
  struct Victim {
    Addr block = ~Addr(0);
    std::uint32_t cta = 0;
    std::uint16_t warp = 0;
  };
  /// Contention classes of MR Fig 4. `none` means that the block has not been evicted, as far as
  /// the table of evicted blocks remembers.
  enum class Contention : std::uint8_t { none, intra_warp, cross_warp, cross_block, count };

  void open(Addr unit, std::uint8_t warp, bool prefetch);
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
  std::vector<Addr> victims_;  // victim tags, by warp
  // Tag of each warp that is replaced next (first in, first out).
  std::vector<unsigned> next_victim_;
  std::vector<Victim> evicted_;  // a direct-mapped table
  // What look_up() has found.
  Contention found_ = Contention::none;
  bool found_victim_tag_ = false;

  std::array<std::uint64_t, kLocalities> classes_{};
  std::array<std::uint64_t, static_cast<std::size_t>(Contention::count)> contention_{};
  std::uint64_t lost_ = 0;
};

}  // namespace warpmem::l1d
