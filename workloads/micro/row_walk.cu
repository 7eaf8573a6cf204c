// SPDX-License-Identifier: Apache-2.0
// Intra-warp contention alone (MR Fig 2: kernel 1 of atax): each thread walks a row, and the rows
// are 4 KB apart, so the 32 lines that one load of a warp touches share a set of a 16 KB, 4-way
// L1D. Associativity stalls follow whatever the order of the warps' requests; bypassing removes
// them.
//
// arguments: [columns that are walked [warps]] (64, 2)
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../common/check.hpp"

constexpr int kRow = 1024;  // floats: 4 KB

__global__ void sum_rows(const float* a, float* out, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j) sum += a[row * kRow + j];
  out[row] = sum;
}

int main(int argc, char** argv) {
  const int columns = workload::size_argument(argc, argv, 1, 64, 1, kRow);
  const int rows = 32 * workload::size_argument(argc, argv, 2, 2, 1, 32);
  workload::no_more_arguments(argc, argv, 2);
  std::vector<float> a(static_cast<std::size_t>(rows) * kRow);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 17);
  float *device, *out;
  cudaMalloc((void**)&device, a.size() * sizeof(float));
  cudaMalloc((void**)&out, rows * sizeof(float));
  cudaMemcpy(device, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  sum_rows<<<1, rows>>>(device, out, columns);
  std::vector<float> result(rows);
  cudaMemcpy(result.data(), out, rows * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int row = 0; row < rows; ++row) {
    float expected = 0.0f;
    for (int j = 0; j < columns; ++j) expected += a[static_cast<std::size_t>(row) * kRow + j];
    right = right && result[row] == expected;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
