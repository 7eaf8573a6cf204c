// SPDX-License-Identifier: Apache-2.0
#include "mutation/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/errors.hpp"
#include "cosim/dau_lockstep.hpp"
#include "cosim/laws_lockstep.hpp"
#include "cosim/tsma_lockstep.hpp"
#include "synth/unit_sources.hpp"

namespace warpmem::mutation {

namespace {

using cosim::LockstepOptions;
using cosim::LockstepResult;

template <class UnitOptions>
UnitOptions with(const LockstepOptions& common) {
  UnitOptions options;
  static_cast<LockstepOptions&>(options) = common;
  return options;
}

LockstepResult run_dau(const LockstepOptions& common) {
  auto options = with<cosim::DauLockstepOptions>(common);
  options.size = {4, 2, 1};
  return cosim::run_dau_lockstep(options);
}
LockstepResult run_index_gen(const LockstepOptions& common) {
  auto options = with<cosim::IndexGenLockstepOptions>(common);
  options.entries = 6;
  return cosim::run_index_gen_lockstep(options);
}
LockstepResult run_steer(const LockstepOptions& common) {
  auto options = with<cosim::SteerLockstepOptions>(common);
  options.ways = 8;
  return cosim::run_steer_lockstep(options);
}
LockstepResult run_laws_score(const LockstepOptions& common) {
  auto options = with<cosim::LawsScoreLockstepOptions>(common);
  options.size = {6, 6};
  return cosim::run_laws_score_lockstep(options);
}
LockstepResult run_throttle(const LockstepOptions& common) {
  auto options = with<cosim::ThrottleLockstepOptions>(common);
  options.size = {6, 3, 2, 5, true};
  return cosim::run_throttle_lockstep(options);
}

}  // namespace

const std::vector<AttackedUnit>& attacked_units() {
  static const std::vector<AttackedUnit> units = {
      {"dau", {{"SETS", 4}, {"SLOTS", 2}, {"RESERVED", 1}}, run_dau},
      {"tsma_index_gen", {{"ENTRIES", 6}}, run_index_gen},
      {"htsma_steer", {{"WAYS", 8}}, run_steer},
      {"laws_score", {{"SCORE_BITS", 6}, {"MISS_BITS", 3}, {"MISS_LIMIT", 6}}, run_laws_score},
      {"throttle_unit",
       {{"WARPS", 6}, {"DIVERGENCE", 3}, {"STABLE", 2}, {"HOLD", 5}, {"MEMORY", 1}},
       run_throttle},
  };
  return units;
}

const AttackedUnit& attacked_unit(const std::string& name) {
  std::vector<std::string> names;
  for (const AttackedUnit& unit : attacked_units()) {
    if (unit.name == name) return unit;
    names.push_back(unit.name);
  }
  throw UserError(fmt::format("no faults for a unit '{}'; did you mean '{}'? Units: {}", name,
                              synth::nearest(name, names), fmt::join(names, ", ")));
}

}  // namespace warpmem::mutation
