// SPDX-License-Identifier: Apache-2.0
// Ports of a CART branch, in all its views. Masks have a bit a leaf.
#pragma once

#include <cstdint>

namespace warpmem::units {

struct CartBranchIn {
  bool fill_valid = false;  ///< a request for this branch: it enters in this cycle if fill_ready
  std::uint32_t fill_row = 0;
  std::uint32_t fill_column = 0;
  std::uint64_t ready = 0;  ///< leaves whose oldest request may be tried, fill included
  bool turn = false;        ///< refusals before this cycle are forgotten
  bool pop = false;         ///< the oldest request of `leaf` goes
  bool refuse = false;      ///< it was tried in vain
  std::uint8_t leaf = 0;    ///< not necessarily drain_leaf

  bool operator==(const CartBranchIn& o) const {
    return fill_valid == o.fill_valid && fill_row == o.fill_row && fill_column == o.fill_column &&
           ready == o.ready && turn == o.turn && pop == o.pop && refuse == o.refuse &&
           leaf == o.leaf;
  }
};

/// What the branch shows of a cycle, with the request that fills it in this cycle.
struct CartBranchOut {
  bool fill_ready = false;      ///< there is a place; 0 without fill_valid
  std::uint8_t fill_leaf = 0;   ///< 0 unless fill_ready
  bool drain_valid = false;     ///< a leaf may be tried
  bool drain_again = false;     ///< only such as were refused: set `turn` when one is tried
  std::uint8_t drain_leaf = 0;  ///< 0 unless drain_valid
  std::uint64_t drains = 0;     ///< leaves with requests, none of their line in an older leaf
  std::uint64_t refused = 0;    ///< leaves that were refused in this turn
  bool last_valid = false;      ///< the leaf that was drained last is not empty since
  std::uint8_t last_leaf = 0;   ///< 0 unless last_valid
  std::uint64_t same_row = 0;   ///< leaves with requests of the row that was drained last

  bool operator==(const CartBranchOut& o) const {
    return fill_ready == o.fill_ready && fill_leaf == o.fill_leaf && drain_valid == o.drain_valid &&
           drain_again == o.drain_again && drain_leaf == o.drain_leaf && drains == o.drains &&
           refused == o.refused && last_valid == o.last_valid && last_leaf == o.last_leaf &&
           same_row == o.same_row;
  }
  bool operator!=(const CartBranchOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
