// SPDX-License-Identifier: Apache-2.0
// The units of L1D's request path, MRPB's drain selector and BUCL's control, as synthesizable
// SystemC and as RTL.
#pragma once

#include <memory>

#include "cache/frontend/unit_factories.hpp"
#include "cosim/unit_library.hpp"
#include "l1d/unit_factories.hpp"

namespace warpmem::cosim {

using LibraryMrpbDrain = LibraryUnit<units::MrpbDrainIn, units::MrpbDrainOut>;
using LibraryBuclCtrl = LibraryUnit<units::BuclCtrlIn, units::BuclCtrlOut>;

/// These return the units in the view `systemc` or `rtl`, bare. They throw UserError when one
/// cannot be built.
std::unique_ptr<LibraryMrpbDrain> make_library_mrpb_drain(View view,
                                                          const cache::MrpbDrainSize& size,
                                                          const UnitPlaces& places,
                                                          bool waves = false);
std::unique_ptr<LibraryBuclCtrl> make_library_bucl_ctrl(View view, const l1d::BuclCtrlSize& size,
                                                        const UnitPlaces& places,
                                                        bool waves = false);

/// These return the units as L1D uses them. `recordings` takes their inputs and may be nullptr.
std::unique_ptr<cache::MrpbDrain> make_mrpb_drain(View view, const cache::MrpbDrainSize& size,
                                                  UnitRecordings* recordings);
std::unique_ptr<l1d::BuclCtrl> make_bucl_ctrl(View view, const l1d::BuclCtrlSize& size,
                                              UnitRecordings* recordings);

cache::MrpbDrainSize mrpb_drain_size(const UnitParameters& parameters);
l1d::BuclCtrlSize bucl_ctrl_size(const UnitParameters& parameters);

}  // namespace warpmem::cosim
