// SPDX-License-Identifier: Apache-2.0
// Evicts the least recently used 2 MiB (NE of GU 4.4).
#pragma once

#include "uvm/evict/lru.hpp"

namespace warpmem::uvm {

class NvidiaEvictor : public LruEvictor {
 public:
  NvidiaEvictor(const Residency& memory, unsigned page_shift)
      : LruEvictor(memory, block_shift(kTreeBytes, page_shift)),
        shift_(block_shift(kTreeBytes, page_shift)) {}

 private:
  PageSpan piece(const Allocation& allocation, PageNumber page) const override {
    return block_of(allocation, page, shift_);
  }
  unsigned shift_;
};

}  // namespace warpmem::uvm
