// SPDX-License-Identifier: Apache-2.0
// Compiles CUDA text to PTX with clang-14, for tests of what compilers really emit.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "support/scratch_folder.hpp"

namespace warpmem::program::ptx {

inline bool have_clang() { return std::system("command -v clang-14 > /dev/null 2>&1") == 0; }

/// Returns the keywords of CUDA, without CUDA's headers.
inline const char* cuda_prelude() {
  return "#define __global__ __attribute__((global))\n#define __device__ __attribute__((device))\n"
         "#define __shared__ __attribute__((shared))\n#define __constant__ "
         "__attribute__((constant))\n"
         "#define threadIdx_x __nvvm_read_ptx_sreg_tid_x()\n#define blockIdx_x "
         "__nvvm_read_ptx_sreg_ctaid_x()\n"
         "#define blockDim_x __nvvm_read_ptx_sreg_ntid_x()\n#define syncthreads() "
         "__nvvm_bar_sync(0)\n"
         "typedef unsigned int uint32_t;\n";
}

/// Empty when it does not compile; the compiler's messages go to stderr.
inline std::string compile_to_ptx(const std::string& source, const std::string& options = "-O2") {
  const test::ScratchFolder folder;
  std::ofstream(folder / "k.cu") << cuda_prelude() << source;
  const std::string command =
      "clang-14 -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_60 "
      "-Wno-unknown-cuda-version -ffp-contract=off " +
      options + " -S " + (folder / "k.cu") + " -o " + (folder / "k.ptx");
  std::stringstream text;
  if (std::system(command.c_str()) == 0) text << std::ifstream(folder / "k.ptx").rdbuf();
  return text.str();
}

}  // namespace warpmem::program::ptx
