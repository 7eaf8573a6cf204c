// SPDX-License-Identifier: Apache-2.0
// Experiments on hardware: instead of the runs of a sweep, designs that are synthesized. The map
// `synth` of an experiment's file:
//
//   synth:
//     libraries:                    # take the place of workloads; a missing file leaves its rows
//     out
//       osu018: {node_nm: 180}      # no file: Debian's
//       nangate45: {node_nm: 45, file: ../../shared/data/liberty/nangate45_typ.lib.gz}
//     cache: {area_um2: 110000, node_nm: 45}  # published; scaled with the square of the node
//     clock_mhz: 1137               # of the machine, for power_at_clock_mw
//     synthesized_up_to: 64         # entries; larger files follow a law (default 32)
//     designs:
//       base: {kind: conventional, entries: 32, slots: 8, addr_bits: 25, slot_bits: 16}
//       one: {kind: dl, entries: 64, slots: 2, addresses: cam, slot_access: one_port}
//       sum: [{count: 15, kind: tsma, ...}, {count: 6, ...}]  # added up
//
// A row's point is {design: NAME}; its metrics are area_um2, control_um2, storage_um2,
// cache_percent (area over the cache's), power_mw, dynamic_mw, leakage_mw, period_ns, access_ns
// and cycle_ns (the longest of a sum), power_at_clock_mw (with one request and one return in each
// cycle of that clock, whatever the longest path is) and entries.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sweeps/database.hpp"
#include "synth/miss_handler.hpp"

namespace warpmem::sweeps {

struct HardwareLibrary {
  std::string name;
  std::string file;  ///< empty: the default library
  double node_nm = 0;
};

struct HardwareDesign {
  std::string name;
  std::vector<std::pair<unsigned, synth::MissHandlerDesign>> parts;  ///< how many of each there are
};

struct HardwarePlan {
  std::string file;
  std::vector<HardwareLibrary> libraries;
  std::vector<HardwareDesign> designs;
  unsigned most_synthesized = synth::MissHandlerOptions().most_synthesized;
  double cache_um2 = 0;  ///< 0: no cache is named
  double cache_node_nm = 0;
  double clock_mhz = 0;  ///< 0: no clock is named
};

/// Returns whether the metric is one of the above that is an area or a power, or a share of one.
bool is_area_or_power(const std::string& metric);

/// Returns whether the file has a map `synth`. Throws UserError when it cannot be read.
bool is_hardware(const std::string& file);

/// Reads the map `synth`. Throws UserError with every problem, one a line as "file:line: ...".
HardwarePlan read_hardware(const std::string& file);

/// Fills `database` with one point for each library and design; those of a missing library have no
/// result. With `only_points` nothing is synthesized. Returns the files of missing libraries.
std::vector<std::string> measure_hardware(const HardwarePlan& plan, Database& database,
                                          bool only_points,
                                          const std::function<void(const std::string&)>& progress);

}  // namespace warpmem::sweeps
