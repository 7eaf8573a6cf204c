// SPDX-License-Identifier: Apache-2.0
// strided [kib = 1024] [form = 0] [rounds = 2]: sums of a square matrix of kib KiB, along its
// columns and along its rows in turn, as ATAX and MVT go over theirs.
//
// Pages: along columns a warp streams, and each page is used once in a sweep over all; along rows a
// thread walks a row of its own, so that a warp uses up to 32 rows' pages at a time, again and
// again.
#include <cmath>

#include "managed.hpp"

__global__ void along_columns(const unsigned* m, unsigned* sums, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;
  unsigned sum = sums[column];
  for (int row = 0; row < n; ++row) sum = 5 * sum + m[static_cast<std::size_t>(row) * n + column];
  sums[column] = sum;
}

__global__ void along_rows(const unsigned* m, unsigned* sums, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  unsigned sum = sums[row];
  for (int column = 0; column < n; ++column)
    sum = 5 * sum + m[static_cast<std::size_t>(row) * n + column];
  sums[row] = sum;
}

int main(int argc, char** argv) {
  const int kib = workload::size_argument(argc, argv, 1, 1024, 1, 1 << 21);
  const workload::Form form = workload::form_argument(argc, argv, 2);
  const int rounds = workload::size_argument(argc, argv, 3, 2, 1, 1000);
  workload::no_more_arguments(argc, argv, 3);
  const int n = static_cast<int>(std::sqrt(kib * 256.0));
  const auto m = workload::numbers(static_cast<std::size_t>(n) * n, 1);
  const workload::SharedArray<unsigned> dm(m, form), dsums(n, 0u, form);

  constexpr unsigned kBlock = 64;
  std::vector<unsigned> sums(n, 0);
  for (int r = 0; r < rounds; ++r) {
    const bool columns = r % 2 == 0;
    if (columns)
      along_columns<<<workload::blocks_for(n, kBlock), kBlock>>>(dm, dsums, n);
    else
      along_rows<<<workload::blocks_for(n, kBlock), kBlock>>>(dm, dsums, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        sums[i] =
            5 * sums[i] +
            m[columns ? static_cast<std::size_t>(j) * n + i : static_cast<std::size_t>(i) * n + j];
  }
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("sums", dsums.read(), sums);
  return verdict.done();
}
