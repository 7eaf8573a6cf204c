// SPDX-License-Identifier: Apache-2.0
// Every SM reads the same lines at the same time: each block is one warp, and all of them read the
// same lines in the same order, `depth` at a time. What an L1D misses the others miss, too, so that
// requests of all SMs to one line meet in front of its L2 slice.
//
// arguments: [blocks [lines [depth]]] (64, 512, 1; depth is 1, 2, 4 or 8)
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../common/check.hpp"

constexpr int kWords = 32;  // of a line of 128 B

template <int Depth>
__global__ void read_all(const int* data, int* out, int lines) {
  int sum = 0;
  for (int line = 0; line < lines; line += Depth) {
    int value[Depth];
#pragma unroll
    for (int i = 0; i < Depth; ++i) value[i] = data[(line + i) * kWords + threadIdx.x];
#pragma unroll
    for (int i = 0; i < Depth; ++i) sum += value[i];
    asm volatile("" ::: "memory");
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  const int blocks = workload::size_argument(argc, argv, 1, 64, 1, 1 << 16);
  const int lines = workload::size_argument(argc, argv, 2, 512, 1, 1 << 16);
  const int depth = workload::size_argument(argc, argv, 3, 1, 1, 8);
  workload::no_more_arguments(argc, argv, 3);
  if (lines % depth != 0) {
    std::puts("FAIL usage: same_lines [blocks [lines [depth]]], lines a multiple of depth");
    return 2;
  }
  std::vector<int> data(static_cast<std::size_t>(lines) * kWords);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i % 1009);
  std::vector<int> result(static_cast<std::size_t>(blocks) * kWords);
  int *device, *out;
  cudaMalloc((void**)&device, data.size() * sizeof(int));
  cudaMalloc((void**)&out, result.size() * sizeof(int));
  cudaMemcpy(device, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice);
  switch (depth) {
    case 1:
      read_all<1><<<blocks, kWords>>>(device, out, lines);
      break;
    case 2:
      read_all<2><<<blocks, kWords>>>(device, out, lines);
      break;
    case 4:
      read_all<4><<<blocks, kWords>>>(device, out, lines);
      break;
    case 8:
      read_all<8><<<blocks, kWords>>>(device, out, lines);
      break;
    default:
      std::puts("FAIL depth is 1, 2, 4 or 8");
      return 2;
  }
  cudaMemcpy(result.data(), out, result.size() * sizeof(int), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int lane = 0; lane < kWords; ++lane) {
    int expected = 0;
    for (int line = 0; line < lines; ++line) expected += data[line * kWords + lane];
    for (int block = 0; block < blocks; ++block)
      right = right && result[block * kWords + lane] == expected;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
