// SPDX-License-Identifier: Apache-2.0
// The binary trees of GU Fig 4.3. Each covers 2 MiB of an allocation, a leaf is 64 KiB, and a node
// knows how many pages below it have a frame. At the end of an allocation a tree has fewer leaves,
// and what is missing counts neither as present nor as absent.
#pragma once

#include <cstdint>
#include <vector>

#include "uvm/block.hpp"

namespace warpmem::uvm {

class PageTrees {
 public:
  explicit PageTrees(unsigned page_shift);

  void add(const Allocation& allocation);
  void remove(const Allocation& allocation);
  /// A page gets its frame, or gives it back; the two alternate for each page.
  void arrive(const Allocation& allocation, PageNumber page) { count(allocation, page, 1); }
  void leave(const Allocation& allocation, PageNumber page) { count(allocation, page, ~0u); }

  /// Returns the pages of the leaf of `page` or of the largest node above it more than half of
  /// whose pages are present. The climb goes bottom-up and counts the nodes on its way as filled.
  PageSpan to_fill(const Allocation& allocation, PageNumber page) const;
  /// Returns the pages of the leaf of `page` or of the largest node above it more than half of
  /// whose pages are absent. The climb counts the leaf, and the nodes on its way, as emptied.
  PageSpan to_empty(const Allocation& allocation, PageNumber page) const;

 private:
  // The nodes of a tree form a heap: 1 is the root, and the children of n are 2n and 2n + 1.
  struct Forest {
    std::vector<std::uint32_t> present;  // 2^(levels + 1) nodes for each tree
    PageNumber origin = 0;               // page number >> tree shift of tree 0
  };

  void count(const Allocation& allocation, PageNumber page, std::uint32_t change);
  // Returns where the tree of `page` begins in `present`.
  std::size_t tree(const Allocation& allocation, PageNumber page) const;
  // Returns the node of the leaf of `page` for level 0, its parent for level 1, and so on.
  std::uint32_t node(PageNumber page, unsigned level) const;

  unsigned leaf_shift_;
  unsigned levels_;              // number of edges from a leaf to the root
  std::vector<Forest> forests_;  // forests, by allocation
};

}  // namespace warpmem::uvm
