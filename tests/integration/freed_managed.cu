// SPDX-License-Identifier: Apache-2.0
// Managed memory that is freed and allocated again, smaller, with kernels in between. Pages of the
// first allocation that the second does not cover belong to nobody afterwards.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void increment(int* p, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < n) p[i] += 1;
}

// usage: freed_managed FIRST SECOND OFFSET    bytes of the allocations; of the first kernel's ints
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const size_t first = static_cast<size_t>(std::atoll(argv[1]));
  const size_t second = static_cast<size_t>(std::atoll(argv[2]));
  int *p = nullptr, *other = nullptr;
  if (cudaMallocManaged(&other, 4) != cudaSuccess) return 1;
  if (cudaMallocManaged(&p, first) != cudaSuccess) return 1;
  increment<<<1, 32>>>(p + std::atoi(argv[3]), 4);
  cudaFree(p);
  increment<<<1, 32>>>(other, 1);
  if (cudaMallocManaged(&p, second) != cudaSuccess) return 1;
  increment<<<1, 32>>>(p, 32);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  bool right = *other == 1;
  for (int i = 0; i < 33; ++i) right = right && p[i] == (i < 32 ? 1 : 0);
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
