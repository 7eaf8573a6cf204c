// SPDX-License-Identifier: Apache-2.0
#include "cosim/l1d_library.hpp"

#include <cmath>

namespace warpmem::cosim {

namespace {

const UnitFiles kMrpbDrain = {"mrpb_drain", {"mrpb_drain/mrpb_drain.sv"}};
const UnitFiles kBuclCtrl = {"bucl_ctrl", {"bucl_ctrl/bucl_ctrl.sv"}};

using LoadedMrpbDrain = LoadedUnit<cache::MrpbDrain, units::MrpbDrainIn, units::MrpbDrainOut>;

class LoadedBuclCtrl final
    : public LoadedUnit<l1d::BuclCtrl, units::BuclCtrlIn, units::BuclCtrlOut> {
 public:
  using LoadedUnit::LoadedUnit;
  void idle(Cycle cycles) override {
    for (Cycle c = 0; c < cycles; ++c) commit({});
  }
};

std::uint32_t thousandths(double limit) {
  return static_cast<std::uint32_t>(std::lround(limit * units::kBuclScale));
}

UnitParameters parameters_of(const cache::MrpbDrainSize& size) {
  return {{"QUEUES", size.queues},
          {"ENTRIES", size.entries},
          {"POLICY", static_cast<std::uint32_t>(size.policy)},
          {"FLUSH", size.flush ? 1 : 0}};
}

UnitParameters parameters_of(const l1d::BuclCtrlSize& size) {
  return {{"PERIOD", size.period},
          {"HIT_LIMIT", thousandths(size.hit_rate_limit)},
          {"UIB_LIMIT", thousandths(size.input_limit)},
          {"TUCD", size.tucd},
          {"LEAST", size.least},
          {"MOST", size.most},
          {"PROFILE", size.profile ? 1 : 0}};
}

}  // namespace

std::unique_ptr<LibraryMrpbDrain> make_library_mrpb_drain(View view,
                                                          const cache::MrpbDrainSize& size,
                                                          const UnitPlaces& places, bool waves) {
  return std::make_unique<LibraryMrpbDrain>(
      build_unit(view, kMrpbDrain, parameters_of(size), places, waves));
}

std::unique_ptr<LibraryBuclCtrl> make_library_bucl_ctrl(View view, const l1d::BuclCtrlSize& size,
                                                        const UnitPlaces& places, bool waves) {
  return std::make_unique<LibraryBuclCtrl>(
      build_unit(view, kBuclCtrl, parameters_of(size), places, waves));
}

std::unique_ptr<cache::MrpbDrain> make_mrpb_drain(View view, const cache::MrpbDrainSize& size,
                                                  UnitRecordings* recordings) {
  auto unit = make_library_mrpb_drain(view, size, default_places());
  unit->watch(recordings, kMrpbDrain.name, parameters_of(size));
  return std::make_unique<LoadedMrpbDrain>(std::move(unit));
}

std::unique_ptr<l1d::BuclCtrl> make_bucl_ctrl(View view, const l1d::BuclCtrlSize& size,
                                              UnitRecordings* recordings) {
  auto unit = make_library_bucl_ctrl(view, size, default_places());
  unit->watch(recordings, kBuclCtrl.name, parameters_of(size));
  return std::make_unique<LoadedBuclCtrl>(std::move(unit));
}

cache::MrpbDrainSize mrpb_drain_size(const UnitParameters& p) {
  return {parameter(p, "QUEUES"), parameter(p, "ENTRIES"),
          static_cast<cache::MrpbDrainPolicy>(parameter(p, "POLICY")), parameter(p, "FLUSH") != 0};
}

l1d::BuclCtrlSize bucl_ctrl_size(const UnitParameters& p) {
  l1d::BuclCtrlSize size;
  size.period = parameter(p, "PERIOD");
  size.hit_rate_limit = parameter(p, "HIT_LIMIT") / double{units::kBuclScale};
  size.input_limit = parameter(p, "UIB_LIMIT") / double{units::kBuclScale};
  size.tucd = parameter(p, "TUCD");
  size.least = parameter(p, "LEAST");
  size.most = parameter(p, "MOST");
  size.profile = parameter(p, "PROFILE") != 0;
  return size;
}

}  // namespace warpmem::cosim
