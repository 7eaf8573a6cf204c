// SPDX-License-Identifier: Apache-2.0
// spmv [rows = 8192] [average = 12] [rounds = 1]: y = A x for a sparse matrix in compressed rows, a
// thread a row, so many times over.
//
// Stands for: SPMV of Parboil.
// Memory: each lane walks its own row, so column numbers and values are un-coalesced, and x is read
// at data-dependent addresses; rows differ in length (divergent loops). Primary and secondary
// misses.
// In the papers: KI (docs/references.md).
// Measured (49152 12): un-coalesced, primary-miss-predominant, type I.
#include "common/check.hpp"

__global__ void spmv(const int* first, const int* column, const float* value, const float* x,
                     float* y, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int k = first[r]; k < first[r + 1]; ++k) sum += value[k] * __ldg(&x[column[k]]);
  y[r] = sum;
}

int main(int argc, char** argv) {
  const int rows = workload::size_argument(argc, argv, 1, 8192, 1, 1 << 24);
  const int average = workload::size_argument(argc, argv, 2, 12, 1, 64);
  const int rounds = workload::size_argument(argc, argv, 3, 1, 1, 1000);
  workload::no_more_arguments(argc, argv, 3);
  workload::Random random(1);
  std::vector<int> first(1, 0), column;
  for (int r = 0; r < rows; ++r) {
    const int length = 1 + static_cast<int>(random.below(2 * average));
    for (int k = 0; k < length; ++k) column.push_back(static_cast<int>(random.below(rows)));
    first.push_back(static_cast<int>(column.size()));
  }
  const auto value = workload::random_floats(column.size(), 2);
  const auto x = workload::random_floats(rows, 3);
  const workload::DeviceArray<int> dfirst(first), dcolumn(column);
  const workload::DeviceArray<float> dvalue(value), dx(x), dy(rows);

  constexpr unsigned kBlock = 192;
  for (int round = 0; round < rounds; ++round)
    spmv<<<workload::blocks_for(rows, kBlock), kBlock>>>(dfirst, dcolumn, dvalue, dx, dy, rows);
  workload::finish_kernels();

  std::vector<double> y(rows);
  for (int r = 0; r < rows; ++r)
    for (int k = first[r]; k < first[r + 1]; ++k) y[r] += double(value[k]) * x[column[k]];
  workload::Verdict verdict;
  verdict.close("y", dy.download(), y, 1e-5);
  return verdict.done();
}
