// SPDX-License-Identifier: Apache-2.0
// pathfinder [columns = 16384] [rows = 41] [unshared = 0]: the cheapest way down a grid, row by
// row; a block advances its columns with a halo ten rows in shared memory.
//
// Stands for: PathFinder of Rodinia.
// Memory: rows stream through (coalesced, no reuse but halos), the running minima stay in shared
// memory with two barriers a row. Primary misses.
// unshared 1: the minima stay in global memory, a launch a row (MR 5.6).
// In the papers: GU, MR (docs/references.md).
// Measured (196608 41): coherent, primary-miss-predominant, type 0.
#include <algorithm>
#include <utility>

#include "common/check.hpp"

constexpr int kBlock = 256;
constexpr int kPyramid = 10;

__global__ void pathfinder(const int* wall, const int* in, int* out, int columns, int first_row,
                           int rows) {
  __shared__ int previous[kBlock], result[kBlock];
  const int t = threadIdx.x;
  const int x = blockIdx.x * (kBlock - 2 * kPyramid) - kPyramid + t;
  const bool inside = x >= 0 && x < columns;
  if (inside) previous[t] = in[x];
  __syncthreads();
  const int west = x == 0 ? t : t - 1, east = x == columns - 1 ? t : t + 1;
  for (int row = 0; row < rows; ++row) {
    const bool valid = inside && t > row && t < kBlock - 1 - row;
    if (valid)
      result[t] = min(previous[t], min(previous[west], previous[east])) +
                  wall[(first_row + row) * columns + x];
    __syncthreads();
    if (valid) previous[t] = result[t];
    __syncthreads();
  }
  if (inside && t >= kPyramid && t < kBlock - kPyramid) out[x] = previous[t];
}

__global__ void pathfinder_unshared(const int* wall, const int* in, int* out, int columns,
                                    int row) {
  const int x = blockIdx.x * kBlock + threadIdx.x;
  if (x >= columns) return;
  out[x] =
      min(in[x], min(in[max(x - 1, 0)], in[min(x + 1, columns - 1)])) + wall[row * columns + x];
}

int main(int argc, char** argv) {
  const int columns = workload::size_argument(argc, argv, 1, 16384, 1, 1 << 24);
  const int rows = workload::size_argument(argc, argv, 2, 41, 2, 65536);
  const bool unshared = workload::size_argument(argc, argv, 3, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 3);
  workload::Random random(1);
  std::vector<int> wall(std::size_t(columns) * rows);
  for (int& w : wall) w = static_cast<int>(random.below(10));
  std::vector<int> now(wall.begin(), wall.begin() + columns), next(columns);
  workload::DeviceArray<int> dwall(wall), first(now), second(columns);

  int* from = first;
  int* to = second;
  const int pyramid = unshared ? 0 : kPyramid;
  const unsigned blocks = workload::blocks_for(columns, kBlock - 2 * pyramid);
  for (int row = 1; row < rows; row += std::max(pyramid, 1)) {
    if (unshared)
      pathfinder_unshared<<<blocks, kBlock>>>(dwall, from, to, columns, row);
    else
      pathfinder<<<blocks, kBlock>>>(dwall, from, to, columns, row, std::min(kPyramid, rows - row));
    std::swap(from, to);
  }
  workload::finish_kernels();
  std::vector<int> got(columns);
  CHECK_CUDA(cudaMemcpy(got.data(), from, columns * sizeof(int), cudaMemcpyDeviceToHost));

  for (int row = 1; row < rows; ++row) {
    for (int x = 0; x < columns; ++x)
      next[x] = wall[std::size_t(row) * columns + x] +
                std::min({now[x], now[std::max(x - 1, 0)], now[std::min(x + 1, columns - 1)]});
    now.swap(next);
  }
  workload::Verdict verdict;
  verdict.equal("cost", got, now);
  return verdict.done();
}
