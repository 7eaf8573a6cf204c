// SPDX-License-Identifier: Apache-2.0
// Two patterns for prefetchers, few warps and no reuse. `loop`: every thread walks its column of a
// matrix, so each PC has one stride (PCST, KI 4.2.1). `straight`: every block loads from eight
// consecutive pieces without a loop, so there is a stride from one PC to the next (ITPC, KI 4.2.2).
// Each load is used before the next one is issued.
//
// arguments: [loop|straight [blocks]] (loop, 4)
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "../common/check.hpp"

constexpr int kThreads = 32;
constexpr int kSteps = 64;
constexpr int kPieces = 8;

__device__ int added(int sum, const int* p) {
  sum += *p;
  asm volatile("" : "+r"(sum)::"memory");
  return sum;
}

__global__ void walk_columns(const int* a, int* out, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < kSteps; ++i) sum = added(sum, a + i * columns + column);
  out[column] = sum;
}

__global__ void load_pieces(const int* a, int* out) {
  const int* p = a + blockIdx.x * kPieces * kThreads + threadIdx.x;
  int sum = added(0, p);
  sum = added(sum, p + kThreads);
  sum = added(sum, p + 2 * kThreads);
  sum = added(sum, p + 3 * kThreads);
  sum = added(sum, p + 4 * kThreads);
  sum = added(sum, p + 5 * kThreads);
  sum = added(sum, p + 6 * kThreads);
  sum = added(sum, p + 7 * kThreads);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  const bool straight = argc > 1 && std::strcmp(argv[1], "straight") == 0;
  if (argc > 1 && !straight && std::strcmp(argv[1], "loop") != 0) {
    std::fprintf(stderr, "error: %s is neither loop nor straight\n", argv[1]);
    return 2;
  }
  const int blocks = workload::size_argument(argc, argv, 2, 4, 1, 1 << 12);
  workload::no_more_arguments(argc, argv, 2);
  const int threads = blocks * kThreads;
  std::vector<int> a(static_cast<std::size_t>(threads) * kSteps);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(i * 2654435761u % 1000);
  int *device, *out;
  cudaMalloc((void**)&device, a.size() * sizeof(int));
  cudaMalloc((void**)&out, threads * sizeof(int));
  cudaMemcpy(device, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  if (straight) {
    load_pieces<<<blocks, kThreads>>>(device, out);
  } else {
    walk_columns<<<blocks, kThreads>>>(device, out, threads);
  }
  std::vector<int> result(threads);
  cudaMemcpy(result.data(), out, threads * sizeof(int), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int t = 0; t < threads; ++t) {
    int expected = 0;
    for (int i = 0; i < (straight ? kPieces : kSteps); ++i)
      expected += straight ? a[(t / kThreads * kPieces + i) * kThreads + t % kThreads]
                           : a[static_cast<std::size_t>(i) * threads + t];
    right = right && result[t] == expected;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
