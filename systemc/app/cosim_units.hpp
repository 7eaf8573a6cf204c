// SPDX-License-Identifier: Apache-2.0
// The units of `warpmem cosim`: a class each, with the options for its size. A new unit is a file
// cosim_NAME.cpp and a line in cosim_units.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/lockstep.hpp"
#include "cosim/unit_stream.hpp"

namespace warpmem::app {

/// A finished run: what is printed, what is written, what is uncovered.
struct CosimOutcome {
  std::string size;  ///< for people
  std::string text;
  nlohmann::ordered_json json;
  bool equal = false;
  std::vector<std::string> missing;
  cosim::CodeCoverage code;  ///< empty: not asked for
};

class CosimUnit {
 public:
  virtual ~CosimUnit() = default;
  virtual std::string name() const = 0;
  /// Another name under which the unit runs, together with others; empty: none.
  virtual std::string group() const { return ""; }
  /// Options for the size; their names are unique among the units.
  virtual void add_options(CLI::App& command) = 0;
  virtual CosimOutcome run(const cosim::LockstepOptions& common) const = 0;
};

std::unique_ptr<CosimUnit> dau_cosim();
std::unique_ptr<CosimUnit> index_gen_cosim();
std::unique_ptr<CosimUnit> steer_cosim();
std::unique_ptr<CosimUnit> laws_score_cosim();
std::unique_ptr<CosimUnit> cart_branch_cosim();
std::unique_ptr<CosimUnit> mrpb_drain_cosim();
std::unique_ptr<CosimUnit> bucl_ctrl_cosim();
std::unique_ptr<CosimUnit> throttle_cosim();

/// All units, in the order in which they are named.
std::vector<std::unique_ptr<CosimUnit>> cosim_units();

/// The options of a unit with what all units have filled in.
template <class UnitOptions>
UnitOptions with_common(const cosim::LockstepOptions& common, const char* unit) {
  UnitOptions result;
  static_cast<cosim::LockstepOptions&>(result) = common;
  result.waves_of_difference = std::string(unit) + "_difference.fst";
  return result;
}

/// `asked`, or the size that the recording was made with, by `of`.
template <class Size>
Size lockstep_size(const cosim::LockstepOptions& common, const Size& asked,
                   Size (*of)(const cosim::UnitParameters&)) {
  return common.recorded.empty() ? asked
                                 : of(cosim::UnitStreamReader(common.recorded).parameters());
}

/// `parameters` stand before what all units have, `coverage` behind it.
nlohmann::ordered_json cosim_json(const char* unit, const nlohmann::ordered_json& parameters,
                                  const cosim::LockstepResult& result,
                                  const nlohmann::ordered_json& coverage);

/// Of a unit whose coverage is a list of points.
CosimOutcome cosim_outcome(const char* unit, const std::string& size,
                           const nlohmann::ordered_json& parameters,
                           const cosim::UnitLockstepResult& result);

template <class Value>
void add_number(CLI::App& command, const char* name, Value& value, const char* text) {
  command.add_option(name, value, text)->capture_default_str();
}

}  // namespace warpmem::app
