// SPDX-License-Identifier: Apache-2.0
// Aligned blocks of pages within an allocation. A block at the end of an allocation is shorter when
// the allocation does not fill it; no block belongs to two allocations.
#pragma once

#include <algorithm>
#include <cstdint>

#include "uvm/page.hpp"

namespace warpmem::uvm {

/// The smallest piece that policies move (GU 4.2.2.2, 4.3.2.2), and what one tree covers.
inline constexpr std::uint64_t kGranuleBytes = 64 << 10;
inline constexpr std::uint64_t kTreeBytes = 2 << 20;

/// Binary logarithm of the number of pages of `bytes` (a power of two); 0 when they are less than a
/// page.
constexpr unsigned block_shift(std::uint64_t bytes, unsigned page_shift) {
  unsigned shift = 0;
  while (std::uint64_t(1) << (page_shift + shift) < bytes) ++shift;
  return shift;
}

/// The pages [first, last).
struct PageSpan {
  PageNumber first = 0;
  PageNumber last = 0;
  std::uint64_t pages() const { return last - first; }
  bool contains(PageNumber page) const { return first <= page && page < last; }
};

/// Returns the part of [first, first + count) that lies within the allocation, which may be empty.
inline PageSpan clip(const Allocation& allocation, PageNumber first, std::uint64_t count) {
  const PageNumber begin = std::max(first, allocation.first);
  const PageNumber end = std::min(first + count, allocation.first + allocation.pages);
  return {begin, std::max(begin, end)};
}

/// Returns the block of 2^shift pages that holds `page`, a page of the allocation.
inline PageSpan block_of(const Allocation& allocation, PageNumber page, unsigned shift) {
  return clip(allocation, page >> shift << shift, std::uint64_t(1) << shift);
}

/// Blocks of an allocation: block b holds the pages whose number >> shift is b + origin.
struct BlockGrid {
  PageNumber origin = 0;
  std::uint64_t blocks = 0;

  BlockGrid() = default;
  BlockGrid(const Allocation& allocation, unsigned shift)
      : origin(allocation.first >> shift),
        blocks(((allocation.first + allocation.pages - 1) >> shift) - origin + 1) {}
};

}  // namespace warpmem::uvm
