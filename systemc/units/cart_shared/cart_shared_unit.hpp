// SPDX-License-Identifier: Apache-2.0
// CART with shared comparators, described once for all its views. Masks of leaves have a bit for
// each leaf of a branch, those of banks one for each branch.
#pragma once

#include <cstdint>

#include "units/cart_branch/cart_branch_unit.hpp"

namespace warpmem::units {

struct CartSharedSize {
  std::uint32_t banks = 16;  ///< branches, one for each DRAM bank
  CartLeaves leaves;         ///< of a branch
  std::uint32_t row_bits = 14;
  std::uint32_t column_bits = 4;
};

struct CartSharedIn {
  bool fill_valid = false;     ///< a request: it enters in this cycle if fill_ready
  std::uint8_t fill_bank = 0;  ///< below the number of banks
  std::uint32_t fill_row = 0;
  std::uint32_t fill_column = 0;
  /// Leaves of the branch at its turn whose oldest request may be tried, the one that enters
  /// included.
  std::uint64_t ready = 0;
  bool pop = false;     ///< the oldest request of drain_leaf goes
  bool refuse = false;  ///< it was tried in vain

  using Size = CartSharedSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("fill_valid", &CartSharedIn::fill_valid, 1);
    v("fill_bank", &CartSharedIn::fill_bank, static_cast<unsigned>(bits_for(size.banks)));
    v("fill_row", &CartSharedIn::fill_row, size.row_bits);
    v("fill_column", &CartSharedIn::fill_column, size.column_bits);
    v("ready", &CartSharedIn::ready, size.leaves.leaves());
    v("pop", &CartSharedIn::pop, 1);
    v("refuse", &CartSharedIn::refuse, 1);
  }
};

/// What CART shows in a cycle, the request that enters in this cycle included but for `held`.
struct CartSharedOut {
  bool fill_ready = false;      ///< there is a place; 0 without fill_valid
  std::uint8_t fill_leaf = 0;   ///< 0 unless fill_ready
  bool bank_valid = false;      ///< some branch has a request
  std::uint8_t bank = 0;        ///< the branch at its turn; 0 unless bank_valid
  std::uint64_t drains = 0;     ///< its leaves with requests and no older leaf of their line
  bool drain_valid = false;     ///< one of them may be tried
  bool drain_again = false;     ///< only such as were refused may be tried
  std::uint8_t drain_leaf = 0;  ///< 0 unless drain_valid
  std::uint64_t held = 0;       ///< branches with requests

  using Size = CartSharedSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    const unsigned leaves = size.leaves.leaves();
    v("fill_ready", &CartSharedOut::fill_ready, 1);
    v("fill_leaf", &CartSharedOut::fill_leaf, static_cast<unsigned>(bits_for(leaves)));
    v("bank_valid", &CartSharedOut::bank_valid, 1);
    v("bank", &CartSharedOut::bank, static_cast<unsigned>(bits_for(size.banks)));
    v("drains", &CartSharedOut::drains, leaves);
    v("drain_valid", &CartSharedOut::drain_valid, 1);
    v("drain_again", &CartSharedOut::drain_again, 1);
    v("drain_leaf", &CartSharedOut::drain_leaf, static_cast<unsigned>(bits_for(leaves)));
    v("held", &CartSharedOut::held, size.banks);
  }
};

struct CartSharedDescription : UnitDefaults {
  using In = CartSharedIn;
  using Out = CartSharedOut;
  using Size = CartSharedSize;

  static constexpr const char* kName = "cart_shared";
  static constexpr const char* const kValidWith[][2] = {{"fill_leaf_o", "fill_ready_o"},
                                                        {"bank_o", "bank_valid_o"},
                                                        {"drain_leaf_o", "drain_valid_o"}};
  static constexpr unsigned kPlace = 15;
  static constexpr unsigned kProofPlace = 15;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"BANKS", "banks", "--banks", "branches, one for each DRAM bank", 1, 64},
      size.banks);
    v(SizeField{"ROWS", "rows", nullptr, "rows", 1, 64}, size.leaves.rows);
    v(SizeField{"COLUMNS", "columns", nullptr, "leaf queues of a row", 1, 64}, size.leaves.columns);
    v(SizeField{"DEPTH", "depth", nullptr, "requests of a leaf queue", 1, 256}, size.leaves.depth);
    v(SizeField{"ROW_BITS", "row_bits", nullptr, nullptr, 1, 32}, size.row_bits);
    v(SizeField{"COLUMN_BITS", "column_bits", nullptr, nullptr, 1, 32}, size.column_bits);
  }
  static constexpr Size kSizes[] = {{16, {4, 2, 2}, 14, 4},
                                    {1, {3, 2, 2}, 9, 4},
                                    {5, {2, 3, 1}, 32, 32},
                                    {3, {1, 1, 5}, 4, 4},
                                    {2, {3, 3, 2}, 9, 4}};
  static constexpr Size kAttacked = {2, {2, 2, 2}, 2, 2};
  static constexpr UnitProof kProofs[] = {
      {"BANKS=2 ROWS=1 COLUMNS=2 DEPTH=1 ROW_BITS=1 COLUMN_BITS=1", true},
      {"BANKS=2 ROWS=2 COLUMNS=2 DEPTH=2 ROW_BITS=1 COLUMN_BITS=1"}};
};

}  // namespace warpmem::units
