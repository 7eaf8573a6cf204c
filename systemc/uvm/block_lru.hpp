// SPDX-License-Identifier: Apache-2.0
// Blocks of pages in the order of their last use. A block is in the list while a page of it is
// resident; the arrival of a page counts as a use.
#pragma once

#include <cstdint>
#include <vector>

#include "uvm/block.hpp"

namespace warpmem::uvm {

class BlockLru {
 public:
  struct Block {
    const Allocation* allocation = nullptr;
    PageNumber number = 0;       ///< page number >> shift
    std::uint32_t resident = 0;  ///< resident pages of the block
    Block* older = nullptr;
    Block* newer = nullptr;
  };

  /// Blocks of 2^shift pages.
  explicit BlockLru(unsigned shift) : shift_(shift) {}

  void add(const Allocation& allocation);
  /// Precondition: no page of the allocation is resident.
  void remove(const Allocation& allocation);

  void arrive(const Allocation& allocation, PageNumber page) {
    Block& block = find(allocation, page);
    if (block.resident++ == 0)
      append(block);
    else
      touch(block);
  }
  void touch(const Allocation& allocation, PageNumber page) { touch(find(allocation, page)); }
  void leave(const Allocation& allocation, PageNumber page) {
    Block& block = find(allocation, page);
    if (--block.resident == 0) unlink(block);
  }

  /// The least recently used block, or nullptr; Block::newer leads on from there.
  const Block* oldest() const { return oldest_; }
  PageSpan span(const Block& block) const {
    return clip(*block.allocation, block.number << shift_, std::uint64_t(1) << shift_);
  }

 private:
  struct Blocks {
    PageNumber origin = 0;
    std::vector<Block> blocks;
  };
  Block& find(const Allocation& allocation, PageNumber page) {
    Blocks& blocks = allocations_[allocation.index];
    return blocks.blocks[(page >> shift_) - blocks.origin];
  }
  void touch(Block& block) {
    if (&block == newest_) return;
    unlink(block);
    append(block);
  }
  void append(Block& block);
  void unlink(Block& block);

  unsigned shift_;
  std::vector<Blocks> allocations_;
  Block* oldest_ = nullptr;
  Block* newest_ = nullptr;
};

}  // namespace warpmem::uvm
