// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cosim_units.hpp"
#include "cosim/cart_lockstep.hpp"

namespace warpmem::app {

namespace {

class CartBranchCosim final : public CosimUnit {
 public:
  std::string name() const override { return "cart_branch"; }
  void add_options(CLI::App& command) override {
    add_number(command, "--rows", size_.leaves.rows, "cart_branch: rows");
    add_number(command, "--columns", size_.leaves.columns, "cart_branch: leaf queues of a row");
    add_number(command, "--depth", size_.leaves.depth, "cart_branch: requests of a leaf queue");
  }
  CosimOutcome run(const cosim::LockstepOptions& common) const override {
    auto options = with_common<cosim::CartBranchLockstepOptions>(common, "cart_branch");
    options.size = lockstep_size(common, size_, cosim::cart_branch_size);
    const l2::CartSize& s = options.size.leaves;
    return cosim_outcome("cart_branch",
                         fmt::format("{} rows, {} columns, depth {}", s.rows, s.columns, s.depth),
                         {{"rows", s.rows}, {"columns", s.columns}, {"depth", s.depth}},
                         cosim::run_cart_branch_lockstep(options));
  }

 private:
  cosim::CartBranchSize size_;
};

}  // namespace

std::unique_ptr<CosimUnit> cart_branch_cosim() { return std::make_unique<CartBranchCosim>(); }

}  // namespace warpmem::app
