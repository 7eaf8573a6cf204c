// SPDX-License-Identifier: Apache-2.0
// Special registers in assembly, with one per cent sign and with two.
#include <cstdio>

__device__ unsigned lane() {
  unsigned r;
  asm("mov.u32 %0, %laneid;" : "=r"(r));
  return r;
}
__device__ unsigned lanes_below() {
  unsigned r;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
  return r;
}

__global__ void check(int* wrong) {
  unsigned thread, threads, block;
  asm("{ .reg .u32 t; mov.u32 t, %tid.x; mov.u32 %0, t; mov.u32 %1, %ntid.x; mov.u32 %2, %ctaid.x; "
      "}"
      : "=r"(thread), "=r"(threads), "=r"(block));
  if (thread != threadIdx.x || threads != blockDim.x || block != blockIdx.x) atomicAdd(wrong, 1);
  if (lane() != threadIdx.x % 32 || lanes_below() != (1u << lane()) - 1) atomicAdd(wrong, 1);
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %clock64;" : "=l"(before)::"memory");
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(after)::"memory");
  if (after < before) atomicAdd(wrong, 1);
}

int main() {
  int* wrong = nullptr;
  if (cudaMallocManaged(&wrong, sizeof(int)) != cudaSuccess) return 1;
  check<<<3, 96>>>(wrong);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  if (*wrong == 0) std::puts("PASS");
  return *wrong;
}
