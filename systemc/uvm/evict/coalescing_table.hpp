// SPDX-License-Identifier: Apache-2.0
// Pages whose lease has expired, gathered by 64 KiB blocks so that they leave together (GU
// 4.3.2.2). Entries stand in the order of their last update, the expiry of a page.
#pragma once

#include <cstdint>
#include <vector>

#include "uvm/block.hpp"

namespace warpmem::uvm {

class CoalescingTable {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  struct Entry {
    const Allocation* allocation = nullptr;
    PageNumber block = 0;     ///< page number >> shift
    std::uint32_t pages = 0;  ///< bit i: page i of the block has expired; not 0 in an entry in use
    std::uint32_t older = kNone;
    std::uint32_t newer = kNone;
  };

  /// Blocks of 2^shift pages, at most 32.
  CoalescingTable(unsigned entries, unsigned shift);

  void add(const Allocation& allocation);
  /// Precondition: the allocation has no entry any more.
  void remove(const Allocation& allocation);

  bool full() const { return free_ == kNone; }
  std::uint32_t used() const { return used_; }
  /// Returns the entry of the page's block, or kNone.
  std::uint32_t find(const Allocation& allocation, PageNumber page) const {
    const Blocks& blocks = allocations_[allocation.index];
    return blocks.entry[(page >> shift_) - blocks.origin];
  }
  const Entry& entry(std::uint32_t index) const { return entries_[index]; }
  PageNumber first_page(const Entry& entry) const { return entry.block << shift_; }

  /// The page has expired. Precondition: its block has an entry, or the table is not full.
  void expire(const Allocation& allocation, PageNumber page);
  /// The page has not expired any more, or is gone; the entry ends with its last page.
  void forget(const Allocation& allocation, PageNumber page);
  /// Ends the entry.
  void release(std::uint32_t index);

  /// The entry updated least recently, or kNone; Entry::newer leads on from there.
  std::uint32_t oldest() const { return oldest_; }

 private:
  struct Blocks {
    PageNumber origin = 0;
    std::vector<std::uint32_t> entry;
  };
  std::uint32_t bit(PageNumber page) const {
    return 1u << (page & ((PageNumber(1) << shift_) - 1));
  }
  void append(std::uint32_t index);
  void unlink(std::uint32_t index);

  unsigned shift_;
  std::vector<Blocks> allocations_;
  std::vector<Entry> entries_;
  std::uint32_t oldest_ = kNone;
  std::uint32_t newest_ = kNone;
  std::uint32_t free_ = kNone;  // the first free entry; Entry::newer leads to the next
  std::uint32_t used_ = 0;
};

}  // namespace warpmem::uvm
