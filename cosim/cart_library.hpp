// SPDX-License-Identifier: Apache-2.0
// A branch of CART as synthesizable SystemC and as RTL.
#pragma once

#include <memory>

#include "cache/frontend/unit_factories.hpp"
#include "cosim/unit_library.hpp"

namespace warpmem::cosim {

using LibraryCartBranch = LibraryUnit<units::CartBranchIn, units::CartBranchOut>;

struct CartBranchSize {
  cache::CartSize leaves;         ///< rows x columns 1..64
  std::uint32_t row_bits = 14;    ///< bits of a DRAM row address, 1..32
  std::uint32_t column_bits = 4;  ///< bits of a line within the row, 1..32
};

/// Returns the view `systemc` or `rtl`, bare. Throws UserError when it cannot be built.
std::unique_ptr<LibraryCartBranch> make_library_cart_branch(View view, const CartBranchSize& size,
                                                            const UnitPlaces& places,
                                                            bool waves = false);

/// Returns a branch as L2 uses it, for any address. `recordings` takes its inputs and may be
/// nullptr.
std::unique_ptr<cache::CartBranchUnit> make_cart_branch(View view, const cache::CartSize& size,
                                                        UnitRecordings* recordings);

CartBranchSize cart_branch_size(const UnitParameters& parameters);

}  // namespace warpmem::cosim
