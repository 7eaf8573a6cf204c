// SPDX-License-Identifier: Apache-2.0
// A unit as Yosys elaborates it, single faults in it, and a library with all of them. Works in one
// folder with files of fixed names and leaves its logs there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/unit_sources.hpp"
#include "mutation/units.hpp"

namespace warpmem::mutation {

/// This is a fault: one bit of one port of a cell is wrong.
struct Mutant {
  unsigned number = 0;    ///< number from 1, by which the input `mutsel` selects it
  std::string mode;       ///< inv, const0, const1, cnot0, cnot1 (XOR, XNOR with another bit)
  std::string cell;       ///< "$or", "$procmux", of an instance "u_sets.$or"
  std::string port;       ///< "A[2]"
  std::string place;      ///< "dau/dau.sv:158"
  std::string arguments;  ///< arguments of Yosys' mutate
};

class Mutants {
 public:
  /// Elaborates the unit and draws `count` faults, fewer when it has no more. Throws UserError with
  /// Yosys' message when the unit is refused. `work` must exist and be empty.
  Mutants(std::filesystem::path work, const UnitSources& sources, const AttackedUnit& unit,
          unsigned count, std::uint64_t seed);

  const std::vector<Mutant>& list() const { return list_; }
  const std::filesystem::path& work() const { return work_; }
  const std::string& unit() const { return unit_.name; }
  /// Returns a module (Verilog) that shows `module`, the unit or a copy of it, with its outputs at
  /// 0 where they mean nothing.
  std::string observer(const std::string& module) const;
  /// Returns whether the design has assertions.
  bool has_properties() const { return has_properties_; }

  /// Builds the netlist with all faults as a library that stands in for the RTL view
  /// (UnitPlaces::library). `places.source` has the wrapper.
  std::filesystem::path build_library(const cosim::UnitPlaces& places) const;

  /// Runs a script in the folder. Throws UserError with Yosys' message when it fails.
  void yosys(const std::string& name, const std::string& script) const;

 private:
  std::filesystem::path work_;
  const AttackedUnit& unit_;
  std::vector<Mutant> list_;
  bool has_properties_ = false;
  nlohmann::json ports_;  // the ports as Yosys writes them
};

/// Gives this fault to the units that are made from now on; 0: none.
void select_mutant(const std::filesystem::path& library, unsigned number);

}  // namespace warpmem::mutation
