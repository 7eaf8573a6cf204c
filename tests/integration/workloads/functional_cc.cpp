// SPDX-License-Identifier: Apache-2.0
// The compile driver as a program, linking with the functional library.
#include <cstdio>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "program/cuda/compiler.hpp"

int main(int argc, char** argv) {
  warpmem::program::cuda::CompilerPaths paths;
  paths.include = WARPMEM_CUDA_INCLUDE;
  paths.library = WARPMEM_CUDA_LIBRARY;
  try {
    return warpmem::program::cuda::compile(std::vector<std::string>(argv + 1, argv + argc), paths);
  } catch (const warpmem::UserError& error) {
    std::fprintf(stderr, "warpmem: error: %s\n", error.what());
    return 2;
  }
}

// SystemC's library, which is linked with it, calls this.
extern "C" int sc_main(int, char**) { return 0; }
