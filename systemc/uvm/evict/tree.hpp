// SPDX-License-Identifier: Apache-2.0
// The tree prefetcher in reverse (TE of GU 4.4): the least recently used 64 KiB leaf leaves, and
// every node above it that is then more than half empty. A page on its way to the device counts as
// absent.
#pragma once

#include "uvm/evict/lru.hpp"
#include "uvm/page_tree.hpp"

namespace warpmem::uvm {

class TreeEvictor : public LruEvictor {
 public:
  TreeEvictor(const Residency& memory, unsigned page_shift)
      : LruEvictor(memory, block_shift(kGranuleBytes, page_shift)), trees_(page_shift) {}

  void allocated(const Allocation& allocation) override {
    LruEvictor::allocated(allocation);
    trees_.add(allocation);
  }
  void freed(const Allocation& allocation) override {
    LruEvictor::freed(allocation);
    trees_.remove(allocation);
  }
  void arrived(const Allocation& allocation, PageNumber page, Cycle now) override {
    LruEvictor::arrived(allocation, page, now);
    trees_.arrive(allocation, page);
  }
  void left(const Allocation& allocation, PageNumber page) override {
    LruEvictor::left(allocation, page);
    trees_.leave(allocation, page);
  }

 private:
  PageSpan piece(const Allocation& allocation, PageNumber page) const override {
    return trees_.to_empty(allocation, page);
  }
  PageTrees trees_;
};

}  // namespace warpmem::uvm
