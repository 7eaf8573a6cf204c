// SPDX-License-Identifier: Apache-2.0
// A branch of CART: the leaf queues of one DRAM bank (GU 2.4.2 to 2.4.4). A leaf holds requests to
// one line, tagged with its row and column; the leaves of a row stand together, and a row with no
// request gives its leaves back.
//
// Fill: the newest leaf of the line, if it has room; else a free leaf of the line's row; else, when
// no leaf holds the row, the first row without requests; else the request waits. The newest leaf
// only, since a line whose leaf was full has two, and its requests must keep their order.
#pragma once

#include <vector>

#include "l2/frontend/frontend.hpp"

namespace warpmem::l2 {

class CartBranch {
 public:
  static constexpr unsigned kNone = ~0u;

  explicit CartBranch(const CartSize& size);

  /// The leaf for a request to this row and column, or kNone.
  unsigned place(std::uint32_t row, std::uint32_t column) const;
  /// Precondition: `leaf` is what place() gave. Returns whether it was empty.
  bool push(unsigned leaf, std::uint32_t row, std::uint32_t column, const Waiting& request);
  /// The leaf that goes on (GU 2.4.4): the one that was drained last, else the longest of its row,
  /// else the longest; the lowest number of equals; kNone without one that `may_go(leaf)`.
  template <class MayGo>
  unsigned same_or_longest_row(MayGo may_go) const;

  /// Whether `leaf` has a request and none of its line stands in an older leaf.
  bool drains(unsigned leaf) const;
  Waiting& front(unsigned leaf) { return leaves_[leaf].requests.front(); }
  std::size_t length(unsigned leaf) const { return leaves_[leaf].requests.size(); }
  bool same_leaf(unsigned leaf) const { return leaf == last_leaf_; }
  bool same_row(unsigned leaf) const { return has_last_ && leaves_[leaf].row == last_row_; }
  /// Whether the first request of the leaf was refused since this branch gave one, or since all
  /// were.
  bool refused(unsigned leaf) const { return leaves_[leaf].requests.front().refused_turn == turn_; }
  void refuse(unsigned leaf) { front(leaf).refused_turn = turn_; }
  /// All may be tried again.
  void next_turn() { ++turn_; }
  /// Removes the first request of the leaf. Returns whether the leaf is empty now.
  bool pop(unsigned leaf);
  unsigned leaves() const { return static_cast<unsigned>(leaves_.size()); }
  std::size_t held() const { return held_; }

 private:
  struct Leaf {
    explicit Leaf(std::size_t depth) : requests(depth) {}
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    Ring<Waiting> requests;
  };
  bool same_line(const Leaf& a, std::uint32_t row, std::uint32_t column) const {
    return !a.requests.empty() && a.row == row && a.column == column;
  }

  unsigned columns_;
  std::vector<Leaf> leaves_;  // row by row
  std::size_t held_ = 0;
  std::uint64_t turn_ = 1;
  unsigned last_leaf_ = kNone;  // drained last, and not empty since
  bool has_last_ = false;
  std::uint32_t last_row_ = 0;  // drained last
};

template <class MayGo>
unsigned CartBranch::same_or_longest_row(MayGo may_go) const {
  if (last_leaf_ != kNone && may_go(last_leaf_)) return last_leaf_;
  unsigned of_row = kNone, of_all = kNone;
  for (unsigned leaf = 0; leaf < leaves(); ++leaf) {
    if (length(leaf) == 0 || !may_go(leaf)) continue;
    if (of_all == kNone || length(leaf) > length(of_all)) of_all = leaf;
    if (same_row(leaf) && (of_row == kNone || length(leaf) > length(of_row))) of_row = leaf;
  }
  return of_row != kNone ? of_row : of_all;
}

}  // namespace warpmem::l2
