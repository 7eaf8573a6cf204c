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
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const override {
    run_sizes<cosim::CartBranchLockstepOptions>("cart_branch", common, asked, size_,
                                                cosim::cart_branch_sizes(), cosim::cart_branch_size,
                                                done, run_one);
  }

 private:
  static CosimOutcome run_one(cosim::CartBranchLockstepOptions options,
                              const cosim::CartBranchSize& size) {
    options.size = size;
    const cache::CartSize& s = size.leaves;
    return cosim_outcome("cart_branch", cosim::text_of(size),
                         {{"rows", s.rows}, {"columns", s.columns}, {"depth", s.depth}},
                         cosim::run_cart_branch_lockstep(options));
  }

  cosim::CartBranchSize size_ = cosim::cart_branch_sizes().front();
};

}  // namespace

std::unique_ptr<CosimUnit> cart_branch_cosim() { return std::make_unique<CartBranchCosim>(); }

}  // namespace warpmem::app
