// SPDX-License-Identifier: Apache-2.0
// Arrays are pitched device memory: rows, and slices of rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "program/cuda/include/cuda_runtime_api.h"

struct cudaArray {
  void* data = nullptr;
  size_t pitch = 0;                         ///< bytes from row to row
  size_t width = 0, height = 0, depth = 0;  ///< elements; 0: this dimension does not exist
  unsigned flags = 0;
  cudaChannelFormatDesc channels{};
};

/// An array for each level, each half as large as the one before.
struct cudaMipmappedArray {
  std::vector<cudaArray*> levels;
};

namespace warpmem::program::cuda {

/// Is it an array that the program has and has not freed (api_array.cpp)?
bool is_array(cudaArray_const_t array);
/// The same of a mipmapped array.
bool is_array(cudaMipmappedArray_const_t array);
/// Their memory is given back: none of them is one any more (cudaDeviceReset).
void forget_arrays();

/// Returns 0 for no format of CUDA (those have one to four channels of 8, 16 or 32 bits each).
inline std::size_t element_bytes(const cudaChannelFormatDesc& c) {
  const auto absent_or_like_x = [&](int bits, int before) {
    return bits == 0 || (bits == c.x && before != 0);
  };
  if ((c.x != 8 && c.x != 16 && c.x != 32) || !absent_or_like_x(c.y, c.x) ||
      !absent_or_like_x(c.z, c.y) || !absent_or_like_x(c.w, c.z))
    return 0;
  return static_cast<std::size_t>(c.x + c.y + c.z + c.w) / 8;
}
inline std::size_t rows(const cudaArray& a) { return std::max<std::size_t>(a.height, 1); }
inline std::size_t slices(const cudaArray& a) { return std::max<std::size_t>(a.depth, 1); }

}  // namespace warpmem::program::cuda
