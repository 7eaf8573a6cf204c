// SPDX-License-Identifier: Apache-2.0
// Nvidia's prefetcher as GU 4.2.2.2 and Fig 4.3 describe it: it brings the 64 KiB leaf of the
// fault, and every node above it that is then more than half full.
#pragma once

#include "uvm/page_tree.hpp"
#include "uvm/policy.hpp"
#include "uvm/prefetch/sequential.hpp"

namespace warpmem::uvm {

class TreePrefetcher : public Prefetcher {
 public:
  /// `memory` must outlive the prefetcher.
  TreePrefetcher(const Residency& memory, unsigned page_shift)
      : memory_(memory), trees_(page_shift) {}

  void allocated(const Allocation& allocation) override { trees_.add(allocation); }
  void freed(const Allocation& allocation) override { trees_.remove(allocation); }
  void arrives(const Allocation& allocation, PageNumber page) override {
    trees_.arrive(allocation, page);
  }
  void leaves(const Allocation& allocation, PageNumber page) override {
    trees_.leave(allocation, page);
  }
  void on_fault(const Allocation& allocation, PageNumber page,
                std::vector<PageNumber>& pages) override {
    bring_span(memory_, trees_.to_fill(allocation, page), page, pages);
  }

 private:
  const Residency& memory_;
  PageTrees trees_;
};

}  // namespace warpmem::uvm
