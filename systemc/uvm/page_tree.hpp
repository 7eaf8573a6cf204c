// SPDX-License-Identifier: Apache-2.0
// The binary trees of GU Fig 4.3: each covers 2 MiB of an allocation, a leaf is 64 KiB, a node
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
  /// A page gets its frame, or gives it back. Each at most once in turn.
  void arrive(const Allocation& allocation, PageNumber page) { count(allocation, page, 1); }
  void leave(const Allocation& allocation, PageNumber page) { count(allocation, page, ~0u); }

  /// The leaf of `page`, and with it the largest node above it more than half of whose pages are
  /// present, the nodes being filled bottom-up on the way.
  PageSpan to_fill(const Allocation& allocation, PageNumber page) const;
  /// The same in reverse: the largest node above the leaf more than half of whose pages are absent,
  /// the leaf being empty and the nodes being emptied on the way.
  PageSpan to_empty(const Allocation& allocation, PageNumber page) const;

  unsigned leaf_shift() const { return leaf_shift_; }

 private:
  // Nodes of a tree as a heap: 1 is the root, the children of n are 2n and 2n + 1.
  struct Forest {
    std::vector<std::uint32_t> present;  // 2^(levels + 1) nodes for each tree
    PageNumber origin = 0;               // page number >> tree shift of tree 0
  };

  void count(const Allocation& allocation, PageNumber page, std::uint32_t change);
  // Where the tree of `page` begins in `present`.
  std::size_t tree(const Allocation& allocation, PageNumber page) const;
  // Node of the leaf of `page`, for level 0; its parent for level 1, ...
  std::uint32_t node(PageNumber page, unsigned level) const;

  unsigned leaf_shift_;
  unsigned levels_;              // edges from a leaf to the root
  std::vector<Forest> forests_;  // by allocation
};

}  // namespace warpmem::uvm
