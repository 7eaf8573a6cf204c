// SPDX-License-Identifier: Apache-2.0
// A branch of CART (GU 2.4.2 to 2.4.4, docs/mechanisms.md 4), synthesizable core: tags and lengths
// of the leaf queues of one DRAM bank, the leaf that a request fills, and the leaf that drains
// next. The requests themselves are kept outside.
//
// A cycle first fills and then drains, so the request that enters may be the one that goes. A line
// whose leaf was full has several leaves; the newest takes requests and the oldest gives them.
#pragma once

#include <array>
#include <cstdint>

#include "units/cart_branch/cart_branch_unit.hpp"

namespace warpmem::units {

/// `kRows` (1..64) rows have `kColumns` (1..64) leaves each, together 1..64; a leaf holds `kDepth`
/// (1..256) requests. The bits of an address are those of its pins; here any address will do.
template <unsigned kRows, unsigned kColumns, unsigned kDepth, unsigned kRowBits = 32,
          unsigned kColumnBits = 32>
class CartBranchCore {
  static_assert(kRows >= 1 && kRows <= 64, "cart_branch: ROWS must be 1 to 64");
  static_assert(kColumns >= 1 && kRows * kColumns <= 64,
                "cart_branch: ROWS * COLUMNS must be 1 to 64");
  static_assert(kDepth >= 1 && kDepth <= 256, "cart_branch: DEPTH must be 1 to 256");

 public:
  static constexpr unsigned kLeaves = kRows * kColumns;
  using In = CartBranchIn;
  using Out = CartBranchOut;

  void reset() { s_ = State(); }

  Out eval(const In& in) const {
    Out out;
    State s = s_;
    const unsigned place = in.fill_valid ? place_of(s, in.fill_row, in.fill_column) : kLeaves;
    out.fill_ready = place != kLeaves;
    if (out.fill_ready) {
      out.fill_leaf = static_cast<std::uint8_t>(place);
      fill(s, place, in.fill_row, in.fill_column);
    }
    for (unsigned l = 0; l < kLeaves; ++l) {
      if (s.refused[l]) out.refused |= bit(l);
      if (s.count[l] == 0) continue;
      if (is_oldest(s, l)) out.drains |= bit(l);
      if (s.has_last && s.row[l / kColumns] == s.last_row) out.same_row |= bit(l);
    }
    out.last_valid = s.last_valid;
    out.last_leaf = s.last_valid ? s.last_leaf : std::uint8_t(0);
    select(s, in.ready & out.drains, out);
    return out;
  }

  void commit(const In& in) {
    if (in.fill_valid) {
      const unsigned place = place_of(s_, in.fill_row, in.fill_column);
      if (place != kLeaves) fill(s_, place, in.fill_row, in.fill_column);
    }
    if (in.turn || in.pop)
      for (unsigned l = 0; l < kLeaves; ++l) s_.refused[l] = false;
    if (in.refuse) s_.refused[in.leaf] = true;
    if (!in.pop) return;
    --s_.count[in.leaf];
    s_.has_last = true;
    s_.last_row = s_.row[in.leaf / kColumns];
    s_.last_leaf = in.leaf;
    s_.last_valid = s_.count[in.leaf] != 0;
  }

  bool empty() const {
    bool none = true;
    for (unsigned l = 0; l < kLeaves; ++l) none = none && s_.count[l] == 0;
    return none;
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("state", &CartBranchCore::s_);
  }

 private:
  struct State {
    std::array<std::uint16_t, kLeaves> count{};   // requests of each leaf
    std::array<std::uint32_t, kLeaves> column{};  // tags of the leaves
    std::array<std::uint32_t, kRows> row{};
    std::array<bool, kLeaves> refused{};
    // older[i * kColumns + j] of a row tells that its leaf i was taken into use before its leaf j.
    std::array<std::array<bool, kColumns * kColumns>, kRows> older{};
    std::uint32_t last_row = 0;  // row that was drained last
    std::uint8_t last_leaf = 0;
    bool has_last = false;    // last_row holds something
    bool last_valid = false;  // last_leaf has not been empty since

    template <class V>
    static constexpr void registers(V&& v) {
      v("count", &State::count);
      v("column", &State::column);
      v("row", &State::row);
      v("refused", &State::refused);
      v("older", &State::older);
      v("last_row", &State::last_row);
      v("last_leaf", &State::last_leaf);
      v("has_last", &State::has_last);
      v("last_valid", &State::last_valid);
    }
  };

  static constexpr std::uint64_t bit(unsigned leaf) { return std::uint64_t(1) << leaf; }

  static bool held(const State& s, unsigned row) {
    bool any = false;
    for (unsigned c = 0; c < kColumns; ++c) any = any || s.count[row * kColumns + c] != 0;
    return any;
  }
  static unsigned free_leaf(const State& s, unsigned row) {
    for (unsigned c = 0; c < kColumns; ++c)
      if (s.count[row * kColumns + c] == 0) return row * kColumns + c;
    return kLeaves;
  }

  /// Returns the leaf for a request, or kLeaves when there is none.
  static unsigned place_of(const State& s, std::uint32_t row, std::uint32_t column) {
    for (unsigned r = 0; r < kRows; ++r) {
      if (!held(s, r) || s.row[r] != row) continue;
      unsigned newest = kLeaves;
      for (unsigned c = 0; c < kColumns; ++c) {
        const unsigned l = r * kColumns + c;
        if (s.count[l] == 0 || s.column[l] != column) continue;
        if (newest == kLeaves || s.older[r][(newest % kColumns) * kColumns + c]) newest = l;
      }
      return newest != kLeaves && s.count[newest] < kDepth ? newest : free_leaf(s, r);
    }
    for (unsigned r = 0; r < kRows; ++r)
      if (!held(s, r)) return r * kColumns;
    return kLeaves;
  }

  static void fill(State& s, unsigned leaf, std::uint32_t row, std::uint32_t column) {
    const unsigned r = leaf / kColumns, c = leaf % kColumns;
    if (s.count[leaf] == 0) {
      for (unsigned other = 0; other < kColumns; ++other) {
        s.older[r][c * kColumns + other] = false;
        s.older[r][other * kColumns + c] = other != c;
      }
      s.row[r] = row;
      s.column[leaf] = column;
    }
    ++s.count[leaf];
  }

  static bool is_oldest(const State& s, unsigned leaf) {
    const unsigned r = leaf / kColumns, c = leaf % kColumns;
    bool oldest = true;
    for (unsigned other = 0; other < kColumns; ++other) {
      const unsigned l = r * kColumns + other;
      if (s.count[l] != 0 && s.column[l] == s.column[leaf] && s.older[r][other * kColumns + c])
        oldest = false;
    }
    return oldest;
  }

  /// Selects the same leaf, else the longest of the row, else the longest; of equals the lowest.
  static void select(const State& s, std::uint64_t may_go, Out& out) {
    out.drain_valid = may_go != 0;
    if (!out.drain_valid) return;
    out.drain_again = (may_go & ~out.refused) == 0;
    const std::uint64_t first = out.drain_again ? may_go : may_go & ~out.refused;
    if (s.last_valid && (first & bit(s.last_leaf)) != 0) {
      out.drain_leaf = s.last_leaf;
      return;
    }
    const std::uint64_t among = (first & out.same_row) != 0 ? first & out.same_row : first;
    unsigned most = 0;
    for (unsigned l = 0; l < kLeaves; ++l) {
      if ((among & bit(l)) == 0 || s.count[l] <= most) continue;
      most = s.count[l];
      out.drain_leaf = static_cast<std::uint8_t>(l);
    }
  }

  State s_;
};

}  // namespace warpmem::units
