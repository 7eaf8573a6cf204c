// SPDX-License-Identifier: Apache-2.0
// A branch of CART: the leaf queues of one DRAM bank (GU 2.4.2 to 2.4.4). A leaf holds requests to
// one line, tagged with its row and column; the leaves of a row stand together, and a row with no
// request gives its leaves back.
//
// Fill: the newest leaf of the line, if it has room; else a free leaf of the line's row; else, when
// no leaf holds the row, the first row without requests; else the request waits. The newest leaf
// only, since a line whose leaf was full has two, and its requests must keep their order.
//
// The requests are kept here. With a hardware unit, it decides in place of this class: one cycle of
// the unit goes from a place() to the next, or to what becomes of the request that is tried.
#pragma once

#include <vector>

#include "cache/frontend/frontend.hpp"
#include "cache/frontend/unit_factories.hpp"

namespace warpmem::cache {

class CartBranch {
 public:
  static constexpr unsigned kNone = ~0u;

  struct Choice {
    unsigned leaf = kNone;
    bool again = false;  ///< after all that may go were refused
  };

  /// `unit` decides, if there is one, and must outlive the branch.
  explicit CartBranch(const CartSize& size, CartBranchUnit* unit = nullptr);

  /// The leaf for a request to this row and column, or kNone.
  unsigned place(std::uint32_t row, std::uint32_t column);
  /// Precondition: `leaf` is what place() gave. Returns whether it was empty.
  bool push(unsigned leaf, std::uint32_t row, std::uint32_t column, const Waiting& request);
  /// The leaf that goes on (GU 2.4.4), among those that drain and whose first request `can_try()`:
  /// the one that was drained last, else the longest of its row, else the longest; the lowest
  /// number of equals. Refused ones only when all are.
  template <class CanTry>
  Choice same_or_longest_row(CanTry can_try);

  /// Whether `leaf` has a request and none of its line stands in an older leaf.
  bool drains(unsigned leaf) { return unit_ ? bit(shown().drains, leaf) : is_oldest(leaf); }
  Waiting& front(unsigned leaf) { return leaves_[leaf].requests.front(); }
  std::size_t length(unsigned leaf) const { return leaves_[leaf].requests.size(); }
  /// What the branch gave last. Precondition: the leaf has a request.
  bool same_leaf(unsigned leaf);
  bool same_row(unsigned leaf);
  /// Whether the first request of the leaf was refused since this branch gave one, or since all
  /// were.
  bool refused(unsigned leaf);
  void refuse(unsigned leaf);
  /// All may be tried again.
  void next_turn();
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
  static bool bit(std::uint64_t mask, unsigned leaf) { return (mask >> leaf & 1) != 0; }
  bool is_oldest(unsigned leaf) const;
  bool is_of_last_row(unsigned leaf) const { return has_last_ && leaves_[leaf].row == last_row_; }
  bool was_refused(unsigned leaf) const {
    return leaves_[leaf].requests.front().refused_turn == turn_;
  }
  unsigned place_by_unit(std::uint32_t row, std::uint32_t column);
  const units::CartBranchOut& shown();
  void end_unit_cycle();
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

  CartBranchUnit* unit_;        // nullptr: this class decides
  units::CartBranchIn pins_;    // of the unit's present cycle
  units::CartBranchOut shown_;  // outputs, if they are up to date
  bool up_to_date_ = false;
};

template <class CanTry>
CartBranch::Choice CartBranch::same_or_longest_row(CanTry can_try) {
  if (unit_) {
    std::uint64_t ready = 0;
    for (unsigned leaf = 0; leaf < leaves(); ++leaf)
      if (length(leaf) > 0 && can_try(front(leaf))) ready |= std::uint64_t(1) << leaf;
    pins_.ready = ready;
    up_to_date_ = false;
    const units::CartBranchOut& out = shown();
    return {out.drain_valid ? out.drain_leaf : kNone, out.drain_again};
  }
  for (const bool again : {false, true}) {
    const auto may_go = [&](unsigned leaf) {
      return is_oldest(leaf) && can_try(front(leaf)) && (again || !was_refused(leaf));
    };
    if (last_leaf_ != kNone && may_go(last_leaf_)) return {last_leaf_, again};
    unsigned of_row = kNone, of_all = kNone;
    for (unsigned leaf = 0; leaf < leaves(); ++leaf) {
      if (length(leaf) == 0 || !may_go(leaf)) continue;
      if (of_all == kNone || length(leaf) > length(of_all)) of_all = leaf;
      if (is_of_last_row(leaf) && (of_row == kNone || length(leaf) > length(of_row))) of_row = leaf;
    }
    if (of_all != kNone) return {of_row != kNone ? of_row : of_all, again};
  }
  return {};
}

}  // namespace warpmem::cache
