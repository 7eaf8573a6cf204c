// SPDX-License-Identifier: Apache-2.0
// Arrays are pitched device memory: rows, and slices of rows.
#pragma once

#include <algorithm>
#include <cstddef>

#include "program/cuda/include/cuda_runtime_api.h"

struct cudaArray {
  void* data = nullptr;
  size_t pitch = 0;                         ///< bytes from row to row
  size_t width = 0, height = 0, depth = 0;  ///< elements; 0: this dimension does not exist
  unsigned flags = 0;
  cudaChannelFormatDesc channels{};
};

namespace warpmem::program::cuda {

inline std::size_t element_bytes(const cudaChannelFormatDesc& c) {
  return static_cast<std::size_t>(c.x + c.y + c.z + c.w) / 8;
}
inline std::size_t rows(const cudaArray& a) { return std::max<std::size_t>(a.height, 1); }
inline std::size_t slices(const cudaArray& a) { return std::max<std::size_t>(a.depth, 1); }

}  // namespace warpmem::program::cuda
