// SPDX-License-Identifier: Apache-2.0
// The units of `warpmem cosim`: their options for sizes, and what a run of one gives.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli_fwd.hpp"
#include "cosim/hardware_unit.hpp"

namespace warpmem::app {

/// This is a finished run of one size: what is printed, what is written, what is uncovered.
struct CosimOutcome {
  std::string size;                  ///< the size as people read it
  cosim::UnitParameters parameters;  ///< the same as parameters of the RTL, all of them
  std::string views;                 ///< what was compared
  std::string text;
  nlohmann::ordered_json json;
  bool equal = false;
  std::vector<std::pair<std::string, cosim::CoverCounts>> lists;  ///< situations, by kind
  std::vector<std::string> missing;                               ///< those never met
  cosim::CodeCoverage code;                                       ///< empty: not asked for
  bool corner = false;  ///< a short run, made besides that of the usual size
};
using CosimDone = std::function<void(const CosimOutcome& outcome)>;

/// This is a unit with the options for its size.
class CosimUnit {
 public:
  explicit CosimUnit(const cosim::HardwareUnit& unit)
      : unit_(unit), values_(unit.sizes().front()) {}
  CosimUnit(const CosimUnit&) = delete;
  CosimUnit& operator=(const CosimUnit&) = delete;

  const cosim::HardwareUnit& unit() const { return unit_; }
  /// Adds the options for the size; their names are unique among the units.
  void add_options(CLI::App& command);
  /// Takes another value for a parameter of the RTL, NAME=NUMBER, than the usual size or the
  /// recorded unit has. Throws UserError for another form.
  void set_parameter(const std::string& assignment);
  /// Runs the size that options and parameters ask for or that was recorded; else, without `asked`,
  /// the usual one and the corners, until one differs. Each is given to `done` when it is over.
  /// Lines and toggles are counted at the size that is asked for or recorded, else at the one that
  /// the unit names.
  void run(const cosim::LockstepOptions& common, bool asked, const CosimDone& done) const;

 private:
  /// This is an option's value while the command line is read.
  struct Given {
    std::uint32_t number = 0;
    double share = 0;
    bool flag = false;
    std::string choice;
  };

  void add_option(CLI::App& command, const cosim::SizeEntry& entry, Given& given);
  cosim::SizeValues asked_size() const;
  /// Gives those that were set their values. Throws UserError where one is none of the unit's, or
  /// follows from others.
  void change(cosim::UnitParameters& parameters) const;
  /// Throws UserError where a parameter that was set changes a port or the state: what was recorded
  /// would not be what the unit is asked.
  cosim::SizeValues recorded_size(const std::filesystem::path& recorded) const;
  CosimOutcome run_one(const cosim::SizeValues& size, const cosim::LockstepOptions& options) const;

  const cosim::HardwareUnit& unit_;
  cosim::SizeValues values_;          // the usual size
  std::vector<Given> given_;          // one for each value
  cosim::UnitParameters parameters_;  // those that were set
};

/// Returns all units, in the order in which they are named.
std::vector<std::unique_ptr<CosimUnit>> cosim_units();

}  // namespace warpmem::app
