// SPDX-License-Identifier: Apache-2.0
// Cache Access Reordering Tree (GU 2.4): a branch for each DRAM bank, with leaf queues for a few
// rows and columns at a time. By "rotating banks and same-or-longest row" each branch gives one
// request in turn, if possible from the leaf, else from the row, of its last request. So requests
// to one line and to one row come together while the banks work in parallel.
//
// The column of a leaf is a cache line of the row, so a leaf holds requests to one line.
#pragma once

#include <array>
#include <vector>

#include "base/address_map.hpp"
#include "cache/frontend/cart_branch.hpp"
#include "cache/frontend/reordering.hpp"

namespace warpmem::cache {

class Cart : public Reordering {
 public:
  Cart(const FrontendParams& params, ServicePort& in, const AddressMap& map,
       std::uint32_t line_bytes, Stage arrival, const FrontendFactories& units);

  void fill(Cycle now) override;
  bool empty() const override { return held_ == 0; }
  void register_stats(StatGroup& group, const ClockDomain& clock) override;
  std::string describe() const override;

 private:
  struct Place {
    unsigned branch = 0;
    unsigned leaf = 0;
  };
  struct Stats {
    std::uint64_t same_leaf = 0;  ///< accepted requests, by what their branch had given before
    std::uint64_t same_row = 0;
    std::uint64_t other = 0;
    std::uint64_t leaf_cycles = 0;  ///< leaves in use, summed over cycles
    std::uint64_t most_leaves = 0;
  };

  Waiting* choose(Cycle now) override;
  Waiting* find(std::uint64_t number) override;
  void remove(Waiting& selected, Cycle now) override;
  void keep(Waiting& refused) override;

  /// Returns whether the leaf may give its first request. Refused requests let the others of their
  /// branch go first; with `again` they may be tried as well.
  bool may_go(unsigned branch, unsigned leaf, Cycle now, bool again);
  Waiting* take_turns(Cycle now);
  Waiting* longest(Cycle now, bool again);
  Waiting* in_turn(Cycle now);
  Waiting* at(Place place);
  void go_on();
  void count_leaves(Cycle now, int change);
  std::uint32_t column_of(const DramCoordinates& where) const { return where.column / line_bytes_; }
  unsigned leaf_number(Place p) const { return p.branch * params_.cart.leaves() + p.leaf; }
  Place place_of(unsigned leaf_number) const {
    return {leaf_number / params_.cart.leaves(), leaf_number % params_.cart.leaves()};
  }

  const AddressMap& map_;
  std::uint32_t line_bytes_;
  // One for each branch; nullptr: the class decides.
  std::vector<std::unique_ptr<CartBranchUnit>> units_;
  std::vector<CartBranch> branches_;
  std::size_t held_ = 0;
  Place chosen_;  // the leaf of the selected request
  // The branch that is looked at first, or with the other policies the leaf.
  unsigned next_ = 0;
  unsigned in_use_ = 0;     // leaves in use
  Cycle in_use_since_ = 0;  // leaf_cycles counts the cycles up to this one
  Stats stats_;
};

}  // namespace warpmem::cache
