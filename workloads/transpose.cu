// SPDX-License-Identifier: Apache-2.0
// transpose [n = 512] [m = n]: B = A^T for an n x m matrix, once naively and once through shared
// memory.
//
// Stands for: transpose of the CUDA SDK samples.
// Memory: the naive kernel stores with a stride of a row (un-coalesced, 32 lines a warp); the tiled
// one is coalesced on both sides. No reuse; primary misses.
// In the papers: DL, KI (docs/references.md).
// Measured (880): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kTile = 32;
constexpr int kRows = 8;  // each thread moves kTile / kRows elements

__global__ void transpose_naive(const float* in, float* out, int n, int m) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < m && y + j < n) out[x * n + y + j] = in[(y + j) * m + x];
}

__global__ void transpose_tiled(const float* in, float* out, int n, int m) {
  __shared__ float tile[kTile][kTile + 1];  // a column more: no bank conflicts
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < m && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * m + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < n && y + j < m) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 512, 1, 32768);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 32768);
  const auto a = workload::random_floats(std::size_t(n) * m, 1);
  const workload::DeviceArray<float> da(a), naive(a.size()), tiled(a.size());

  const dim3 block(kTile, kRows);
  const dim3 grid(workload::blocks_for(m, kTile), workload::blocks_for(n, kTile));
  transpose_naive<<<grid, block>>>(da, naive, n, m);
  transpose_tiled<<<grid, block>>>(da, tiled, n, m);
  workload::finish_kernels();

  std::vector<float> expected(a.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) expected[std::size_t(j) * n + i] = a[std::size_t(i) * m + j];
  workload::Verdict verdict;
  verdict.close("naive", naive.download(), expected, 0);
  verdict.close("tiled", tiled.download(), expected, 0);
  return verdict.done();
}
