// SPDX-License-Identifier: Apache-2.0
#include "uvm/block_lru.hpp"

namespace warpmem::uvm {

void BlockLru::add(const Allocation& allocation) {
  if (allocations_.size() <= allocation.index) allocations_.resize(allocation.index + 1);
  const BlockGrid grid(allocation, shift_);
  Blocks& blocks = allocations_[allocation.index];
  blocks.origin = grid.origin;
  blocks.blocks.resize(grid.blocks);
  for (PageNumber i = 0; i < grid.blocks; ++i) {
    blocks.blocks[i].allocation = &allocation;
    blocks.blocks[i].number = grid.origin + i;
  }
}

void BlockLru::remove(const Allocation& allocation) {
  std::vector<Block>().swap(allocations_[allocation.index].blocks);
}

void BlockLru::append(Block& block) {
  block.older = newest_;
  block.newer = nullptr;
  (newest_ == nullptr ? oldest_ : newest_->newer) = &block;
  newest_ = &block;
}

void BlockLru::unlink(Block& block) {
  (block.older == nullptr ? oldest_ : block.older->newer) = block.newer;
  (block.newer == nullptr ? newest_ : block.newer->older) = block.older;
}

}  // namespace warpmem::uvm
