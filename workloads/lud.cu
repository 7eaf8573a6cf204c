// SPDX-License-Identifier: Apache-2.0
// lud [n = 128] [unshared = 0]: LU decomposition without pivoting by tiles of 16 x 16: diagonal
// tile, perimeter, interior, three launches a tile.
//
// Stands for: LUD of Rodinia.
// Memory: tiles go through shared memory, rows of 16 words (half a line or two); parallelism
// shrinks with the matrix that is left. Coalesced in halves, primary misses.
// unshared 1: the tiles stay in global memory (MR 5.6).
// In the papers: MR, KI (docs/references.md).
// Measured (368): coherent, primary-miss-predominant, type 0.
#include "common/matrix.hpp"
#include "common/rows.hpp"

constexpr int kTile = 16;

// Decomposes a tile in place.
template <class Tile>
__device__ __forceinline__ void decompose(Tile&& s, int t) {
  for (int i = 0; i < kTile - 1; ++i) {
    if (t > i) {  // column i of L
      for (int j = 0; j < i; ++j) s[t][i] -= s[t][j] * s[j][i];
      s[t][i] /= s[i][i];
    }
    __syncthreads();
    if (t > i)  // row i + 1 of U
      for (int j = 0; j <= i; ++j) s[i + 1][t] -= s[i + 1][j] * s[j][t];
    __syncthreads();
  }
}

// Column t of a tile of the row, and row t of one of the column.
template <class Tile>
__device__ __forceinline__ void solve_row(Tile&& row, Tile&& diagonal, int t) {
  for (int i = 1; i < kTile; ++i)
    for (int j = 0; j < i; ++j) row[i][t] -= diagonal[i][j] * row[j][t];
}
template <class Tile>
__device__ __forceinline__ void solve_column(Tile&& column, Tile&& diagonal, int t) {
  for (int i = 0; i < kTile; ++i) {
    for (int j = 0; j < i; ++j) column[t][i] -= column[t][j] * diagonal[j][i];
    column[t][i] /= diagonal[i][i];
  }
}

__global__ void lud_diagonal(float* m, int n, int offset) {
  __shared__ float s[kTile][kTile];
  const int t = threadIdx.x;
  float* const corner = m + offset * n + offset;
  for (int i = 0; i < kTile; ++i) s[i][t] = corner[i * n + t];
  __syncthreads();
  decompose(s, t);
  for (int i = 1; i < kTile; ++i) corner[i * n + t] = s[i][t];
}

// The first half of the block solves a tile of the row, the second one of the column.
__global__ void lud_perimeter(float* m, int n, int offset) {
  __shared__ float diagonal[kTile][kTile], row[kTile][kTile], column[kTile][kTile];
  const int t = threadIdx.x % kTile;
  const bool upper = threadIdx.x < kTile;
  const int away = (blockIdx.x + 1) * kTile;
  float* const d = m + offset * n + offset;
  float* const r = d + away;
  float* const c = d + away * n;
  for (int i = 0; i < kTile; ++i) {
    if (upper) {
      diagonal[i][t] = d[i * n + t];
      row[i][t] = r[i * n + t];
    } else {
      column[i][t] = c[i * n + t];
    }
  }
  __syncthreads();
  if (upper)
    solve_row(row, diagonal, t);
  else
    solve_column(column, diagonal, t);
  __syncthreads();
  for (int i = 0; i < kTile; ++i) {
    if (upper)
      r[i * n + t] = row[i][t];
    else
      c[i * n + t] = column[i][t];
  }
}

__global__ void lud_interior(float* m, int n, int offset) {
  __shared__ float row[kTile][kTile], column[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = offset + (blockIdx.x + 1) * kTile, y = offset + (blockIdx.y + 1) * kTile;
  row[ty][tx] = m[(offset + ty) * n + x + tx];
  column[ty][tx] = m[(y + ty) * n + offset + tx];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < kTile; ++i) sum += column[ty][i] * row[i][tx];
  m[(y + ty) * n + x + tx] -= sum;
}

__global__ void lud_diagonal_unshared(float* m, int n, int offset) {
  decompose(Rows<float>{m + offset * n + offset, n}, threadIdx.x);
}

__global__ void lud_perimeter_unshared(float* m, int n, int offset) {
  const int t = threadIdx.x % kTile, away = (blockIdx.x + 1) * kTile;
  float* const d = m + offset * n + offset;
  if (threadIdx.x < kTile)
    solve_row(Rows<float>{d + away, n}, Rows<float>{d, n}, t);
  else
    solve_column(Rows<float>{d + away * n, n}, Rows<float>{d, n}, t);
}

__global__ void lud_interior_unshared(float* m, int n, int offset) {
  const int x = offset + (blockIdx.x + 1) * kTile + threadIdx.x;
  const int y = offset + (blockIdx.y + 1) * kTile + threadIdx.y;
  float sum = 0.0f;
  for (int i = offset; i < offset + kTile; ++i) sum += m[y * n + i] * m[i * n + x];
  m[y * n + x] -= sum;
}

int main(int argc, char** argv) {
  const int n = (workload::size_argument(argc, argv, 1, 128, 1, 8192) + kTile - 1) / kTile * kTile;
  const bool unshared = workload::size_argument(argc, argv, 2, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 2);
  const auto diagonal = unshared ? lud_diagonal_unshared : lud_diagonal;
  const auto perimeter = unshared ? lud_perimeter_unshared : lud_perimeter;
  const auto interior = unshared ? lud_interior_unshared : lud_interior;
  auto a = workload::random_floats(std::size_t(n) * n, 1);
  for (int i = 0; i < n; ++i) a[std::size_t(i) * n + i] += static_cast<float>(n);
  const workload::DeviceArray<float> m(a);

  for (int offset = 0; offset < n; offset += kTile) {
    diagonal<<<1, kTile>>>(m, n, offset);
    const unsigned left = (n - offset) / kTile - 1;
    if (left == 0) break;
    perimeter<<<left, 2 * kTile>>>(m, n, offset);
    interior<<<dim3(left, left), dim3(kTile, kTile)>>>(m, n, offset);
  }
  workload::finish_kernels();

  const auto got = m.download();
  std::vector<double> lower(got.size()), upper(got.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const std::size_t at = std::size_t(i) * n + j;
      lower[at] = i > j ? got[at] : i == j ? 1 : 0;
      upper[at] = i <= j ? got[at] : 0;
    }
  workload::Verdict verdict;
  verdict.close("L U", workload::multiply(lower, upper, n, n, n), a, 1e-5, n);
  return verdict.done();
}
