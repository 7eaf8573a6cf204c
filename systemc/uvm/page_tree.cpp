// SPDX-License-Identifier: Apache-2.0
#include "uvm/page_tree.hpp"

#include "base/assert.hpp"

namespace warpmem::uvm {

PageTrees::PageTrees(unsigned page_shift)
    : leaf_shift_(block_shift(kGranuleBytes, page_shift)),
      levels_(block_shift(kTreeBytes, page_shift) - leaf_shift_) {}

void PageTrees::add(const Allocation& allocation) {
  const BlockGrid grid(allocation, leaf_shift_ + levels_);
  if (forests_.size() <= allocation.index) forests_.resize(allocation.index + 1);
  Forest& forest = forests_[allocation.index];
  forest.origin = grid.origin;
  forest.present.assign(grid.blocks << (levels_ + 1), 0);
}

void PageTrees::remove(const Allocation& allocation) {
  std::vector<std::uint32_t>().swap(forests_[allocation.index].present);
}

std::uint32_t PageTrees::node(PageNumber page, unsigned level) const {
  const PageNumber leaf = page >> leaf_shift_ & ((PageNumber(1) << levels_) - 1);
  return static_cast<std::uint32_t>((PageNumber(1) << levels_ | leaf) >> level);
}

std::size_t PageTrees::tree(const Allocation& allocation, PageNumber page) const {
  const PageNumber number = (page >> (leaf_shift_ + levels_)) - forests_[allocation.index].origin;
  return number << (levels_ + 1);
}

void PageTrees::count(const Allocation& allocation, PageNumber page, std::uint32_t change) {
  std::uint32_t* const counts = &forests_[allocation.index].present[tree(allocation, page)];
  for (unsigned level = 0; level <= levels_; ++level) counts[node(page, level)] += change;
  assert(counts[node(page, 0)] <= std::uint32_t(1) << leaf_shift_);
}

// `here` counts the pages that will be present below the node at which the climb stands; the node's
// sibling is still as it was.
PageSpan PageTrees::to_fill(const Allocation& allocation, PageNumber page) const {
  const std::uint32_t* const counts = &forests_[allocation.index].present[tree(allocation, page)];
  PageSpan chosen = block_of(allocation, page, leaf_shift_);
  std::uint64_t here = chosen.pages();
  for (unsigned level = 1; level <= levels_; ++level) {
    const PageSpan span = block_of(allocation, page, leaf_shift_ + level);
    here += counts[node(page, level - 1) ^ 1];
    if (2 * here <= span.pages()) continue;
    chosen = span;
    here = span.pages();
  }
  return chosen;
}

PageSpan PageTrees::to_empty(const Allocation& allocation, PageNumber page) const {
  const std::uint32_t* const counts = &forests_[allocation.index].present[tree(allocation, page)];
  PageSpan chosen = block_of(allocation, page, leaf_shift_);
  std::uint64_t here = 0;
  for (unsigned level = 1; level <= levels_; ++level) {
    const PageSpan span = block_of(allocation, page, leaf_shift_ + level);
    here += counts[node(page, level - 1) ^ 1];
    if (2 * here >= span.pages()) continue;
    chosen = span;
    here = 0;
  }
  return chosen;
}

}  // namespace warpmem::uvm
