// SPDX-License-Identifier: Apache-2.0
// spmm [rows = 1024] [per_row = 12] [columns = 64]: C = A B for a sparse square matrix A in
// compressed sparse rows and a dense B of that many columns, a multiple of 32.
//
// Stands for: SpMM of graph neural networks (a sum over neighbours' features).
// Memory: a warp takes a row of A and 32 columns; it loads 32 entries of A at once (coalesced) and
// hands them round by shuffles, so that what remains is one line of B an entry, at random rows of
// it. Reuse of B among rows, in L2 if it fits. Rows are uneven.
// Measured (4096 8 64): coherent, secondary-miss-predominant, type 0.
#include "common/graph.hpp"

constexpr int kThreads = 128;
constexpr int kWarp = 32;

__global__ void spmm(const int* first, const int* column, const float* value, const float* b,
                     float* c, int rows, int columns) {
  const int row = (blockIdx.x * kThreads + threadIdx.x) / kWarp;
  const int lane = threadIdx.x % kWarp;
  if (row >= rows) return;
  const int mine = blockIdx.y * kWarp + lane, end = first[row + 1];
  float sum = 0;
  for (int begin = first[row]; begin < end; begin += kWarp) {
    int from = 0;
    float weight = 0;
    if (begin + lane < end) {
      from = column[begin + lane];
      weight = value[begin + lane];
    }
    const int here = min(kWarp, end - begin);
    for (int i = 0; i < here; ++i)
      sum += __shfl_sync(0xffffffff, weight, i) *
             b[size_t(__shfl_sync(0xffffffff, from, i)) * columns + mine];
  }
  c[size_t(row) * columns + mine] = sum;
}

int main(int argc, char** argv) {
  const int rows = workload::size_argument(argc, argv, 1, 1024, 2, 1 << 22);
  const int per_row = workload::size_argument(argc, argv, 2, 12, 1, 64);
  const int columns = workload::size_argument(argc, argv, 3, 64, kWarp, 1024);
  workload::no_more_arguments(argc, argv, 3);
  if (columns % kWarp != 0) {
    std::fprintf(stderr, "%s: %d columns; they are a multiple of %d\n", argv[0], columns, kWarp);
    return 1;
  }
  const workload::Graph a = workload::random_graph(rows, per_row, 1);
  const auto value = workload::random_floats(a.edges(), 2, -1, 1);
  const auto b = workload::random_floats(std::size_t(rows) * columns, 3, -1, 1);
  const workload::DeviceArray<int> first(a.first), column(a.target);
  const workload::DeviceArray<float> dvalue(value), db(b), dc(b.size());
  spmm<<<dim3(workload::blocks_for(rows, kThreads / kWarp), columns / kWarp), kThreads>>>(
      first, column, dvalue, db, dc, rows, columns);
  workload::finish_kernels();

  std::vector<double> expected(b.size(), 0.0);
  for (int r = 0; r < rows; ++r)
    for (int e = a.first[r]; e < a.first[r + 1]; ++e)
      for (int c = 0; c < columns; ++c)
        expected[std::size_t(r) * columns + c] +=
            double(value[e]) * b[std::size_t(a.target[e]) * columns + c];
  workload::Verdict verdict;
  verdict.close("c", dc.download(), expected, 1e-4);
  return verdict.done();
}
