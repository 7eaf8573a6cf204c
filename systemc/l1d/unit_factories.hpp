// SPDX-License-Identifier: Apache-2.0
// Hardware units of an L1D in views other than the class; they come from outside, since they need
// tools (Verilated RTL, compiled SystemC).
#pragma once

#include <functional>
#include <memory>

#include "l1d/bypass/bucl_ctrl.hpp"
#include "l1d/frontend/mrpb_drain.hpp"
#include "mha/params.hpp"

namespace warpmem::l1d {

/// Empty functions: only the class is available. Each throws UserError when its view cannot be
/// built.
struct UnitFactories {
  std::function<std::unique_ptr<MrpbDrain>(mha::View view, const MrpbDrainSize& size)> mrpb_drain;
  std::function<std::unique_ptr<BuclCtrl>(mha::View view, const BuclCtrlSize& size)> bucl_ctrl;
};

}  // namespace warpmem::l1d
