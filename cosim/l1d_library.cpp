// SPDX-License-Identifier: Apache-2.0
#include "cosim/l1d_library.hpp"

#include <cmath>

namespace warpmem::cosim {

using mha::View;

namespace {

const UnitFiles kMrpbDrain = {
    "mrpb_drain",
    {"mrpb_drain/mrpb_drain.sv"},
    {"cosim/wrappers/unit_abi.hpp", "cosim/wrappers/core_unit.hpp", "cosim/wrappers/rtl_unit.hpp",
     "cosim/wrappers/verilated_top.hpp", "systemc/units/mrpb_drain/mrpb_drain_ports.hpp",
     "systemc/units/mrpb_drain/mrpb_drain_core.hpp"}};
const UnitFiles kBuclCtrl = {
    "bucl_ctrl",
    {"bucl_ctrl/bucl_ctrl.sv"},
    {"cosim/wrappers/unit_abi.hpp", "cosim/wrappers/core_unit.hpp", "cosim/wrappers/rtl_unit.hpp",
     "cosim/wrappers/verilated_top.hpp", "systemc/units/bucl_ctrl/bucl_ctrl_ports.hpp",
     "systemc/units/bucl_ctrl/bucl_ctrl_core.hpp"}};

class LoadedMrpbDrain final : public l1d::MrpbDrain {
 public:
  explicit LoadedMrpbDrain(std::unique_ptr<LibraryMrpbDrain> unit) : unit_(std::move(unit)) {}
  units::MrpbDrainOut eval(const units::MrpbDrainIn& in) const override { return unit_->eval(in); }
  void commit(const units::MrpbDrainIn& in) override { unit_->commit(in); }

 private:
  std::unique_ptr<LibraryMrpbDrain> unit_;
};

class LoadedBuclCtrl final : public l1d::BuclCtrl {
 public:
  explicit LoadedBuclCtrl(std::unique_ptr<LibraryBuclCtrl> unit) : unit_(std::move(unit)) {}
  units::BuclCtrlOut eval(const units::BuclCtrlIn& in) const override { return unit_->eval(in); }
  void commit(const units::BuclCtrlIn& in) override { unit_->commit(in); }
  void idle(Cycle cycles) override {
    for (Cycle c = 0; c < cycles; ++c) unit_->commit({});
  }

 private:
  std::unique_ptr<LibraryBuclCtrl> unit_;
};

std::uint32_t thousandths(double limit) {
  return static_cast<std::uint32_t>(std::lround(limit * units::kBuclScale));
}

}  // namespace

std::unique_ptr<LibraryMrpbDrain> make_library_mrpb_drain(View view, const l1d::MrpbDrainSize& size,
                                                          const UnitPlaces& places, bool waves) {
  const UnitParameters parameters = {{"QUEUES", size.queues},
                                     {"ENTRIES", size.entries},
                                     {"POLICY", static_cast<std::uint32_t>(size.policy)},
                                     {"FLUSH", size.flush ? 1 : 0}};
  return std::make_unique<LibraryMrpbDrain>(
      build_unit(view, kMrpbDrain, parameters, places, waves));
}

std::unique_ptr<LibraryBuclCtrl> make_library_bucl_ctrl(View view, const l1d::BuclCtrlSize& size,
                                                        const UnitPlaces& places, bool waves) {
  const UnitParameters parameters = {{"PERIOD", size.period},
                                     {"HIT_LIMIT", thousandths(size.hit_rate_limit)},
                                     {"UIB_LIMIT", thousandths(size.input_limit)},
                                     {"TUCD", size.tucd},
                                     {"LEAST", size.least},
                                     {"MOST", size.most},
                                     {"PROFILE", size.profile ? 1 : 0}};
  return std::make_unique<LibraryBuclCtrl>(build_unit(view, kBuclCtrl, parameters, places, waves));
}

std::unique_ptr<l1d::MrpbDrain> make_mrpb_drain(View view, const l1d::MrpbDrainSize& size) {
  return std::make_unique<LoadedMrpbDrain>(make_library_mrpb_drain(view, size, default_places()));
}

std::unique_ptr<l1d::BuclCtrl> make_bucl_ctrl(View view, const l1d::BuclCtrlSize& size) {
  return std::make_unique<LoadedBuclCtrl>(make_library_bucl_ctrl(view, size, default_places()));
}

}  // namespace warpmem::cosim
