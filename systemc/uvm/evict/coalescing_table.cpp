// SPDX-License-Identifier: Apache-2.0
#include "uvm/evict/coalescing_table.hpp"

#include "base/assert.hpp"

namespace warpmem::uvm {

CoalescingTable::CoalescingTable(unsigned entries, unsigned shift)
    : shift_(shift), entries_(entries) {
  assert(shift <= 5);
  for (std::uint32_t i = entries; i-- > 0;) {
    entries_[i].newer = free_;
    free_ = i;
  }
}

void CoalescingTable::add(const Allocation& allocation) {
  if (allocations_.size() <= allocation.index) allocations_.resize(allocation.index + 1);
  const BlockGrid grid(allocation, shift_);
  allocations_[allocation.index].origin = grid.origin;
  allocations_[allocation.index].entry.assign(grid.blocks, kNone);
}

void CoalescingTable::remove(const Allocation& allocation) {
  std::vector<std::uint32_t>().swap(allocations_[allocation.index].entry);
}

void CoalescingTable::expire(const Allocation& allocation, PageNumber page) {
  Blocks& blocks = allocations_[allocation.index];
  std::uint32_t& index = blocks.entry[(page >> shift_) - blocks.origin];
  if (index == kNone) {
    assert(!full());
    index = free_;
    free_ = entries_[index].newer;
    ++used_;
    entries_[index].allocation = &allocation;
    entries_[index].block = page >> shift_;
    entries_[index].pages = 0;
  } else {
    unlink(index);
  }
  append(index);
  entries_[index].pages |= bit(page);
}

void CoalescingTable::forget(const Allocation& allocation, PageNumber page) {
  const std::uint32_t index = find(allocation, page);
  if (index == kNone) return;
  entries_[index].pages &= ~bit(page);
  if (entries_[index].pages == 0) release(index);
}

void CoalescingTable::release(std::uint32_t index) {
  Entry& entry = entries_[index];
  Blocks& blocks = allocations_[entry.allocation->index];
  blocks.entry[entry.block - blocks.origin] = kNone;
  unlink(index);
  entry.newer = free_;
  free_ = index;
  --used_;
}

void CoalescingTable::append(std::uint32_t index) {
  entries_[index].older = newest_;
  entries_[index].newer = kNone;
  (newest_ == kNone ? oldest_ : entries_[newest_].newer) = index;
  newest_ = index;
}

void CoalescingTable::unlink(std::uint32_t index) {
  const Entry& entry = entries_[index];
  (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
  (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
}

}  // namespace warpmem::uvm
