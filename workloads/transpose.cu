// SPDX-License-Identifier: Apache-2.0
// transpose [n = 512] [m = n] [sample = 0]: B = A^T for an n x m matrix, once naively and once
// through shared memory; with 1 by the kernels and the tiles of 16 x 16 of the SDK's sample
// instead, two of which only copy.
//
// Stands for: transpose of the CUDA SDK samples.
// Memory: the naive kernel stores with a stride of a row (un-coalesced, 32 lines a warp); the tiled
// one is coalesced on both sides. No reuse; primary misses.
// In the papers: DL, KI (docs/references.md).
// Measured (880): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kSampleTile = 16;  // a thread an element

__global__ void sample_copy(const float* in, float* out, int n, int m) {
  const int x = blockIdx.x * kSampleTile + threadIdx.x, y = blockIdx.y * kSampleTile + threadIdx.y;
  if (x < m && y < n) out[y * m + x] = in[y * m + x];
}

__global__ void sample_copy_shared(const float* in, float* out, int n, int m) {
  __shared__ float tile[kSampleTile][kSampleTile];
  const int x = blockIdx.x * kSampleTile + threadIdx.x, y = blockIdx.y * kSampleTile + threadIdx.y;
  const bool inside = x < m && y < n;
  if (inside) tile[threadIdx.y][threadIdx.x] = in[y * m + x];
  __syncthreads();
  if (inside) out[y * m + x] = tile[threadIdx.y][threadIdx.x];
}

__global__ void sample_naive(const float* in, float* out, int n, int m) {
  const int x = blockIdx.x * kSampleTile + threadIdx.x, y = blockIdx.y * kSampleTile + threadIdx.y;
  if (x < m && y < n) out[x * n + y] = in[y * m + x];
}

/// The tile at (bx, by) of the input through shared memory, whose rows are `kRow` words apart.
template <int kRow>
__device__ void transpose_tile(const float* in, float* out, int n, int m, int bx, int by) {
  __shared__ float tile[kSampleTile][kRow];
  int x = bx * kSampleTile + threadIdx.x, y = by * kSampleTile + threadIdx.y;
  if (x < m && y < n) tile[threadIdx.y][threadIdx.x] = in[y * m + x];
  __syncthreads();
  x = by * kSampleTile + threadIdx.x;
  y = bx * kSampleTile + threadIdx.y;
  if (x < n && y < m) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void sample_coalesced(const float* in, float* out, int n, int m) {
  transpose_tile<kSampleTile>(in, out, n, m, blockIdx.x, blockIdx.y);
}

__global__ void sample_no_conflicts(const float* in, float* out, int n, int m) {
  transpose_tile<kSampleTile + 1>(in, out, n, m, blockIdx.x, blockIdx.y);
}

// Blocks that run together are on a diagonal of the matrix: their lines lie in different
// partitions.
__global__ void sample_diagonal(const float* in, float* out, int n, int m) {
  const int block = blockIdx.x + gridDim.x * blockIdx.y;
  const int by = block % gridDim.y, bx = (block / gridDim.y + by) % gridDim.x;
  transpose_tile<kSampleTile + 1>(in, out, n, m, bx, by);
}

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
  const bool sample = workload::size_argument(argc, argv, 3, 0, 0, 1) == 1;
  workload::no_more_arguments(argc, argv, 3);
  const auto a = workload::random_floats(std::size_t(n) * m, 1);
  std::vector<float> transposed(a.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) transposed[std::size_t(j) * n + i] = a[std::size_t(i) * m + j];

  const workload::DeviceArray<float> in(a);
  workload::Verdict verdict;
  if (!sample) {
    const workload::DeviceArray<float> naive(a.size()), tiled(a.size());
    const dim3 block(kTile, kRows);
    const dim3 grid(workload::blocks_for(m, kTile), workload::blocks_for(n, kTile));
    transpose_naive<<<grid, block>>>(in, naive, n, m);
    transpose_tiled<<<grid, block>>>(in, tiled, n, m);
    workload::finish_kernels();
    verdict.close("naive", naive.download(), transposed, 0);
    verdict.close("tiled", tiled.download(), transposed, 0);
    return verdict.done();
  }
  workload::DeviceArray<float> out(a.size());
  const auto run = [&](const char* name, auto kernel, const std::vector<float>& expected) {
    out.zero();
    kernel<<<dim3(workload::blocks_for(m, kSampleTile), workload::blocks_for(n, kSampleTile)),
             dim3(kSampleTile, kSampleTile)>>>(in, out, n, m);
    workload::finish_kernels();
    verdict.close(name, out.download(), expected, 0);
  };
  run("copy", sample_copy, a);
  run("copy through shared memory", sample_copy_shared, a);
  run("naive", sample_naive, transposed);
  run("coalesced", sample_coalesced, transposed);
  run("without bank conflicts", sample_no_conflicts, transposed);
  run("diagonal", sample_diagonal, transposed);
  return verdict.done();
}
