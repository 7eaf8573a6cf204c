// SPDX-License-Identifier: Apache-2.0
// nvcc's command line, taken apart.
#pragma once

#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// How far the driver goes.
enum class CompileStage { link, object, ptx, preprocess };

enum class InputKind { cuda, cpp, c, object };

struct CompileInput {
  std::string path;  ///< of a library given by -l, the option itself
  InputKind kind = InputKind::object;
};

struct CompileArguments {
  CompileStage stage = CompileStage::link;
  std::string output;                ///< empty: nvcc's default
  std::vector<CompileInput> inputs;  ///< sources, objects and libraries in their order
  std::vector<std::string> compile;  ///< options of every compilation (-I, -D, -std, -O, -g ...)
  std::vector<std::string> device;   ///< of the device compilation only
  std::vector<std::string> host;     ///< of the host compilation only
  std::vector<std::string> link;     ///< of the linker (-L, -Wl, ...)
  std::string gpu_arch = "sm_60";    ///< sm_60 or sm_70
  std::string output_folder;         ///< of files whose name nvcc chooses
  bool keep = false;                 ///< keep the PTX beside the output
  bool verbose = false;              ///< print the commands
  bool dry_run = false;              ///< only print them
  bool version = false;              ///< print the version and stop
  bool shared = false;               ///< link a shared library
  bool all_cuda = false;             ///< -x cu: every source is CUDA
  bool old_arch = false;             ///< an architecture before sm_70 was asked for
};

/// Throws UserError: an option nvcc does not have either, a missing operand, no input.
CompileArguments parse_compile_arguments(const std::vector<std::string>& arguments);

}  // namespace warpmem::program::cuda
