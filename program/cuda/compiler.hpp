// SPDX-License-Identifier: Apache-2.0
// The compile driver behind `warpmem cc`: nvcc's habitual command line, carried out with clang-14.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// The release of CUDA whose interface the headers follow, as they say themselves.
inline constexpr char kCudaVersion[] = "11.5.0";

/// Where the driver finds its parts.
struct CompilerPaths {
  std::filesystem::path include;        ///< folder of our cuda_runtime.h
  std::filesystem::path library;        ///< libwarpmem_cuda.so, or an archive
  std::filesystem::path link_folder;    ///< with libcudart.so and libcuda.so, for other linkers
  std::filesystem::path sanitizer;      ///< runtime that the library was built for, or empty
  std::vector<std::string> link_after;  ///< further arguments of the linker, after the library
  std::string clang = "clang++-14";
};

/// Compiles and links as `nvcc ARGUMENTS` would; the compiler's own messages go to standard error.
/// Returns the exit status: that of the first step that failed, or 0. Throws UserError for
/// arguments that make no sense and when the compiler cannot be run.
int compile(const std::vector<std::string>& arguments, const CompilerPaths& paths);

}  // namespace warpmem::program::cuda
