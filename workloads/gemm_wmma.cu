// SPDX-License-Identifier: Apache-2.0
// gemm_wmma [n = 256] [m = n] [k = n]: C = A B in half precision with sums in float on tensor
// cores, with tiles that arrive in shared memory by cp.async. Sizes are multiples of 64, 64, 32.
//
// Stands for: the mixed-precision GEMM of neural networks, as libraries run it on tensor cores.
// Memory: per block and step 4 KiB of A and 4 KiB of B by copies of 16 bytes, double-buffered;
// fragments come from shared memory, so L1D sees the copies and the stores of C alone. Half the
// bytes of gemm_async for an operation, and less time for it: bandwidth shows sooner.
// Measured (384): un-coalesced, no misses, type 0.
#include <cuda_pipeline.h>
#include <mma.h>

#include "common/matrix.hpp"

using namespace nvcuda;

constexpr int kTile = 64;   // rows and columns of C for a block
constexpr int kDepth = 32;  // of a step along k
constexpr int kPiece = 16;  // of a wmma product
constexpr int kThreads = 128;
constexpr int kVector = 8;  // halves of a copy
constexpr int kPad = 16;    // halves; pieces stay at multiples of 32 bytes

template <int rows, int columns, int pitch>
__device__ void copy_tile(half (*to)[pitch], const half* from, int width) {
  constexpr int per_row = columns / kVector;
  for (int i = threadIdx.x; i < rows * per_row; i += kThreads) {
    const int r = i / per_row, c = i % per_row * kVector;
    __pipeline_memcpy_async(&to[r][c], from + size_t(r) * width + c, kVector * sizeof(half));
  }
}

/// A warp computes 32 x 32 of C, a quarter of the block's.
__global__ void __launch_bounds__(kThreads)
    gemm(const half* a, const half* b, float* c, int m, int k) {
  __shared__ __align__(32) half tile_a[2][kTile][kDepth + kPad];
  __shared__ __align__(32) half tile_b[2][kDepth][kTile + kPad];
  const half* const rows = a + size_t(blockIdx.y) * kTile * k;
  const half* const columns = b + blockIdx.x * kTile;
  const int warp = threadIdx.x / 32, warp_row = warp / 2 * 32, warp_column = warp % 2 * 32;
  const int steps = k / kDepth;

  wmma::fragment<wmma::accumulator, kPiece, kPiece, kPiece, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
  copy_tile<kTile, kDepth>(tile_a[0], rows, k);
  copy_tile<kDepth, kTile>(tile_b[0], columns, m);
  __pipeline_commit();
  for (int step = 0; step < steps; ++step) {
    const int now = step % 2;
    if (step + 1 < steps) {
      copy_tile<kTile, kDepth>(tile_a[1 - now], rows + (step + 1) * kDepth, k);
      copy_tile<kDepth, kTile>(tile_b[1 - now], columns + size_t(step + 1) * kDepth * m, m);
    }
    __pipeline_commit();  // closed without copies in the last step, so that one group may remain
    __pipeline_wait_prior(1);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < kDepth; p += kPiece) {
      wmma::fragment<wmma::matrix_a, kPiece, kPiece, kPiece, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, kPiece, kPiece, kPiece, half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(fa[i], &tile_a[now][warp_row + i * kPiece][p], kDepth + kPad);
        wmma::load_matrix_sync(fb[i], &tile_b[now][p][warp_column + i * kPiece], kTile + kPad);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], fa[i], fb[j], sum[i][j]);
    }
    __syncthreads();  // before the next step copies over this tile
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const size_t row = blockIdx.y * kTile + warp_row + i * kPiece;
      const int column = blockIdx.x * kTile + warp_column + j * kPiece;
      wmma::store_matrix_sync(c + row * m + column, sum[i][j], m, wmma::mem_row_major);
    }
}

/// The values and, for the CPU, what half precision leaves of them.
static std::vector<half> halves(std::vector<float>& values) {
  std::vector<half> out;
  out.reserve(values.size());
  for (float& v : values) {
    out.push_back(__float2half(v));
    v = __half2float(out.back());
  }
  return out;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 256, 1, 16384);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 16384);
  const int k = workload::size_argument(argc, argv, 3, n, 1, 16384);
  workload::no_more_arguments(argc, argv, 3);
  if (n % kTile != 0 || m % kTile != 0 || k % kDepth != 0) {
    std::fprintf(stderr, "%s: %d x %d x %d; n and m are multiples of %d, k of %d\n", argv[0], n, m,
                 k, kTile, kDepth);
    return 1;
  }
  auto a = workload::random_floats(std::size_t(n) * k, 1, -1, 1);
  auto b = workload::random_floats(std::size_t(k) * m, 2, -1, 1);
  const workload::DeviceArray<half> da(halves(a)), db(halves(b));
  const workload::DeviceArray<float> dc(std::size_t(n) * m);
  gemm<<<dim3(m / kTile, n / kTile), kThreads>>>(da, db, dc, m, k);
  workload::finish_kernels();

  workload::Verdict verdict;
  verdict.close("c", dc.download(), workload::multiply(a, b, n, k, m), 1e-4);
  return verdict.done();
}
