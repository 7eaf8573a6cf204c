// SPDX-License-Identifier: Apache-2.0
// Recursion, functions that are not inlined, and local arrays that are indexed at run time.
#include "check.h"

__device__ __noinline__ int partition(int* v, int low, int high) {
  const int pivot = v[high];
  int at = low;
  for (int i = low; i < high; ++i)
    if (v[i] < pivot) {
      const int t = v[i];
      v[i] = v[at];
      v[at++] = t;
    }
  v[high] = v[at];
  v[at] = pivot;
  return at;
}
__device__ void quick_sort(int* v, int low, int high) {
  if (low >= high) return;
  const int at = partition(v, low, high);
  quick_sort(v, low, at - 1);
  quick_sort(v, at + 1, high);
}
__device__ int queens(int n, unsigned columns, unsigned left, unsigned right) {
  const unsigned all = (1u << n) - 1;
  if (columns == all) return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free != 0; free &= free - 1) {
    const unsigned bit = free & (0u - free);
    count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

__global__ void sort(int* data, int n) {
  int mine[16];
  int* const row = data + (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int i = 0; i < 16; ++i) mine[i] = row[i];
  quick_sort(mine, 0, n - 1);
  for (int i = 0; i < 16; ++i) row[i] = mine[i];
}
__global__ void place(int* counts) { counts[threadIdx.x] = queens(threadIdx.x + 1, 0, 0, 0); }

int main() {
  const int rows = 64;
  static int host[rows * 16];
  int *data, *counts, found[6];
  for (int i = 0; i < rows * 16; ++i) host[i] = i * 7919 % 1009;
  OK(cudaMalloc(&data, sizeof host));
  OK(cudaMalloc(&counts, sizeof found));
  OK(cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice));
  sort<<<2, 32>>>(data, 16);
  place<<<1, 6>>>(counts);
  OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(found, counts, sizeof found, cudaMemcpyDeviceToHost));
  for (int r = 0; r < rows; ++r) {
    int sum = 0, wanted = 0;
    for (int i = 0; i < 16; ++i) {
      CHECK(i == 0 || host[r * 16 + i - 1] <= host[r * 16 + i]);
      sum += host[r * 16 + i];
      wanted += (r * 16 + i) * 7919 % 1009;
    }
    CHECK(sum == wanted);
  }
  const int known[6] = {1, 0, 0, 2, 10, 4};
  for (int i = 0; i < 6; ++i) CHECK(found[i] == known[i]);
  return finish();
}
