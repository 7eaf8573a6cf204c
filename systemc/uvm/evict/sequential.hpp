// SPDX-License-Identifier: Apache-2.0
// Evicts the aligned 64 KiB around the least recently used page (SE of GU 4.4).
#pragma once

#include "uvm/evict/lru.hpp"

namespace warpmem::uvm {

class SequentialEvictor : public LruEvictor {
 public:
  SequentialEvictor(const Residency& memory, unsigned page_shift)
      : LruEvictor(memory, 0), shift_(block_shift(kGranuleBytes, page_shift)) {}

 private:
  PageSpan piece(const Allocation& allocation, PageNumber page) const override {
    return block_of(allocation, page, shift_);
  }
  unsigned shift_;
};

}  // namespace warpmem::uvm
