// SPDX-License-Identifier: Apache-2.0
// gemm_async [n = 192] [m = n] [k = n]: C = A B for A of n x k and B of k x m, with tiles that
// arrive in shared memory by cp.async while the tiles before them are multiplied.
//
// Stands for: the single-precision GEMM of today's libraries on Ampere and later.
// Memory: tiles of 64 x 16 and 16 x 64 by copies of 16 bytes past L1D's registers, two of each in
// shared memory; a tile of A is read by all blocks of a row, one of B by all of a column, so that
// L2 sees each m / 64 or n / 64 times. Shared memory is read as float4.
// Measured (320): un-coalesced, no misses, type 0.
#include <cuda_pipeline.h>

#include "common/matrix.hpp"

constexpr int kTile = 64;   // rows and columns of C for a block
constexpr int kDepth = 16;  // of a step along k
constexpr int kMine = 4;    // rows and columns of C for a thread
constexpr int kThreads = kTile / kMine * (kTile / kMine);
constexpr int kVector = 4;             // floats of a copy
constexpr int kRow = kTile + kVector;  // of a tile of B; rows begin at different banks

/// Starts the copy of rows x columns from (row, column) of `from`; what lies outside is zero.
template <int rows, int columns, int pitch>
__device__ void copy_tile(float (*to)[pitch], const float* from, int row, int column, int height,
                          int width) {
  constexpr int per_row = columns / kVector;
  for (int i = threadIdx.x; i < rows * per_row; i += kThreads) {
    const int r = i / per_row, c = i % per_row * kVector;
    const int inside =
        row + r < height ? min(kVector, max(0, width - column - c)) * int(sizeof(float)) : 0;
    // A copy without bytes still names an address, which is that of the matrix.
    const float* const first = inside > 0 ? from + size_t(row + r) * width + column + c : from;
    __pipeline_memcpy_async(&to[r][c], first, kVector * sizeof(float),
                            kVector * sizeof(float) - inside);
  }
}

__global__ void __launch_bounds__(kThreads)
    gemm(const float* a, const float* b, float* c, int n, int m, int k) {
  __shared__ __align__(16) float tile_a[2][kTile][kDepth + kVector];
  __shared__ __align__(16) float tile_b[2][kDepth][kRow];
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  const int my_row = threadIdx.x / (kTile / kMine) * kMine;
  const int my_column = threadIdx.x % (kTile / kMine) * kMine;
  const int steps = (k + kDepth - 1) / kDepth;

  copy_tile<kTile, kDepth>(tile_a[0], a, row, 0, n, k);
  copy_tile<kDepth, kTile>(tile_b[0], b, 0, column, k, m);
  __pipeline_commit();
  float sum[kMine][kMine] = {};
  for (int step = 0; step < steps; ++step) {
    const int now = step % 2;
    if (step + 1 < steps) {
      copy_tile<kTile, kDepth>(tile_a[1 - now], a, row, (step + 1) * kDepth, n, k);
      copy_tile<kDepth, kTile>(tile_b[1 - now], b, (step + 1) * kDepth, column, k, m);
    }
    __pipeline_commit();  // closed without copies in the last step, so that one group may remain
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; ++p) {
      const float4 b4 = *reinterpret_cast<const float4*>(&tile_b[now][p][my_column]);
#pragma unroll
      for (int i = 0; i < kMine; ++i) {
        const float av = tile_a[now][my_row + i][p];
        sum[i][0] += av * b4.x;
        sum[i][1] += av * b4.y;
        sum[i][2] += av * b4.z;
        sum[i][3] += av * b4.w;
      }
    }
    __syncthreads();  // before the next step copies over this tile
  }
  for (int i = 0; i < kMine; ++i) {
    if (row + my_row + i >= n || column + my_column >= m) continue;
    *reinterpret_cast<float4*>(&c[size_t(row + my_row + i) * m + column + my_column]) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 192, 1, 16384);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 16384);
  const int k = workload::size_argument(argc, argv, 3, n, 1, 16384);
  workload::no_more_arguments(argc, argv, 3);
  if (m % kVector != 0 || k % kVector != 0) {
    std::fprintf(stderr, "%s: m is %d and k is %d; both are multiples of %d\n", argv[0], m, k,
                 kVector);
    return 1;
  }
  const auto a = workload::random_floats(std::size_t(n) * k, 1, -1, 1);
  const auto b = workload::random_floats(std::size_t(k) * m, 2, -1, 1);
  const workload::DeviceArray<float> da(a), db(b), dc(std::size_t(n) * m);
  gemm<<<dim3(workload::blocks_for(m, kTile), workload::blocks_for(n, kTile)), kThreads>>>(
      da, db, dc, n, m, k);
  workload::finish_kernels();

  workload::Verdict verdict;
  verdict.close("c", dc.download(), workload::multiply(a, b, n, k, m), 1e-4);
  return verdict.done();
}
