// SPDX-License-Identifier: Apache-2.0
// gaussian [n = 128]: solves A x = b by Gaussian elimination without pivoting, two launches a
// column.
//
// Stands for: Gaussian Elimination of Rodinia.
// Memory: the multipliers are a column (one word a line: un-coalesced); the second kernel walks the
// matrix in blocks of 4 x 4, consecutive threads in different rows, so its accesses are
// un-coalesced too (4 rows a half warp), and neighbouring blocks of y use the same lines. Many
// launches, whose grids cover the whole matrix to the end, as in the original.
// In the papers: GU, BU (docs/references.md).
// Measured (128): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void gaussian_multipliers(const float* a, float* m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1 - t) return;
  m[n * (t + 1 + i) + t] = a[n * (t + 1 + i) + t] / a[n * t + t];
}

__global__ void gaussian_eliminate(const float* m, float* a, float* b, int n, int t) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n - 1 - t || y >= n - t) return;
  const int row = t + 1 + x;
  a[n * row + t + y] -= m[n * row + t] * a[n * t + t + y];
  if (y == 0) b[row] -= m[n * row + t] * b[t];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 128, 1, 4096);
  workload::no_more_arguments(argc, argv, 1);
  auto a = workload::random_floats(std::size_t(n) * n, 1);
  const auto x = workload::random_floats(n, 2);
  for (int i = 0; i < n; ++i) a[std::size_t(i) * n + i] += static_cast<float>(n);
  std::vector<float> b(n);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += double(a[std::size_t(i) * n + j]) * x[j];
    b[i] = static_cast<float>(sum);
  }
  const workload::DeviceArray<float> da(a), db(b);
  workload::DeviceArray<float> dm(a.size());
  dm.zero();

  constexpr unsigned kRows = 512;
  constexpr unsigned kSide = 4;
  const dim3 grid(workload::blocks_for(n, kSide), workload::blocks_for(n, kSide));
  for (int t = 0; t < n - 1; ++t) {
    gaussian_multipliers<<<workload::blocks_for(n, kRows), kRows>>>(da, dm, n, t);
    gaussian_eliminate<<<grid, dim3(kSide, kSide)>>>(dm, da, db, n, t);
  }
  workload::finish_kernels();

  // Back substitution on the host, as in the original.
  const auto upper = da.download(), right = db.download();
  std::vector<double> solution(n);
  for (int i = n - 1; i >= 0; --i) {
    double sum = right[i];
    for (int j = i + 1; j < n; ++j) sum -= upper[std::size_t(i) * n + j] * solution[j];
    solution[i] = sum / upper[std::size_t(i) * n + i];
  }
  workload::Verdict verdict;
  verdict.close("x", solution, x, 1e-4);
  return verdict.done();
}
