// SPDX-License-Identifier: Apache-2.0
#include "app/cosim_units.hpp"

namespace warpmem::app {

using Json = nlohmann::ordered_json;

std::vector<std::unique_ptr<CosimUnit>> cosim_units() {
  std::vector<std::unique_ptr<CosimUnit>> units;
  units.push_back(dau_cosim());
  units.push_back(index_gen_cosim());
  units.push_back(steer_cosim());
  units.push_back(laws_score_cosim());
  units.push_back(throttle_cosim());
  units.push_back(cart_branch_cosim());
  units.push_back(mrpb_drain_cosim());
  units.push_back(bucl_ctrl_cosim());
  for (const char* const unit : {"dl_mshr", "tsma", "mshr_conventional", "mshr_set_assoc"})
    units.push_back(mshr_cosim(unit));
  return units;
}

Json cosim_json(const char* unit, const Json& parameters, const cosim::LockstepResult& result,
                const Json& coverage) {
  Json doc;
  doc["unit"] = unit;
  doc.update(parameters);
  doc["seed"] = result.seed;
  doc["cycles"] = result.cycles;
  doc["directed_cycles"] = result.directed_cycles;
  doc["resets"] = result.resets;
  doc["seconds"] = result.seconds;
  doc.update(coverage);
  doc["equal"] = !result.difference;
  if (result.difference) {
    const cosim::Difference& d = *result.difference;
    doc["difference"] = {{"cycle", d.cycle},
                         {"signal", d.signal},
                         {"class", d.of_class},
                         {"systemc", d.of_systemc},
                         {"rtl", d.of_rtl}};
  }
  if (!result.code.empty()) {
    const auto sum = [](const cosim::CodeCoverage::Sum& s) {
      return Json{{"points", s.points},
                  {"covered", s.covered},
                  {"excluded", s.excluded},
                  {"percent", s.percent()}};
    };
    doc["rtl_coverage"] = {{"lines", sum(result.code.lines())},
                           {"toggles", sum(result.code.toggles())},
                           {"not_covered", result.code.missing()}};
  }
  if (!result.waves.empty()) doc["waves"] = result.waves.string();
  return doc;
}

CosimOutcome cosim_outcome(const char* unit, const std::string& size, const Json& parameters,
                           const cosim::UnitLockstepResult& result) {
  Json coverage;
  for (const auto& [name, count] : result.coverage.counts()) coverage["coverage"][name] = count;
  return {size,
          result.describe(),
          cosim_json(unit, parameters, result, coverage),
          !result.difference,
          result.coverage.missing(),
          result.code,
          false};
}

}  // namespace warpmem::app
