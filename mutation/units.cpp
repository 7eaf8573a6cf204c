// SPDX-License-Identifier: Apache-2.0
#include "mutation/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/errors.hpp"
#include "cosim/cart_lockstep.hpp"
#include "cosim/dau_lockstep.hpp"
#include "cosim/l1d_lockstep.hpp"
#include "cosim/laws_lockstep.hpp"
#include "cosim/mshr_lockstep.hpp"
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
LockstepResult run_cart_branch(const LockstepOptions& common) {
  auto options = with<cosim::CartBranchLockstepOptions>(common);
  options.size.leaves.rows = options.size.leaves.columns = options.size.leaves.depth = 2;
  options.size.row_bits = options.size.column_bits = 2;
  return cosim::run_cart_branch_lockstep(options);
}
LockstepResult run_mrpb_drain(const LockstepOptions& common) {
  auto options = with<cosim::MrpbDrainLockstepOptions>(common);
  options.size = {5, 3, cache::MrpbDrainPolicy::greedy_longest, true};
  return cosim::run_mrpb_drain_lockstep(options);
}
LockstepResult run_bucl_ctrl(const LockstepOptions& common) {
  auto options = with<cosim::BuclCtrlLockstepOptions>(common);
  options.size.period = 6;
  return cosim::run_bucl_ctrl_lockstep(options);
}

/// The size is small enough for every entry, chain and bit to matter within a few cycles.
const cosim::MshrFileSize kDlMshr{"dl_mshr", 3, 1, 2, 1, 3, 1};
const cosim::MshrFileSize kTsma{"tsma", 1, 4, 2, 0, 4, 2};
const cosim::MshrFileSize kConventional{"mshr_conventional", 1, 4, 2, 0, 4, 2};
const cosim::MshrFileSize kSetAssoc{"mshr_set_assoc", 2, 2, 2, 0, 4, 2};

/// Returns the outputs of a response whose entry stands at `entry`. A tsma has no rsp_addr_o.
std::map<std::string, std::string> response(const std::string& entry) {
  return {{entry, "rsp_valid_o"}, {"rsp_addr_o", "rsp_valid_o"}, {"rsp_slot_o", "rsp_valid_o"}};
}

template <const cosim::MshrFileSize& kSize>
LockstepResult run_mshr(const LockstepOptions& common) {
  auto options = with<cosim::MshrLockstepOptions>(common);
  options.size = kSize;
  return cosim::run_mshr_lockstep(options);
}

}  // namespace

const std::vector<AttackedUnit>& attacked_units() {
  static const std::vector<AttackedUnit> units = {
      {"dau", {{"SETS", 4}, {"SLOTS", 2}, {"RESERVED", 1}}, {}, run_dau},
      {"tsma_index_gen", {{"ENTRIES", 6}}, {}, run_index_gen},
      {"htsma_steer", {{"WAYS", 8}}, {}, run_steer},
      {"laws_score", {{"SCORE_BITS", 6}, {"MISS_BITS", 3}, {"MISS_LIMIT", 6}}, {}, run_laws_score},
      {"throttle_unit",
       {{"WARPS", 6}, {"DIVERGENCE", 3}, {"STABLE", 2}, {"HOLD", 5}, {"MEMORY", 1}},
       {},
       run_throttle},
      {"cart_branch",
       {{"ROWS", 2}, {"COLUMNS", 2}, {"DEPTH", 2}, {"ROW_BITS", 2}, {"COLUMN_BITS", 2}},
       {},
       run_cart_branch},
      {"mrpb_drain",
       {{"QUEUES", 5}, {"ENTRIES", 3}, {"POLICY", 5}, {"FLUSH", 1}},
       {},
       run_mrpb_drain},
      {"bucl_ctrl",
       {{"PERIOD", 6},
        {"HIT_LIMIT", 800},
        {"UIB_LIMIT", 700},
        {"TUCD", 5},
        {"LEAST", 2},
        {"MOST", 25},
        {"PROFILE", 0}},
       {},
       run_bucl_ctrl},
      {"dl_mshr", parameters_of(kDlMshr), response("rsp_set_o"), run_mshr<kDlMshr>},
      {"tsma", parameters_of(kTsma), response("rsp_idx_o"), run_mshr<kTsma>},
      {"mshr_conventional", parameters_of(kConventional), response("rsp_entry_o"),
       run_mshr<kConventional>},
      {"mshr_set_assoc", parameters_of(kSetAssoc), response("rsp_entry_o"), run_mshr<kSetAssoc>},
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
