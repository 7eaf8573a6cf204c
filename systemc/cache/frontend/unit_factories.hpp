// SPDX-License-Identifier: Apache-2.0
// Makers of the front ends' hardware units in views other than the class. They come from outside,
// since those views need tools (Verilated RTL, compiled SystemC).
#pragma once

#include <functional>
#include <memory>

#include "cache/frontend/mrpb_drain.hpp"
#include "cache/frontend/params.hpp"
#include "cache/mha/params.hpp"
#include "units/cart_branch/cart_branch_unit.hpp"

namespace warpmem::cache {

/// A branch of CART at its pins. The rules are in units/cart_branch/cart_branch_core.hpp.
class CartBranchUnit {
 public:
  virtual ~CartBranchUnit() = default;
  virtual units::CartBranchOut eval(const units::CartBranchIn& in) const = 0;
  /// The clock edge at the end of a cycle with these inputs. A cycle without inputs changes nothing
  /// and may be left out.
  virtual void commit(const units::CartBranchIn& in) = 0;
};

/// An empty function means that only the class is available. Each throws UserError when its view
/// cannot be built.
struct FrontendFactories {
  std::function<std::unique_ptr<CartBranchUnit>(View view, const CartSize& size)> cart_branch;
  std::function<std::unique_ptr<MrpbDrain>(View view, const MrpbDrainSize& size)> mrpb_drain;
};

}  // namespace warpmem::cache
