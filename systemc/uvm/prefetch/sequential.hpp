// SPDX-License-Identifier: Apache-2.0
// Brings the aligned 64 KiB around the fault (SP of GU 4.4).
#pragma once

#include "uvm/block.hpp"
#include "uvm/policy.hpp"

namespace warpmem::uvm {

/// Appends `page`, then the other absent pages of the span, ascending.
inline void bring_span(const Residency& memory, PageSpan span, PageNumber page,
                       std::vector<PageNumber>& pages) {
  pages.push_back(page);
  for (PageNumber p = span.first; p < span.last; ++p)
    if (p != page && memory.absent(p)) pages.push_back(p);
}

class SequentialPrefetcher : public Prefetcher {
 public:
  /// `memory` must outlive the prefetcher.
  SequentialPrefetcher(const Residency& memory, unsigned page_shift)
      : memory_(memory), shift_(block_shift(kGranuleBytes, page_shift)) {}

  void on_fault(const Allocation& allocation, PageNumber page,
                std::vector<PageNumber>& pages) override {
    bring_span(memory_, block_of(allocation, page, shift_), page, pages);
  }

 private:
  const Residency& memory_;
  unsigned shift_;
};

}  // namespace warpmem::uvm
