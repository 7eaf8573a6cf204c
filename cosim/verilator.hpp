// SPDX-License-Identifier: Apache-2.0
// An RTL unit, Verilated and compiled with its wrapper into a shared library that is kept in the
// cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace warpmem::cosim {

struct VerilatedUnit {
  std::string name;                                ///< top module; the wrapper includes "V<name>.h"
  std::filesystem::path rtl;                       ///< folder of the RTL units, on the include path
  std::vector<std::filesystem::path> own_folders;  ///< on the include path before it
  std::vector<std::string> sources;                ///< relative to rtl, or absolute
  std::vector<std::pair<std::string, std::uint32_t>> parameters;
  std::string wrapper;  ///< source that is compiled behind Verilator's output
  std::vector<std::filesystem::path> wrapper_headers;  ///< what it includes; the first beside
                                                       ///< verilated_print.hpp
  std::vector<std::string> macros;                     ///< -D options for the wrapper
  std::vector<std::filesystem::path> include_folders;
  bool waves = false;      ///< built with FST tracing, and WARPMEM_TRACE defined
  bool own = false;        ///< a user's, whose warnings have been told (own_unit.hpp)
  bool netlist = false;    ///< written by Yosys: its warnings are of no interest, and it has no
                           ///< parameters
  bool coverage = false;   ///< counts lines and toggles, with WARPMEM_COVERAGE defined
  bool anew = false;       ///< even if the cache has it
  bool short_run = false;  ///< built in less time, runs slower
};

/// Builds the library and returns its path. The cache knows it by its parameters, options and every
/// file that goes into it, included ones too (files/named_files.hpp). Throws UserError that names
/// the Debian package when verilator or g++ is missing, and one with the tool's message when the
/// unit does not compile.
std::filesystem::path build_verilated(const VerilatedUnit& unit);

/// Returns the folder with the sources of Verilator's runtime; `work` is a folder to write to.
std::filesystem::path verilator_include(const std::filesystem::path& work);

/// Returns compiler and options for a source of a library that this program loads. One for a
/// `short_run` is not optimised.
std::vector<std::string> library_compile_command(bool short_run);

/// Returns compiler and options for such a library; sources, -I and -o follow.
std::vector<std::string> shared_library_command(bool short_run);

}  // namespace warpmem::cosim
