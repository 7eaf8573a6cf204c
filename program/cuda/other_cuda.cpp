// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/other_cuda.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace warpmem::program::cuda {

namespace fs = std::filesystem;

namespace {

/// Whether the folder holds the headers of a CUDA toolkit, ours or another.
bool holds_cuda(const std::string& folder) {
  return fs::exists(fs::path(folder) / "cuda_runtime_api.h");
}

}  // namespace

void leave_out_other_cuda(CompileArguments& arguments, const CompilerPaths& paths) {
  auto& folders = arguments.include;
  for (auto it = folders.begin(); it != folders.end();) {
    if (!holds_cuda(it->second)) {
      ++it;
      continue;
    }
    std::error_code unknown;
    if (!fs::equivalent(it->second, paths.include, unknown))
      std::fprintf(stderr, "warpmem: note: %s%s: the headers of another CUDA are left out\n",
                   it->first.c_str(), it->second.c_str());
    it = folders.erase(it);
  }
}

}  // namespace warpmem::program::cuda
