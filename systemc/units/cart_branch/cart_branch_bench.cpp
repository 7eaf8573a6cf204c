// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/errors.hpp"
#include "base/random.hpp"
#include "cache/frontend/cart_branch.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/cart_branch/cart_branch_unit.hpp"

namespace warpmem::cosim::cart_branch {

using units::CartBranchIn;

namespace {

enum Point : std::size_t {
  kMerges,
  kMergesIntoNewest,
  kSecondLeafOfLine,
  kLeafOfRow,
  kRowOfItsOwn,
  kRowTaken,
  kNoRowFree,
  kFillDrains,
  kSameLeaf,
  kLongestOfRow,
  kLongest,
  kTie,
  kAgain,
  kNotReady,
  kOlderLeafFirst,
  kPops,
  kPopsAnother,
  kEmpties,
  kRefused,
  kPassesRefused,
  kPopEndsRefusals,
  kTurnEndsRefusals,
  kFillAndPop,
};

CoverPoints cover_points(const units::CartLeaves& size) {
  CoverPoints points({
      "fill: the line's leaf",
      "fill: the newest leaf of the line, an older one has room",
      "fill: another leaf for the line, since its own is full",
      "fill: a leaf of the row",
      "fill: a row of its own",
      "refused fill: no leaf of the row is free",
      "refused fill: no row is free",
      "the request that enters is the one that drains",
      "drain: the same leaf",
      "drain: the longest leaf of the same row",
      "drain: the longest leaf",
      "drain: several are the longest",
      "drain: a refused one, since all are",
      "no drain: no first request may be tried",
      "leaf waits for an older one of its line",
      "a request goes",
      "a request of another leaf than the chosen one goes",
      "a leaf is empty now",
      "a request is tried in vain",
      "another leaf goes before a refused one",
      "a request that goes ends the refusals",
      "a new turn ends the refusals",
      "a request enters the leaf that another one leaves",
  });
  const auto without = [&points](std::initializer_list<Point> list) {
    for (const Point p : list) points.leave_out(p);
  };
  if (size.depth == 1) without({kMerges, kMergesIntoNewest, kSameLeaf, kFillAndPop});
  if (size.columns == 1)
    without({kMergesIntoNewest, kSecondLeafOfLine, kLeafOfRow, kOlderLeafFirst});
  // Returns whether a row's only leaf that was drained last is the same leaf, or was emptied.
  if (size.columns == 1 && size.rows == 1) without({kTie, kPassesRefused, kPopsAnother});
  return points;
}

class CartBranchBench : public BenchOf<units::CartBranchDescription> {
 public:
  static std::string text_of(const Size& s) {
    return fmt::format("{} rows, {} columns, depth {}", s.leaves.rows, s.leaves.columns,
                       s.leaves.depth);
  }
  static void check(const Size& s, Problems& problems) {
    if (std::uint64_t(s.leaves.rows) * s.leaves.columns > 64)
      problems.add("columns", fmt::format("{} rows of {} are more than 64 leaves", s.leaves.rows,
                                          s.leaves.columns));
  }
  static CoverPoints coverage_of(const Size& size) { return cover_points(size.leaves); }

  CartBranchBench(const Size& size, std::uint64_t seed)
      : size_(size), class_(size.leaves), random_(seed) {}

  Out eval_class(const In& in) const {
    cache::CartBranch branch = class_;  // this copy is as it is after the fill
    Out out;
    if (const unsigned leaf = fill(branch, in); leaf != cache::CartBranch::kNone) {
      out.fill_ready = true;
      out.fill_leaf = static_cast<std::uint8_t>(leaf);
    }
    std::array<cache::Waiting*, 64> first{};
    for (unsigned leaf = 0; leaf < branch.leaves(); ++leaf) {
      if (branch.length(leaf) == 0) continue;
      first[leaf] = &branch.front(leaf);
      if (branch.drains(leaf)) out.drains |= bit(leaf);
      if (branch.refused(leaf)) out.refused |= bit(leaf);
      if (branch.same_row(leaf)) out.same_row |= bit(leaf);
      if (!branch.same_leaf(leaf)) continue;
      out.last_valid = true;
      out.last_leaf = static_cast<std::uint8_t>(leaf);
    }
    const cache::CartBranch::Choice choice = branch.same_or_longest_row([&](cache::Waiting& w) {
      const auto at = std::find(first.begin(), first.end(), &w) - first.begin();
      return (in.ready & bit(static_cast<unsigned>(at))) != 0;
    });
    out.drain_valid = choice.leaf != cache::CartBranch::kNone;
    out.drain_again = choice.again;
    if (out.drain_valid) out.drain_leaf = static_cast<std::uint8_t>(choice.leaf);
    return out;
  }
  void commit_class(const In& in) {
    if (fill(class_, in) != cache::CartBranch::kNone) ++number_;
    if (in.turn) class_.next_turn();
    if (in.refuse) class_.refuse(in.leaf);
    if (in.pop) class_.pop(in.leaf);
  }
  void reset_class() { class_ = cache::CartBranch(size_.leaves); }

  /// Directed vectors cannot name leaves, which depend on the size, so they only fill the branch.
  std::vector<In> directed() const {
    std::vector<In> list(2);
    for (std::uint32_t row = 0; row <= size_.leaves.rows; ++row)
      for (std::uint32_t column = 0; column <= size_.leaves.columns; ++column)
        for (std::uint32_t i = 0; i <= size_.leaves.depth; ++i) {
          In in;
          in.fill_valid = true;
          in.fill_row = row & mask(size_.row_bits);
          in.fill_column = column & mask(size_.column_bits);
          list.push_back(in);
        }
    return list;
  }

  // The phases fill the branch, empty it, or refuse much; they use a few rows and columns, more
  // than there are leaves for.
  In random() {
    if (phase_left_ == 0) {
      phase_left_ = 1 + random_.below(20 * size_.leaves.leaves() * size_.leaves.depth + 20);
      fills_ = static_cast<unsigned>(random_.below(101));
      drains_ = static_cast<unsigned>(random_.below(101));
      refuses_ = random_.chance(40) ? static_cast<unsigned>(random_.below(90)) : 0;
      ready_ = random_.chance(50) ? 100 : static_cast<unsigned>(random_.below(100));
      rows_ = 1 + random_.below(size_.leaves.rows + 2);
      columns_ = 1 + random_.below(size_.leaves.columns + 2);
      base_ = random_.next();
    }
    --phase_left_;
    In in;
    in.fill_valid = random_.chance(fills_);
    in.fill_row =
        static_cast<std::uint32_t>((random_.below(rows_) * kSpread) ^ base_) & mask(size_.row_bits);
    in.fill_column = static_cast<std::uint32_t>((random_.below(columns_) * kSpread) ^ base_) &
                     mask(size_.column_bits);
    in.ready = random_.next() & all();
    if (random_.chance(ready_)) in.ready = all();
    const Out out = eval_class(in);
    in.leaf = out.drain_leaf;
    // Now and then another leaf drains, as when the oldest request of all is overdue.
    if (out.drains != 0 && random_.chance(5)) {
      do {
        in.leaf = static_cast<std::uint8_t>(random_.below(size_.leaves.leaves()));
      } while ((out.drains & bit(in.leaf)) == 0);
    } else if (!out.drain_valid) {
      return in;
    } else {
      in.turn = out.drain_again;
    }
    if (random_.chance(1)) in.turn = true;
    if (!random_.chance(drains_)) return in;
    in.refuse = random_.chance(refuses_);
    in.pop = !in.refuse;
    return in;
  }

  static std::string line(const In& in, const Out& out) {
    const std::string fill =
        !in.fill_valid ? ""
                       : fmt::format("fill {}/{} -> {}", in.fill_row, in.fill_column,
                                     out.fill_ready ? std::to_string(out.fill_leaf) : "-");
    const std::string drain = !out.drain_valid ? "-"
                                               : std::to_string(out.drain_leaf) +
                                                     std::string(out.drain_again ? " again" : "");
    return fmt::format("{:<24} ready {:x} drains {:x} refused {:x} drain {:<8} {}{}", fill,
                       in.ready, out.drains, out.refused, drain, in.turn ? "turn " : "",
                       in.pop      ? fmt::format("pop {}", in.leaf)
                       : in.refuse ? fmt::format("refuse {}", in.leaf)
                                   : "");
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    if (in.fill_valid) cover_fill(in, out, c);
    const bool entered_alone = out.fill_ready && length(out.fill_leaf) == 0;
    c.hit_if(out.drain_valid && entered_alone && out.drain_leaf == out.fill_leaf, kFillDrains);
    if (out.drain_valid) cover_drain(in, out, c);
    c.hit_if(!out.drain_valid && out.drains != 0, kNotReady);
    c.hit_if((used(out) & ~out.drains) != 0, kOlderLeafFirst);
    c.hit_if(in.pop && in.leaf == out.drain_leaf, kPops);
    c.hit_if(in.pop && in.leaf != out.drain_leaf, kPopsAnother);
    const bool enters_it = out.fill_ready && out.fill_leaf == in.leaf;
    c.hit_if(in.pop && length(in.leaf) + enters_it == 1, kEmpties);
    c.hit_if(in.refuse, kRefused);
    c.hit_if(in.pop && out.refused != 0, kPopEndsRefusals);
    c.hit_if(in.turn && out.refused != 0, kTurnEndsRefusals);
    c.hit_if(in.pop && enters_it && length(in.leaf) != 0, kFillAndPop);
  }

 private:
  static constexpr std::uint64_t kSpread = 0x2005;  // the tags differ in few bits, high and low

  static std::uint64_t bit(unsigned leaf) { return std::uint64_t(1) << leaf; }
  static std::uint32_t mask(std::uint32_t bits) { return ~std::uint32_t(0) >> (32 - bits); }
  std::uint64_t all() const { return ~std::uint64_t(0) >> (64 - size_.leaves.leaves()); }
  std::size_t length(unsigned leaf) const { return class_.length(leaf); }
  std::uint64_t used(const Out& out) const {
    std::uint64_t leaves = out.fill_ready ? bit(out.fill_leaf) : 0;
    for (unsigned leaf = 0; leaf < class_.leaves(); ++leaf)
      if (length(leaf) != 0) leaves |= bit(leaf);
    return leaves;
  }

  unsigned fill(cache::CartBranch& branch, const In& in) const {
    if (!in.fill_valid) return cache::CartBranch::kNone;
    const unsigned leaf = branch.place(in.fill_row, in.fill_column);
    cache::Waiting request;
    request.number = number_;
    if (leaf != cache::CartBranch::kNone) branch.push(leaf, in.fill_row, in.fill_column, request);
    return leaf;
  }

  /// These are the leaves with requests to this line, and the leaves of this row.
  void find(const In& in, std::uint64_t& of_line, std::uint64_t& of_row) {
    of_line = of_row = 0;
    for (unsigned leaf = 0; leaf < class_.leaves(); ++leaf) {
      if (length(leaf) == 0 || tags_[leaf].row != in.fill_row) continue;
      of_row |= bit(leaf);
      if (tags_[leaf].column == in.fill_column) of_line |= bit(leaf);
    }
  }
  void cover_fill(const In& in, const Out& out, CoverPoints& c) {
    std::uint64_t of_line, of_row;
    find(in, of_line, of_row);
    if (!out.fill_ready) {
      c.hit(of_row != 0 ? kRowTaken : kNoRowFree);
      return;
    }
    if ((of_line & bit(out.fill_leaf)) != 0) {
      c.hit(kMerges);
      for (unsigned leaf = 0; leaf < class_.leaves(); ++leaf)
        if ((of_line & ~bit(out.fill_leaf) & bit(leaf)) != 0 && length(leaf) < size_.leaves.depth) {
          c.hit(kMergesIntoNewest);
          break;
        }
      return;
    }
    c.hit(of_line != 0 ? kSecondLeafOfLine : of_row != 0 ? kLeafOfRow : kRowOfItsOwn);
    tags_[out.fill_leaf] = {in.fill_row, in.fill_column};
  }

  void cover_drain(const In& in, const Out& out, CoverPoints& c) {
    const std::uint64_t may_go = out.drains & in.ready;
    const std::uint64_t among = out.drain_again ? may_go : may_go & ~out.refused;
    c.hit_if(out.drain_again, kAgain);
    c.hit_if((may_go & out.refused) != 0 && !out.drain_again, kPassesRefused);
    if (out.last_valid && out.last_leaf == out.drain_leaf) {
      c.hit(kSameLeaf);
      return;
    }
    const std::uint64_t of_row = among & out.same_row;
    c.hit(of_row != 0 ? kLongestOfRow : kLongest);
    const auto with_fill = [&](unsigned leaf) {
      return length(leaf) + (out.fill_ready && out.fill_leaf == leaf);
    };
    for (unsigned leaf = out.drain_leaf + 1u; leaf < class_.leaves(); ++leaf)
      if (((of_row != 0 ? of_row : among) & bit(leaf)) != 0 &&
          with_fill(leaf) == with_fill(out.drain_leaf)) {
        c.hit(kTie);
        return;
      }
  }

  struct Tag {
    std::uint32_t row = 0, column = 0;
  };

  Size size_;
  cache::CartBranch class_;
  Random random_;
  std::uint64_t number_ = 0;    // the number of requests so far
  std::array<Tag, 64> tags_{};  // the tag of each leaf
  std::uint64_t phase_left_ = 0, rows_ = 1, columns_ = 1, base_ = 0;
  unsigned fills_ = 0, drains_ = 0, refuses_ = 0, ready_ = 0;  // percent
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<CartBranchBench>>(); }

}  // namespace warpmem::cosim::cart_branch
