// SPDX-License-Identifier: Apache-2.0
// Matrix product as PolyBench/GPU writes it: the sum stays in global memory, so that every
// iteration stores it (the compiler may not assume that c is neither a nor b).
#pragma once

/// C = alpha A B + beta C for A of n x k, B of k x m; a thread an element.
__global__ void multiply_in_memory(const float* a, const float* b, float* c, int n, int m, int k,
                                   float alpha, float beta) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  c[i * m + j] = beta == 0.0f ? 0.0f : beta * c[i * m + j];
  for (int p = 0; p < k; ++p) c[i * m + j] += alpha * a[i * k + p] * b[p * m + j];
}
