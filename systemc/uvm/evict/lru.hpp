// SPDX-License-Identifier: Apache-2.0
// What the LRU evictors share: they keep blocks of one size in the order of their last use, and the
// piece that belongs to the oldest block leaves.
#pragma once

#include "uvm/block_lru.hpp"
#include "uvm/policy.hpp"

namespace warpmem::uvm {

class LruEvictor : public Evictor {
 public:
  void allocated(const Allocation& allocation) override;
  void freed(const Allocation& allocation) override;
  void arrived(const Allocation& allocation, PageNumber page, Cycle) override {
    lru_.arrive(allocation, page);
    here_[allocation.index][page - allocation.first] = true;
  }
  void touched(const Allocation& allocation, PageNumber page, Cycle) override {
    lru_.touch(allocation, page);
  }
  void left(const Allocation& allocation, PageNumber page) override {
    lru_.leave(allocation, page);
    here_[allocation.index][page - allocation.first] = false;
  }
  void choose(std::uint64_t pages, Cycle now, std::vector<PageNumber>& victims) override;

 protected:
  /// The list has blocks of 2^lru_shift pages. `memory` must outlive the evictor.
  LruEvictor(const Residency& memory, unsigned lru_shift) : memory_(memory), lru_(lru_shift) {}
  /// Returns the pages that leave with a block that holds `page`: at least that block.
  virtual PageSpan piece(const Allocation& allocation, PageNumber page) const = 0;

 private:
  // Returns whether the page has not been chosen yet and is free to leave.
  bool may_leave(const Allocation& allocation, PageNumber page) const {
    return here_[allocation.index][page - allocation.first] && memory_.evictable(page);
  }

  const Residency& memory_;
  BlockLru lru_;
  // By allocation and page: the page has arrived and not gone since.
  std::vector<std::vector<bool>> here_;
};

}  // namespace warpmem::uvm
