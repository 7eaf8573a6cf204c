// SPDX-License-Identifier: Apache-2.0
// sgemm [n = 256] [m = n] [k = n]: C = A B^T with tiles in shared memory; each thread computes a
// row of 16 elements.
//
// Stands for: SGEMM of Parboil.
// Memory: column-major A is read coalesced, a tile of B goes through shared memory; each word
// loaded is used 16 times from registers. Few misses an instruction.
// In the papers: DL, KI (docs/references.md).
// Measured (432): coherent, secondary-miss-predominant (no fails), type 0.
#include "common/matrix.hpp"

constexpr int kRows = 128;    // of a block: one a thread
constexpr int kColumns = 16;  // of a block: all of each thread
constexpr int kDepth = 8;     // of a tile of B: kRows = kColumns * kDepth threads load it

// A: element (i, p) at p * n + i. B: element (p, j) at p * m + j. C as A.
__global__ void sgemm(const float* a, const float* b, float* c, int n, int m, int k) {
  __shared__ float tile[kDepth][kColumns];
  const int i = blockIdx.x * kRows + threadIdx.x;
  const int j0 = blockIdx.y * kColumns;
  const int tp = threadIdx.x / kColumns, tj = threadIdx.x % kColumns;
  float sum[kColumns] = {};
  for (int p0 = 0; p0 < k; p0 += kDepth) {
    tile[tp][tj] = p0 + tp < k && j0 + tj < m ? b[(p0 + tp) * m + j0 + tj] : 0.0f;
    __syncthreads();
    if (i < n)
      for (int p = 0; p < kDepth && p0 + p < k; ++p) {
        const float v = a[(p0 + p) * n + i];
        for (int j = 0; j < kColumns; ++j) sum[j] += v * tile[p][j];
      }
    __syncthreads();
  }
  if (i >= n) return;
  for (int j = 0; j < kColumns; ++j)
    if (j0 + j < m) c[(j0 + j) * n + i] = sum[j];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 256, 1, 16384);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 16384);
  const int k = workload::size_argument(argc, argv, 3, n, 1, 16384);
  workload::no_more_arguments(argc, argv, 3);
  const auto a = workload::random_floats(std::size_t(n) * k, 1);
  const auto b = workload::random_floats(std::size_t(k) * m, 2);
  const workload::DeviceArray<float> da(a), db(b), dc(std::size_t(n) * m);

  sgemm<<<dim3(workload::blocks_for(n, kRows), workload::blocks_for(m, kColumns)), kRows>>>(
      da, db, dc, n, m, k);
  workload::finish_kernels();

  const auto expected = workload::multiply(workload::transposed(a, k, n), b, n, k, m);
  workload::Verdict verdict;
  verdict.close("C", dc.download(), workload::transposed(expected, n, m), 1e-4);
  return verdict.done();
}
