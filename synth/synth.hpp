// SPDX-License-Identifier: Apache-2.0
// Area, timing and power of an RTL unit: Yosys and abc map it on a standard-cell library, OpenSTA
// times the netlist, the library's own figures give leakage and energy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "files/own_rtl.hpp"
#include "synth/macro_model.hpp"
#include "synth/netlist.hpp"

namespace warpmem::synth {

struct SynthRequest {
  std::string unit;                           ///< folder of rtl/ and name of its top module
  std::map<std::string, std::string> params;  ///< overrides, "SETS" -> "64"; integers
  OwnRtl own = {};                            ///< a user's RTL of the unit
  std::filesystem::path rtl_root;             ///< empty: the rtl/ of this project
  std::filesystem::path liberty;              ///< .lib or .lib.gz; empty: Debian's osu018
  /// These are the delay targets given to abc, ps; empty: a relaxed and a tight one, and two
  /// between them when they differ and the unit is not large.
  std::vector<double> delay_targets_ps;
  double activity = 0.1;  ///< transitions of every net per cycle (0..2), for the power figure
  /// These are the transitions of the unit's bits in a simulated run, as `warpmem cosim --toggles`
  /// writes them; `activity` is left for nets of which the file says nothing. UserError is thrown
  /// when it is of another unit or size, or knows none of its registers.
  std::filesystem::path activity_file;
  bool keep_hierarchy = false;  ///< area by module, at the price of optimisation across modules
  /// Leaves the array `slot_q` out: what remains is what stands around a memory macro. UserError is
  /// thrown for a unit without one, and together with keep_hierarchy.
  bool storage_outside = false;
  bool use_cache = true;
  /// Nanoseconds of the clock that the netlist is to reach, which is then abc's delay target and
  /// what slack is told against; 0: none.
  double target_period_ns = 0;
  /// The netlist and what belongs to it go into this folder (hand_off.hpp); empty: they do not. The
  /// unit is then synthesized even if its result is known.
  std::filesystem::path netlist_dir;
  std::filesystem::path cache_dir;  ///< empty: that of files/kept_files.hpp
  /// Scripts, logs and netlist go here; empty: a temporary folder that stays only when a step
  /// fails.
  std::filesystem::path work_dir;
  std::function<void(const std::string&)> progress;  ///< called with a line before each step
};

/// This is one setting of abc's delay target.
struct SweepPoint {
  double target_ps = 0;
  double area_um2 = 0;
  double period_ns = 0;  ///< shortest clock period of the mapped netlist
};

/// This is the longest path of one kind, from the launching to the capturing clock
/// edge, with clock-to-output and set-up times; inputs arrive at the edge, outputs are taken at the
/// edge.
struct PathDelay {
  std::string from_to;  ///< "register to register", "input to register", …
  double delay_ns = 0;
  std::string start;  ///< name of the pin or port
  std::string end;
};

/// This is a memory of slots that stands outside.
struct SlotStorage {
  Macro memory;
  bool split_cycle = false;  ///< its one port writes in the first half of a cycle and reads in the
                             ///< second
};

struct SynthResult {
  std::string unit;
  std::map<std::string, std::string> parameters;  ///< those of the top, as elaborated
  std::string library;                            ///< name inside the file
  std::string library_file;                       ///< file name without folder
  double library_voltage = 0;
  std::string driving_cell;
  double driving_cell_leakage_nw = 0;
  double output_load_pf = 0;
  double transition_ns = 0;  ///< transition of clock and data, assumed for energies and the clock
  std::string yosys_version;
  std::string sta_version;
  std::string rtl;                 ///< digest of the unit's RTL, as rtl_digest() has it
  NetlistUse netlist;              ///< netlist at the chosen point
  std::vector<SweepPoint> sweep;   ///< points in ascending order of target
  std::vector<SlotStorage> slots;  ///< with storage_outside
  std::size_t chosen = 0;          ///< knee: the point of the smallest area × period
  std::vector<PathDelay> paths;    ///< paths, the longest first
  double period_ns = 0;            ///< period of the longest path
  double target_period_ns = 0;     ///< period asked for; 0: none
  double activity = 0;             ///< transitions of nets whose own were not measured
  std::string activity_from;  ///< "dau_toggles.json, 1012345 cycles of sets 128 ..."; empty: none
  bool has_leakage = false;   ///< whether the library states it
  bool has_energy = false;    ///< whether the library states internal energies

  /// Returns the maximum clock frequency, MHz; 0 when there is no timed path.
  double fmax_mhz() const { return period_ns > 0 ? 1e3 / period_ns : 0; }
  /// Returns the dynamic power at fmax with `activity`, milliwatt.
  double dynamic_mw() const;
};

/// Runs the flow, or takes its result from the cache. Throws UserError for everything the user can
/// change: unknown unit or parameter, a value that the RTL refuses, an unreadable library, a
/// missing tool.
SynthResult run(const SynthRequest& request);

/// Returns what the macro model takes from a library (empty: osu018) of `node_nm`. Throws UserError
/// as run() does.
MacroProcess macro_process(const std::filesystem::path& liberty, double node_nm);

/// Returns a table for the terminal, which names the library and the units, and says what is
/// synthesized and what is estimated. Slots that stand outside are estimated at `node_nm`, the
/// feature size of the library; 0: it is not known, and they are not.
std::string table(const SynthResult& result, double node_nm = 0);

nlohmann::json to_json(const SynthResult& result, double node_nm = 0);
SynthResult from_json(const nlohmann::json& document);

}  // namespace warpmem::synth
