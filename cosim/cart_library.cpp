// SPDX-License-Identifier: Apache-2.0
#include "cosim/cart_library.hpp"

namespace warpmem::cosim {

namespace {

const UnitFiles kCartBranch = {"cart_branch", {"cart_branch/cart_branch.sv"}};

using LoadedCartBranch =
    LoadedUnit<cache::CartBranchUnit, units::CartBranchIn, units::CartBranchOut>;

UnitParameters parameters_of(const CartBranchSize& size) {
  return {{"ROWS", size.leaves.rows},
          {"COLUMNS", size.leaves.columns},
          {"DEPTH", size.leaves.depth},
          {"ROW_BITS", size.row_bits},
          {"COLUMN_BITS", size.column_bits}};
}

}  // namespace

std::unique_ptr<LibraryCartBranch> make_library_cart_branch(View view, const CartBranchSize& size,
                                                            const UnitPlaces& places, bool waves) {
  UnitParameters parameters = parameters_of(size);
  if (view != View::rtl) parameters.resize(3);  // the core takes any address
  return std::make_unique<LibraryCartBranch>(
      build_unit(view, kCartBranch, parameters, places, waves));
}

std::unique_ptr<cache::CartBranchUnit> make_cart_branch(View view, const cache::CartSize& size,
                                                        UnitRecordings* recordings) {
  const CartBranchSize full{size, 32, 32};
  auto unit = make_library_cart_branch(view, full, default_places());
  unit->watch(recordings, kCartBranch.name, parameters_of(full));
  return std::make_unique<LoadedCartBranch>(std::move(unit));
}

CartBranchSize cart_branch_size(const UnitParameters& p) {
  return {{parameter(p, "ROWS"), parameter(p, "COLUMNS"), parameter(p, "DEPTH")},
          parameter(p, "ROW_BITS"),
          parameter(p, "COLUMN_BITS")};
}

}  // namespace warpmem::cosim
