// SPDX-License-Identifier: Apache-2.0
// The units of `warpmem cosim`: a class each, with the options for its size. A new unit is a file
// cosim_NAME.cpp and a line in cosim_units.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cosim/lockstep.hpp"
#include "cosim/lockstep_sizes.hpp"
#include "cosim/unit_stream.hpp"

namespace warpmem::app {

/// This is a finished run of one size: what is printed, what is written, what is uncovered.
struct CosimOutcome {
  std::string size;  ///< the size as people read it
  std::string text;
  nlohmann::ordered_json json;
  bool equal = false;
  std::vector<std::string> missing;
  cosim::CodeCoverage code;  ///< empty: not asked for
  bool corner = false;       ///< a short run, made besides that of the usual size
};
using CosimDone = std::function<void(const CosimOutcome& outcome)>;

class CosimUnit {
 public:
  virtual ~CosimUnit() = default;
  virtual std::string name() const = 0;
  /// Returns another name under which the unit runs, together with others; empty: none.
  virtual std::string group() const { return ""; }
  /// Adds the options for the size; their names are unique among the units.
  virtual void add_options(CLI::App& command) = 0;
  /// Returns what is compared.
  virtual std::string views() const { return "class, systemc and rtl"; }
  /// Runs the size that the options ask for or that was recorded; else, without `asked`, the usual
  /// one and the corners (cosim/lockstep_sizes.hpp), until one differs. Each is given to `done`
  /// when it is over.
  virtual void run(const cosim::LockstepOptions& common, bool asked,
                   const CosimDone& done) const = 0;
};

std::unique_ptr<CosimUnit> dau_cosim();
std::unique_ptr<CosimUnit> index_gen_cosim();
std::unique_ptr<CosimUnit> steer_cosim();
std::unique_ptr<CosimUnit> laws_score_cosim();
std::unique_ptr<CosimUnit> cart_branch_cosim();
std::unique_ptr<CosimUnit> mrpb_drain_cosim();
std::unique_ptr<CosimUnit> bucl_ctrl_cosim();
std::unique_ptr<CosimUnit> throttle_cosim();
/// Makes one of the MSHR files.
std::unique_ptr<CosimUnit> mshr_cosim(const std::string& unit);

/// Returns all units, in the order in which they are named.
std::vector<std::unique_ptr<CosimUnit>> cosim_units();

/// Returns the options of a unit with what all units have filled in.
template <class UnitOptions>
UnitOptions with_common(const cosim::LockstepOptions& common, const char* unit) {
  UnitOptions result;
  static_cast<cosim::LockstepOptions&>(result) = common;
  result.waves_of_difference = std::string(unit) + "_difference.fst";
  return result;
}

/// Does what CosimUnit::run says: `size` is what the options say, `all` what they mean without
/// being asked, `of` the size of a recording; `run_one(options, size)` makes the outcome. Lines and
/// toggles are counted at the size that is asked for or recorded, else at that of number `counted`.
template <class UnitOptions, class Size, class RunOne>
void run_sizes(const char* unit, const cosim::LockstepOptions& common, bool asked, const Size& size,
               const std::vector<Size>& all, Size (*of)(const cosim::UnitParameters&),
               const CosimDone& done, const RunOne& run_one, std::size_t counted = 0) {
  auto options = with_common<UnitOptions>(common, unit);
  std::vector<Size> sizes = all;
  if (asked) sizes = {size};
  if (!common.recorded.empty()) sizes = {of(cosim::UnitStreamReader(common.recorded).parameters())};
  if (sizes.size() == 1) counted = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i != 0) options.waves.clear();
    options.cycles =
        i == 0 || i == counted ? common.cycles : std::min(common.cycles, cosim::kCornerCycles);
    options.code_coverage = common.code_coverage && i == counted;
    CosimOutcome outcome = run_one(options, sizes[i]);
    outcome.corner = i != 0;
    done(outcome);
    if (!outcome.equal) return;
  }
}

/// Makes the outcome: `parameters` stand before what all units have, `coverage` behind it.
nlohmann::ordered_json cosim_json(const char* unit, const nlohmann::ordered_json& parameters,
                                  const cosim::LockstepResult& result,
                                  const nlohmann::ordered_json& coverage);

/// Makes the outcome of a unit whose coverage is a list of points.
CosimOutcome cosim_outcome(const char* unit, const std::string& size,
                           const nlohmann::ordered_json& parameters,
                           const cosim::UnitLockstepResult& result);

template <class Value>
void add_number(CLI::App& command, const char* name, Value& value, const char* text) {
  command.add_option(name, value, text)->capture_default_str();
}

}  // namespace warpmem::app
