// SPDX-License-Identifier: Apache-2.0
#include "cosim/cart_library.hpp"

namespace warpmem::cosim {

using mha::View;

namespace {

const UnitFiles kCartBranch = {
    "cart_branch",
    {"cart_branch/cart_branch.sv"},
    {"cosim/wrappers/unit_abi.hpp", "cosim/wrappers/core_unit.hpp", "cosim/wrappers/rtl_unit.hpp",
     "cosim/wrappers/verilated_top.hpp", "systemc/units/cart_branch/cart_branch_ports.hpp",
     "systemc/units/cart_branch/cart_branch_core.hpp"}};

class LoadedCartBranch final : public l2::CartBranchUnit {
 public:
  explicit LoadedCartBranch(std::unique_ptr<LibraryCartBranch> unit) : unit_(std::move(unit)) {}
  units::CartBranchOut eval(const units::CartBranchIn& in) const override {
    return unit_->eval(in);
  }
  void commit(const units::CartBranchIn& in) override { unit_->commit(in); }

 private:
  std::unique_ptr<LibraryCartBranch> unit_;
};

}  // namespace

std::unique_ptr<LibraryCartBranch> make_library_cart_branch(View view, const CartBranchSize& size,
                                                            const UnitPlaces& places, bool waves) {
  UnitParameters parameters = {
      {"ROWS", size.leaves.rows}, {"COLUMNS", size.leaves.columns}, {"DEPTH", size.leaves.depth}};
  if (view == View::rtl) {
    parameters.push_back({"ROW_BITS", size.row_bits});
    parameters.push_back({"COLUMN_BITS", size.column_bits});
  }
  return std::make_unique<LibraryCartBranch>(
      build_unit(view, kCartBranch, parameters, places, waves));
}

std::unique_ptr<l2::CartBranchUnit> make_cart_branch(View view, const l2::CartSize& size) {
  CartBranchSize full{size, 32, 32};
  return std::make_unique<LoadedCartBranch>(make_library_cart_branch(view, full, default_places()));
}

}  // namespace warpmem::cosim
