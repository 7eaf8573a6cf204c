// SPDX-License-Identifier: Apache-2.0
// Account of a mapped netlist, from Yosys' JSON and the library's cells.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "synth/liberty.hpp"

namespace warpmem::synth {

struct CellUse {
  std::string cell;  ///< library name
  bool sequential = false;
  std::uint64_t count = 0;
  double area_um2 = 0;  ///< area of all of them
};

struct ModuleUse {
  std::string module;
  std::uint64_t instances = 0;  ///< instances in the whole unit; 1 for the top
  double own_area_um2 = 0;      ///< area of one instance, without the modules inside it
};

struct RegisterUse {
  std::string
      name;  ///< RTL register with its instance path; array elements and loop turns added up
  std::uint64_t bits = 0;  ///< number of flip-flops and latches
};

/// Returns what a register is for, by its RTL name: "tag" (addr_q), "slot" (slot_q), "data"
/// (data_q), "link" (next, peer, linked and attached bits of chains), else "control".
std::string purpose_of(const std::string& register_name);

/// Returns the bits of all registers by purpose; purposes without bits are missing.
std::map<std::string, std::uint64_t> bits_by_purpose(const std::vector<RegisterUse>& registers);

/// Returns the number that bits are, in decimal digits; other texts as they are.
std::string decimal_of_bits(const std::string& bits);

/// These are the transitions a cycle of named bits, "u_sets.head_q[3]", measured in a simulated
/// run.
using Transitions = std::map<std::string, double>;

/// This tells how often nets change, and how that is known. Without measured transitions all are
/// assumed.
struct ActivityUse {
  std::uint64_t measured_nets = 0;  ///< nets that are named in the file
  std::uint64_t derived_nets = 0;   ///< outputs of gates, from their inputs (cell_function.hpp)
  std::uint64_t assumed_nets = 0;   ///< the rest of the nets
  std::uint64_t measured_registers = 0;  ///< bits
  double mean = 0;                       ///< mean of all nets but clocks
};

/// Every net changes as often as its activity says, and the clock twice a cycle.
struct EnergyUse {
  double leakage_nw = 0;
  double switching_pj = 0;       ///< per cycle: half C·V² for each transition of a net
  double internal_pj = 0;        ///< per cycle: the library's energies, clock pins left out
  double clock_internal_pj = 0;  ///< per cycle: clock pins of the sequential cells
};

struct NetlistUse {
  std::vector<CellUse> cells;          ///< in descending order of area
  std::vector<ModuleUse> modules;      ///< the top comes first; one entry when flattened
  std::vector<RegisterUse> registers;  ///< in descending order of bits
  double sequential_um2 = 0;
  double combinational_um2 = 0;
  std::uint64_t register_bits = 0;
  std::uint64_t overloaded_nets = 0;  ///< outputs above the driver's maximum load
  double worst_load_ratio = 0;        ///< largest load ÷ maximum load
  std::string worst_load_net;
  std::map<std::string, std::string> parameters;  ///< parameters of the top, as elaborated
  EnergyUse energy;
  ActivityUse activity;
  /// This names the RTL register bit that each sequential cell of the top holds; it is not part of
  /// the results.
  std::map<std::string, std::string> register_of;
};

/// Throws SimulationError when the netlist uses a cell that neither the library nor the netlist
/// defines: an area that silently misses something is worse than none.
/// `activity`: transitions a cycle of nets of which `measured` says nothing; a gate's output
/// changes as often as its inputs do on the average when one of them was measured.
NetlistUse account(const nlohmann::json& netlist, const std::string& top, const Liberty& library,
                   double activity, const Transitions& measured = {});

}  // namespace warpmem::synth
