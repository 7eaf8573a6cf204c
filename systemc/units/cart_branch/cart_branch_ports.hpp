// SPDX-License-Identifier: Apache-2.0
// Ports of a CART branch, in all its views. Masks have a bit for each leaf.
#pragma once

#include <cstdint>

namespace warpmem::units {

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

  bool operator==(const CartBranchIn& o) const {
    return fill_valid == o.fill_valid && fill_row == o.fill_row && fill_column == o.fill_column &&
           ready == o.ready && turn == o.turn && pop == o.pop && refuse == o.refuse &&
           leaf == o.leaf;
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

  bool operator==(const CartBranchOut& o) const {
    return fill_ready == o.fill_ready && fill_leaf == o.fill_leaf && drain_valid == o.drain_valid &&
           drain_again == o.drain_again && drain_leaf == o.drain_leaf && drains == o.drains &&
           refused == o.refused && last_valid == o.last_valid && last_leaf == o.last_leaf &&
           same_row == o.same_row;
  }
  bool operator!=(const CartBranchOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
