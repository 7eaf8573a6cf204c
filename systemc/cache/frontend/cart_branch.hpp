// SPDX-License-Identifier: Apache-2.0
// A branch of CART: the leaf queues of one DRAM bank (GU 2.4.2 to 2.4.4). A leaf holds requests to
// one line and is tagged with its row and column. The leaves of a row stand together, and a row
// without requests gives its leaves back.
//
// A request enters the newest leaf of its line if that has room; else a free leaf of its row; else,
// when no leaf holds the row, the first row without requests; else it waits. Older leaves of the
// line are not filled: a line whose leaf was full has two leaves, and its requests must keep their
// order.
//
// The requests are kept here. A hardware unit, if there is one, decides in place of this class. One
// cycle of the unit reaches from a place() to the next one, or to what becomes of the request that
// is tried.
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
    bool again = false;  ///< the leaf is tried again, after all that may go were refused
  };

  /// `unit` decides in place of this class if it is not nullptr, and must outlive the branch.
  explicit CartBranch(const CartSize& size, CartBranchUnit* unit = nullptr);

  /// Returns the leaf for a request to this row and column, or kNone.
  unsigned place(std::uint32_t row, std::uint32_t column);
  /// Precondition: `leaf` is what place() gave. Returns whether it was empty.
  bool push(unsigned leaf, std::uint32_t row, std::uint32_t column, const Waiting& request);
  /// Returns the leaf that goes on (GU 2.4.4). Candidates are the leaves that drain and whose first
  /// request `can_try()` admits. The leaf that was drained last goes first, else the longest one of
  /// its row, else the longest one; of equals the lowest number. Leaves that were refused are
  /// candidates only when all candidates were.
  template <class CanTry>
  Choice same_or_longest_row(CanTry can_try);

  /// Returns whether `leaf` has a request and no older leaf has requests to its line.
  bool drains(unsigned leaf) { return unit_ ? bit(shown().drains, leaf) : is_oldest(leaf); }
  Waiting& front(unsigned leaf) { return leaves_[leaf].requests.front(); }
  std::size_t length(unsigned leaf) const { return leaves_[leaf].requests.size(); }
  /// Whether the leaf, or its row, is the one that the branch gave last. Precondition: the leaf has
  /// a request.
  bool same_leaf(unsigned leaf);
  bool same_row(unsigned leaf);
  /// Returns whether the first request of the leaf has been refused since this branch last gave a
  /// request, or since all of them had been refused.
  bool refused(unsigned leaf);
  void refuse(unsigned leaf);
  /// Lets all refused requests be tried again.
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
  std::vector<Leaf> leaves_;  // the leaves, row by row
  std::size_t held_ = 0;
  std::uint64_t turn_ = 1;
  unsigned last_leaf_ = kNone;  // the leaf drained last, unless it has been empty since
  bool has_last_ = false;
  std::uint32_t last_row_ = 0;  // the row drained last, if has_last_

  CartBranchUnit* unit_;        // nullptr: this class decides
  units::CartBranchIn pins_;    // inputs of the unit's present cycle
  units::CartBranchOut shown_;  // the unit's outputs, valid while up_to_date_
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
