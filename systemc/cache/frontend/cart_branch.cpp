// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/cart_branch.hpp"

#include "base/assert.hpp"

namespace warpmem::cache {

CartBranch::CartBranch(const CartSize& size, CartBranchUnit* unit)
    : columns_(size.columns), unit_(unit) {
  for (unsigned leaf = 0; leaf < size.leaves(); ++leaf) leaves_.emplace_back(size.depth);
}

unsigned CartBranch::place(std::uint32_t row, std::uint32_t column) {
  if (unit_) return place_by_unit(row, column);
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

bool CartBranch::is_oldest(unsigned leaf) const {
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
  if (unit_) {
    pins_.pop = true;
    pins_.leaf = static_cast<std::uint8_t>(leaf);
    end_unit_cycle();
    return l.requests.empty();
  }
  ++turn_;
  const bool empty = l.requests.empty();
  has_last_ = true;
  last_row_ = l.row;
  last_leaf_ = empty ? kNone : leaf;
  return empty;
}

bool CartBranch::same_leaf(unsigned leaf) {
  return unit_ ? shown().last_valid && shown().last_leaf == leaf : leaf == last_leaf_;
}

bool CartBranch::same_row(unsigned leaf) {
  return unit_ ? bit(shown().same_row, leaf) : is_of_last_row(leaf);
}

bool CartBranch::refused(unsigned leaf) {
  return unit_ ? bit(shown().refused, leaf) : was_refused(leaf);
}

void CartBranch::refuse(unsigned leaf) {
  front(leaf).refused_turn = turn_;
  if (!unit_) return;
  pins_.refuse = true;
  pins_.leaf = static_cast<std::uint8_t>(leaf);
  end_unit_cycle();
}

void CartBranch::next_turn() {
  ++turn_;
  if (!unit_) return;
  pins_.turn = true;
  up_to_date_ = false;
}

unsigned CartBranch::place_by_unit(std::uint32_t row, std::uint32_t column) {
  end_unit_cycle();
  pins_.fill_valid = true;
  pins_.fill_row = row;
  pins_.fill_column = column;
  up_to_date_ = false;
  if (shown().fill_ready) return shown().fill_leaf;
  pins_ = {};
  up_to_date_ = false;
  return kNone;
}

const units::CartBranchOut& CartBranch::shown() {
  if (!up_to_date_) shown_ = unit_->eval(pins_);
  up_to_date_ = true;
  return shown_;
}

void CartBranch::end_unit_cycle() {
  if (pins_.fill_valid || pins_.turn || pins_.pop || pins_.refuse) unit_->commit(pins_);
  pins_ = {};
  up_to_date_ = false;
}

}  // namespace warpmem::cache
