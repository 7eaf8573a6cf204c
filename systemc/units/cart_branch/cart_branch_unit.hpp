// SPDX-License-Identifier: Apache-2.0
// A CART branch, described once for all its views. Masks have a bit for each leaf.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

/// The leaf queues of a branch (GU 2.4.2); at most 64.
struct CartLeaves {
  std::uint32_t rows = 4;     ///< DRAM rows that a branch holds at a time
  std::uint32_t columns = 2;  ///< leaf queues of a row
  std::uint32_t depth = 2;    ///< requests of a leaf queue
  constexpr std::uint32_t leaves() const { return rows * columns; }
};

struct CartBranchSize {
  CartLeaves leaves;
  std::uint32_t row_bits = 14;    ///< bits of a DRAM row address
  std::uint32_t column_bits = 4;  ///< bits of a line within the row
};

struct CartBranchIn {
  bool fill_valid = false;  ///< a request for this branch: it enters in this cycle if fill_ready
  std::uint32_t fill_row = 0;
  std::uint32_t fill_column = 0;
  /// Leaves whose oldest request may be tried, the one that enters included.
  std::uint64_t ready = 0;
  bool turn = false;      ///< refusals before this cycle are forgotten
  bool pop = false;       ///< the oldest request of `leaf` goes
  bool refuse = false;    ///< the oldest request of `leaf` was tried in vain
  std::uint8_t leaf = 0;  ///< leaf of pop and refuse; need not be drain_leaf

  using Size = CartBranchSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("fill_valid", &CartBranchIn::fill_valid, 1);
    v("fill_row", &CartBranchIn::fill_row, size.row_bits);
    v("fill_column", &CartBranchIn::fill_column, size.column_bits);
    v("ready", &CartBranchIn::ready, size.leaves.leaves());
    v("turn", &CartBranchIn::turn, 1);
    v("pop", &CartBranchIn::pop, 1);
    v("refuse", &CartBranchIn::refuse, 1);
    v("leaf", &CartBranchIn::leaf, bits_for(size.leaves.leaves()));
  }
};

/// What the branch shows in a cycle, the request that enters in this cycle included.
struct CartBranchOut {
  bool fill_ready = false;      ///< there is a place; 0 without fill_valid
  std::uint8_t fill_leaf = 0;   ///< 0 unless fill_ready
  bool drain_valid = false;     ///< a leaf may be tried
  bool drain_again = false;     ///< only leaves that were refused may be tried: set `turn` then
  std::uint8_t drain_leaf = 0;  ///< 0 unless drain_valid
  std::uint64_t drains = 0;     ///< leaves with requests and no older leaf of their line
  std::uint64_t refused = 0;    ///< leaves that have been refused in this turn
  bool last_valid = false;      ///< the leaf that was drained last has not been empty since
  std::uint8_t last_leaf = 0;   ///< 0 unless last_valid
  std::uint64_t same_row = 0;   ///< leaves with requests of the row that was drained last

  using Size = CartBranchSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    const unsigned leaves = size.leaves.leaves();
    v("fill_ready", &CartBranchOut::fill_ready, 1);
    v("fill_leaf", &CartBranchOut::fill_leaf, bits_for(leaves));
    v("drain_valid", &CartBranchOut::drain_valid, 1);
    v("drain_again", &CartBranchOut::drain_again, 1);
    v("drain_leaf", &CartBranchOut::drain_leaf, bits_for(leaves));
    v("drains", &CartBranchOut::drains, leaves);
    v("refused", &CartBranchOut::refused, leaves);
    v("last_valid", &CartBranchOut::last_valid, 1);
    v("last_leaf", &CartBranchOut::last_leaf, bits_for(leaves));
    v("same_row", &CartBranchOut::same_row, leaves);
  }
};

struct CartBranchDescription : UnitDefaults {
  using In = CartBranchIn;
  using Out = CartBranchOut;
  using Size = CartBranchSize;

  static constexpr const char* kName = "cart_branch";
  static constexpr const char* kViewKey = "frontend.cart_unit";
  static constexpr const char* const kValidWith[][2] = {{"fill_leaf_o", "fill_ready_o"},
                                                        {"drain_leaf_o", "drain_valid_o"},
                                                        {"last_leaf_o", "last_valid_o"}};
  static constexpr unsigned kPlace = 6;
  static constexpr unsigned kProofPlace = 9;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"ROWS", "rows", "--rows", "rows", 1, 64}, size.leaves.rows);
    v(SizeField{"COLUMNS", "columns", "--columns", "leaf queues of a row", 1, 64},
      size.leaves.columns);
    v(SizeField{"DEPTH", "depth", "--depth", "requests of a leaf queue", 1, 256},
      size.leaves.depth);
    v(SizeField{"ROW_BITS", "row_bits", nullptr, nullptr, 1, 32}, size.row_bits);
    v(SizeField{"COLUMN_BITS", "column_bits", nullptr, nullptr, 1, 32}, size.column_bits);
  }
  static constexpr Size kSizes[] = {{{4, 2, 2}, 14, 4}, {{1, 1, 5}, 4, 4},  {{3, 1, 2}, 32, 4},
                                    {{3, 3, 1}, 14, 4}, {{2, 5, 3}, 9, 32}, {{16, 4, 8}, 14, 4}};
  static constexpr Size kAttacked = {{2, 2, 2}, 2, 2};
  static constexpr UnitProof kProofs[] = {
      {"ROWS=2 COLUMNS=2 DEPTH=2 ROW_BITS=2 COLUMN_BITS=2", true}};
};

}  // namespace warpmem::units
