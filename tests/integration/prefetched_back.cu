// SPDX-License-Identifier: Apache-2.0
// Managed memory that the program moves to the device before each kernel and back after it, and
// memory that a later allocation leaves no room for.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void increment(int* p, int n) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride)
    p[i] += 1;
}

// usage: prefetched_back BYTES PLAIN    bytes of managed memory, and of plain memory that is
//                                        allocated later, or 0
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const size_t bytes = static_cast<size_t>(std::atoll(argv[1]));
  const size_t plain = static_cast<size_t>(std::atoll(argv[2]));
  const int n = static_cast<int>(bytes / sizeof(int));
  int *p = nullptr, *other = nullptr;
  if (cudaMallocManaged(&p, bytes) != cudaSuccess) return 1;
  for (int i = 0; i < n; ++i) p[i] = i;
  for (int round = 0; round < 3; ++round) {
    cudaMemPrefetchAsync(p, bytes, 0);
    increment<<<8, 256>>>(p, n);
    if (plain == 0) cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId);
    if (plain != 0 && round == 0) {
      if (cudaMalloc(&other, plain) != cudaSuccess) return 1;
      increment<<<1, 32>>>(other, 32);
    }
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && p[i] == i + 3;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
