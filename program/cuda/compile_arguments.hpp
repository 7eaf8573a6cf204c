// SPDX-License-Identifier: Apache-2.0
// nvcc's command line, taken apart.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/cuda/device_math.hpp"

namespace warpmem::program::cuda {

/// How far the driver goes.
enum class CompileStage { link, object, ptx, host_source, preprocess, device_link, library };

enum class InputKind { cuda, cpp, c, object };

struct CompileInput {
  std::string path;  ///< path; of a library given by -l the option itself
  InputKind kind = InputKind::object;
};

struct CompileArguments {
  CompileStage stage = CompileStage::link;
  std::string output;                ///< empty: nvcc's default
  std::vector<CompileInput> inputs;  ///< sources, objects and libraries in their order
  std::vector<std::string> compile;  ///< options of every compilation (-D, -std, -include ...)
  /// Folders of headers and their option, -I or -isystem, in their order.
  std::vector<std::pair<std::string, std::string>> include;
  std::vector<std::string> cuda;        ///< options of both parts of CUDA sources
  DeviceMath math;                      ///< of the device compilation only
  std::vector<std::string> host;        ///< options of the host compilation only
  std::vector<std::string> host_words;  ///< what -Xcompiler named, before it is in its place
  std::vector<std::string> link;        ///< options of the linker (-L, -Wl, ...)
  std::vector<std::string> link_after;  ///< those that go behind all inputs
  bool dependencies_beside = false;     ///< write a makefile's rule beside what is compiled (-MD)
  std::string dependency_file;          ///< where that or another rule goes; empty: the default
  std::vector<std::string> dependency_targets;  ///< -MT and -MQ with their names
  int arch = 0;                                 ///< 60 or more as in sm_60; 0: any will do
  std::string output_folder;                    ///< folder of files whose name nvcc chooses
  std::string ptx_extension = ".ptx";           ///< of PTX text whose name nvcc chooses
  std::string keep_folder;                      ///< where `keep` puts it
  bool keep = false;                            ///< keep the PTX beside the output
  bool verbose = false;                         ///< print the commands
  bool dry_run = false;                         ///< only print them
  bool version = false;                         ///< print the version and stop
  bool help = false;                            ///< print compile_help() and stop
  bool print_libdir = false;               ///< print the folder for -L of other linkers and stop
  bool print_incdir = false;               ///< print the folder of the CUDA headers and stop
  bool past_l1 = false;                    ///< -Xptxas -dlcm=cg: global loads do not use L1D
  bool relocatable = false;                ///< device code is linked over translation units
  bool shared = false;                     ///< link a shared library
  std::optional<InputKind> language;       ///< of every source (-x)
  bool run = false;                        ///< run the program that was linked
  std::vector<std::string> run_arguments;  ///< of that program
  bool clean = false;                      ///< delete what would be made instead
  std::vector<std::string> notes;          ///< what the user should know of the options
  std::string list_prefix;  ///< print the architectures with this before them and stop; or empty
};

/// Throws UserError: an option nvcc does not have either, a missing operand, no input.
/// Words of the environment and of files belong to them (command_words.hpp).
CompileArguments parse_compile_arguments(const std::vector<std::string>& arguments);

/// Returns a text with the options, and those that are accepted without effect.
std::string compile_help();

}  // namespace warpmem::program::cuda
