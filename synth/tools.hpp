// SPDX-License-Identifier: Apache-2.0
// The external tools of the flow: their scripts, and what is read from what they print.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "files/unit_sources.hpp"
#include "synth/liberty.hpp"
#include "synth/macro_model.hpp"

namespace warpmem::synth {

/// Runs Yosys on scripts in one folder; the files have fixed names, so that no path of the user's
/// gets into a script.
class Yosys {
 public:
  /// `work` gets links to the sources and holds lib.lib; it must exist.
  Yosys(std::filesystem::path work, UnitSources sources);

  /// Returns a text like "Yosys 0.23 (git sha1 …)".
  static std::string version(const std::filesystem::path& work);

  /// Returns the top module's parameters with their defaults, numbers as decimal digits.
  std::map<std::string, std::string> parameters() const;

  /// Does everything before the mapping of logic, which does not depend on the delay target.
  /// Returns the memories of slots that stand outside, whose ports are not told; none unless asked.
  std::vector<Macro> prepare(const std::map<std::string, std::string>& params, bool keep_hierarchy,
                             bool storage_outside) const;

  /// Returns the unit and what is inside it as Verilog-2005 of fixed parameters.
  std::string plain_verilog(const std::map<std::string, std::string>& params) const;

  /// Returns the cells of lib.lib as modules of Verilog that simulate them.
  std::string cells_verilog() const;

  /// Maps to the library for one delay target; leaves map<index>.v, .json and returns the area
  /// that Yosys itself adds up over the hierarchy, in the library's unit.
  double map(std::size_t index, double target_ps, const Liberty& library) const;

 private:
  /// Runs a script. Throws UserError with the first error that Yosys prints when it fails.
  std::string run(const std::string& name, const std::string& script) const;

  std::filesystem::path work_;
  UnitSources sources_;
};

struct StaPath {
  std::string kind;  ///< "register to register"
  double delay_ns;   ///< period at which the path has no slack
  std::string start;
  std::string end;
};

/// Returns the longest path of each kind in map<index>.v; empty when the netlist has no timed path.
/// `clock` is the clock port.
std::vector<StaPath> time_netlist(const std::filesystem::path& work, std::size_t index,
                                  const std::string& unit, const Liberty& library);

/// Leaves UNIT.sdc and UNIT.sdf in the work folder: the constraints of a clock of `period_ns` with
/// driving cells and loads, and the delays of map<index>.v, without wires.
void write_timing(const std::filesystem::path& work, std::size_t index, const std::string& unit,
                  const Liberty& library, double period_ns);

/// Returns the version that OpenSTA prints.
std::string sta_version(const std::filesystem::path& work);

}  // namespace warpmem::synth
