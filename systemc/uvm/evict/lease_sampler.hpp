// SPDX-License-Identifier: Apache-2.0
// Predicts the lease of each allocation: how often a page of it is used (GU 4.3.2.1). In the first
// cycles of every period (1000 of 6000) up to 16 blocks of pages are watched. An entry counts the
// uses of its block and marks which pages they were on. At the end of the window
//
//   F = sum over the n entries of the allocation of (N_i / P_i) / n          (Eq 4.2)
//   lease = weight * F + (1 - weight) * lease, rounded up; F itself the first time
//
// A window ends with the first call after its end, since nothing happens in between; so no clock is
// needed. An allocation gets entries by its share of all pages, at least one. A use for which there
// is no entry is ignored.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stats.hpp"
#include "base/types.hpp"
#include "uvm/evict/ture_params.hpp"
#include "uvm/page.hpp"

namespace warpmem::uvm {

class LeaseSampler {
 public:
  struct Stats {
    std::uint64_t windows = 0;  ///< windows in which something was sampled
    std::uint64_t sampled = 0;
    std::uint64_t ignored = 0;  ///< uses in a window that found no entry
    std::uint64_t entries = 0;  ///< entries taken, over all windows
    std::uint64_t leases = 0;   ///< leases computed
    std::uint64_t lease_sum = 0;
    Histogram lease{{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}};
  };

  explicit LeaseSampler(const TureParams& params);

  void add(const Allocation& allocation);
  void remove(const Allocation& allocation);

  /// Ends the window if that is due. `now` never decreases.
  void advance(Cycle now) {
    if (now >= window_end_) end_window(now);
  }
  /// Takes note of a use of the page. Precondition: advance(now) was called.
  void touch(const Allocation& allocation, PageNumber page, Cycle now) {
    if (now >= window_begin_) sample(allocation, page);
  }
  /// Number of uses that a page of the allocation is worth, 1 to 2^lease_bits - 2; 0: not known
  /// yet.
  std::uint32_t lease(const Allocation& allocation) const {
    return groups_[allocation.index].lease;
  }

  /// Registers evict.ture.* statistics of the window and the lease.
  void register_stats(StatGroup& group);
  const Stats& stats() const { return stats_; }

 private:
  struct Entry {
    unsigned group = 0;
    PageNumber block = 0;
    std::uint32_t uses = 0;
    std::uint32_t pages = 0;  // the diversity tag: a bit for each page used
  };
  struct Group {
    std::uint64_t pages = 0;
    std::uint32_t lease = 0;
  };

  void sample(const Allocation& allocation, PageNumber page);
  void end_window(Cycle now);
  void update(unsigned group);

  TureParams params_;
  unsigned block_shift_;  // binary logarithm of the pages that a tag tells apart
  std::uint32_t max_uses_;
  std::uint32_t max_lease_;
  std::uint64_t all_pages_ = 0;
  std::vector<Group> groups_;   // groups, by allocation
  std::vector<Entry> entries_;  // the entries in use
  Cycle window_begin_ = 0;
  Cycle window_end_;
  Stats stats_;
};

}  // namespace warpmem::uvm
