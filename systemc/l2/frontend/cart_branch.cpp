// SPDX-License-Identifier: Apache-2.0
#include "l2/frontend/cart_branch.hpp"

#include <cassert>

namespace warpmem::l2 {

CartBranch::CartBranch(const CartSize& size)
    : columns_(size.columns), leaves_(size.leaves(), Leaf(size.depth)) {}

unsigned CartBranch::place(std::uint32_t row, std::uint32_t column) const {
  unsigned newest = kNone, of_row = kNone, of_free_row = kNone;
  bool row_is_held = false;
  for (unsigned first = 0; first < leaves(); first += columns_) {
    unsigned free = kNone;
    bool held = false, same_row = false;
    for (unsigned leaf = first; leaf < first + columns_; ++leaf) {
      const Leaf& l = leaves_[leaf];
      if (l.requests.empty()) {
        if (free == kNone) free = leaf;
        continue;
      }
      held = true;
      same_row = same_row || l.row == row;
      if (same_line(l, row, column) &&
          (newest == kNone || l.requests.front().number > leaves_[newest].requests.front().number))
        newest = leaf;
    }
    if (same_row) {
      row_is_held = true;
      of_row = free;
    } else if (!held && of_free_row == kNone) {
      of_free_row = free;
    }
  }
  if (newest != kNone && !leaves_[newest].requests.full()) return newest;
  return row_is_held ? of_row : of_free_row;
}

bool CartBranch::push(unsigned leaf, std::uint32_t row, std::uint32_t column,
                      const Waiting& request) {
  Leaf& l = leaves_[leaf];
  const bool was_empty = l.requests.empty();
  assert(was_empty || same_line(l, row, column));
  l.row = row;
  l.column = column;
  l.requests.push(request);
  ++held_;
  return was_empty;
}

bool CartBranch::drains(unsigned leaf) const {
  const Leaf& l = leaves_[leaf];
  if (l.requests.empty()) return false;
  const unsigned first = leaf - leaf % columns_;
  for (unsigned other = first; other < first + columns_; ++other) {
    if (other != leaf && same_line(leaves_[other], l.row, l.column) &&
        leaves_[other].requests.front().number < l.requests.front().number)
      return false;
  }
  return true;
}

bool CartBranch::pop(unsigned leaf) {
  Leaf& l = leaves_[leaf];
  l.requests.drop();
  --held_;
  next_turn();
  const bool empty = l.requests.empty();
  has_last_ = true;
  last_row_ = l.row;
  last_leaf_ = empty ? kNone : leaf;
  return empty;
}

}  // namespace warpmem::l2
