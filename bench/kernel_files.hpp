// SPDX-License-Identifier: Apache-2.0
// What the benchmarks that run kernels share: the PTX of kernels.cu and the parameter block.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace warpmem::bench {

/// Returns the PTX text; WARPMEM_BENCH_PTX is set by CMake.
inline std::string kernels() {
  std::ifstream in(WARPMEM_BENCH_PTX);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// These are kernel parameters, each aligned to its size.
struct Arguments {
  std::vector<std::uint8_t> bytes;
  template <class T>
  Arguments& add(T value) {
    const std::size_t at = (bytes.size() + sizeof value - 1) / sizeof value * sizeof value;
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return *this;
  }
};

}  // namespace warpmem::bench
