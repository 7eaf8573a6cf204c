// SPDX-License-Identifier: Apache-2.0
// Makers of L1D's own hardware units in views other than the class. They come from outside, since
// those views need tools (Verilated RTL, compiled SystemC).
#pragma once

#include <functional>
#include <memory>

#include "base/view.hpp"
#include "l1d/bypass/bucl_ctrl.hpp"

namespace warpmem::l1d {

/// An empty function means that only the class is available. It throws UserError when its view
/// cannot be built.
struct UnitFactories {
  std::function<std::unique_ptr<BuclCtrl>(View view, const BuclCtrlSize& size)> bucl_ctrl;
};

}  // namespace warpmem::l1d
