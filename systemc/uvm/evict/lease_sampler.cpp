// SPDX-License-Identifier: Apache-2.0
#include "uvm/evict/lease_sampler.hpp"

#include <algorithm>

namespace warpmem::uvm {

LeaseSampler::LeaseSampler(const TureParams& params)
    : params_(params),
      block_shift_(static_cast<unsigned>(__builtin_ctz(params.tag_bits))),
      max_uses_(static_cast<std::uint32_t>((std::uint64_t(1) << params.counter_bits) - 1)),
      // All ones means that a page has no lease yet.
      max_lease_((1u << params.lease_bits) - 2),
      window_end_(params.sample_cycles) {
  entries_.reserve(params.sample_entries);
}

void LeaseSampler::add(const Allocation& allocation) {
  if (groups_.size() <= allocation.index) groups_.resize(allocation.index + 1);
  groups_[allocation.index].pages = allocation.pages;
  all_pages_ += allocation.pages;
}

void LeaseSampler::remove(const Allocation& allocation) {
  all_pages_ -= allocation.pages;
  groups_[allocation.index] = {};
  const auto of_it = [&](const Entry& entry) { return entry.group == allocation.index; };
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(), of_it), entries_.end());
}

void LeaseSampler::sample(const Allocation& allocation, PageNumber page) {
  const PageNumber block = page >> block_shift_;
  const std::uint32_t bit = 1u << (page - (block << block_shift_));
  std::uint64_t own = 0;
  for (Entry& entry : entries_) {
    if (entry.group != allocation.index) continue;
    ++own;
    if (entry.block != block) continue;
    entry.uses = std::min(entry.uses + 1, max_uses_);
    entry.pages |= bit;
    ++stats_.sampled;
    return;
  }
  const std::uint64_t share =
      std::max<std::uint64_t>(1, params_.sample_entries * allocation.pages / all_pages_);
  if (own >= share || entries_.size() == params_.sample_entries) {
    ++stats_.ignored;
    return;
  }
  entries_.push_back({allocation.index, block, 1, bit});
  ++stats_.entries;
  ++stats_.sampled;
}

void LeaseSampler::end_window(Cycle now) {
  if (!entries_.empty()) {
    ++stats_.windows;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const unsigned group = entries_[i].group;
      const auto first = std::find_if(entries_.begin(), entries_.end(),
                                      [&](const Entry& e) { return e.group == group; });
      if (first == entries_.begin() + static_cast<std::ptrdiff_t>(i)) update(group);
    }
    entries_.clear();
  }
  // The next window is the one at or after `now` that has not ended.
  window_begin_ = now / params_.period_cycles * params_.period_cycles;
  if (now >= window_begin_ + params_.sample_cycles) window_begin_ += params_.period_cycles;
  window_end_ = window_begin_ + params_.sample_cycles;
}

void LeaseSampler::update(unsigned group) {
  constexpr std::uint64_t kOne = 256;  // fixed point
  std::uint64_t sum = 0, n = 0;
  for (const Entry& entry : entries_) {
    if (entry.group != group) continue;
    sum += entry.uses * kOne / static_cast<unsigned>(__builtin_popcount(entry.pages));
    ++n;
  }
  const std::uint64_t average = sum / n;
  const std::uint64_t old = groups_[group].lease * kOne;
  const std::uint64_t next =
      old == 0 ? average : (params_.weight * average + (100 - params_.weight) * old) / 100;
  const std::uint64_t lease = std::clamp<std::uint64_t>((next + kOne - 1) / kOne, 1, max_lease_);
  groups_[group].lease = static_cast<std::uint32_t>(lease);
  ++stats_.leases;
  stats_.lease_sum += lease;
  stats_.lease.add(lease);
}

void LeaseSampler::register_stats(StatGroup& group) {
  group.counter("evict.ture.windows", stats_.windows, "windows",
                "sampling windows in which managed pages were used");
  group.counter("evict.ture.sampled", stats_.sampled, "uses", "page uses counted in windows");
  group.counter("evict.ture.ignored", stats_.ignored, "uses",
                "page uses in windows that found no sampling entry");
  group.counter("evict.ture.entries", stats_.entries, "entries",
                "sampling entries taken, over all windows");
  group.counter("evict.ture.leases", stats_.leases, "leases",
                "leases of an allocation computed at the end of a window (GU Eq 4.2)");
  group.ratio("evict.ture.mean_lease", stats_.lease_sum, stats_.leases,
              "mean of the computed leases, in uses of a page");
  group.histogram("evict.ture.lease", stats_.lease, "uses", "computed leases by uses of a page");
}

}  // namespace warpmem::uvm
