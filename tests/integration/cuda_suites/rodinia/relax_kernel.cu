// SPDX-License-Identifier: Apache-2.0
#ifndef RELAX_KERNEL_CU
#define RELAX_KERNEL_CU

#ifdef RD_WG_SIZE_0
#define BLOCK_SIZE RD_WG_SIZE_0
#else
#define BLOCK_SIZE 256
#endif

texture<int, 1, cudaReadModeElementType> t_cost;

__global__ void relax(const int *first, const int *to, int *distance, int *changed, int nodes) {
  __shared__ int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  int tid = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (tid < nodes && distance[tid] != INT_MAX)
    for (int e = first[tid]; e < first[tid + 1]; e++) {
      int candidate = distance[tid] + tex1Dfetch(t_cost, e);
      if (atomicMin(&distance[to[e]], candidate) > candidate) any = 1;
    }
  __syncthreads();
  if (threadIdx.x == 0 && any) *changed = 1;
}

#endif
