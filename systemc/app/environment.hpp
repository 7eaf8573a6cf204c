// SPDX-License-Identifier: Apache-2.0
// How a CUDA program that is linked with warpmem's runtime library learns what to simulate: through
// environment variables, set by the user or by `warpmem run`.
//
//   WARPMEM_CONFIG   configuration file; without it every key has its default
//   WARPMEM_SET      assignments "key=value", one a line, applied after the file
//   WARPMEM_RUN_DIR  where the results go; without it ./warpmem-run
//   WARPMEM_RUN_DIR_IS_NEW  "1": results that are there now are those of another process of the
//                    run, and are not replaced
//   WARPMEM_MODE     "timed" (default), "functional" (kernels execute, nothing is simulated) or
//                    "record" (they execute, and what they do goes to the file WARPMEM_TRACE)
//   WARPMEM_TRACE    the trace file that is written in mode "record"
//   WARPMEM_FUNCTIONAL_JSON  the file that mode "functional" writes its counts to; without it none
//   WARPMEM_KERNELS  the launches that are timed, "3-5,7,name=bfs"; the others only execute
//   WARPMEM_CTAS     how many CTAs of a timed launch are timed, the first ones
//   WARPMEM_RECORD_UNITS  hardware units whose inputs are recorded, "dau:3=FILE", one a line; these
//                    units must have a view other than class (cosim/unit_recording.hpp)
//   WARPMEM_WAVES    hardware units whose ports and state go to a waveform, "l1d.3.mshr.dau=FILE",
//                    one a line (cosim/unit_waves.hpp); the same holds for them
//   WARPMEM_WAVES_CYCLES  the window of these, "FIRST-LAST" in cycles of the SM clock
//   WARPMEM_OBSERVE  what is written besides the statistics, "key=value", one a line
//                    (app/observe_options.hpp)
//   WARPMEM_RTL      RTL that stands in for units with the view rtl: files and folders, one a line
//                    (app/own_units.hpp)
//   WARPMEM_FORGIVE_OUT_OF_RANGE  "1": a kernel's loads outside every allocation read 0, its stores
//                    there are dropped, and a note counts them; without it they are faults
//   WARPMEM_COMMAND  the command line to record in the manifest; without it the program's own
//   WARPMEM_PROGRESS "1": show a progress line on standard error if that is a terminal
//   WARPMEM_PLUGINS  plugins with parts of the machine (app/plugins.hpp), separated by colons
//   WARPMEM_TEMPFAIL  set: exit with 75 instead of 2 for what this machine lacks, such as room on a
//                    disk (base/environment_error.hpp)
#pragma once

#include <string>
#include <vector>

namespace warpmem::app {

struct Environment {
  std::string config;
  std::vector<std::string> assignments;
  std::string run_dir = "warpmem-run";
  bool run_dir_is_new = false;
  bool functional = false;
  std::string functional_json;               ///< a file for what it counts; empty: none
  std::string record;                        ///< the trace file; empty: do not record
  std::string kernels;                       ///< a KernelSelection as text
  std::string ctas;                          ///< a text for parse_cta_limit()
  std::vector<std::string> unit_recordings;  ///< a text for cosim::parse_recording()
  std::vector<std::string> waves;            ///< a text for cosim::parse_waves()
  std::string wave_cycles;                   ///< what wave_cycles() writes
  std::vector<std::string> observations;     ///< texts for parse_observations()
  std::vector<std::string> own_rtl;          ///< paths for OwnRtl
  bool forgive_out_of_range = false;
  std::string command;
  bool progress = false;

  /// Reads the variables. Throws UserError when one has a value that is not allowed.
  static Environment read();
  /// Returns the variables that make read() return this, as NAME=VALUE.
  std::vector<std::string> variables() const;
};

}  // namespace warpmem::app
