// SPDX-License-Identifier: Apache-2.0
#include "app/cuda_compiler.hpp"

#include "app/places.hpp"
#include "program/cuda/compiler.hpp"

namespace warpmem::app {

int compile_cuda(const std::vector<std::string>& arguments) {
  program::cuda::CompilerPaths paths;
  paths.include = places().cuda_include;
  paths.library = places().cuda_library;
  paths.link_folder = places().cuda_link_folder;
#ifdef WARPMEM_SANITIZER_RUNTIME
  paths.sanitizer = WARPMEM_SANITIZER_RUNTIME;
#endif
  return program::cuda::compile(arguments, paths);
}

}  // namespace warpmem::app
