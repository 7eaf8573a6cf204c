// SPDX-License-Identifier: Apache-2.0
// A cooperative launch: blocks meet in the middle of a kernel, again and again; a grid that does
// not fit is refused; without the launch the barrier is an error.
#include <cooperative_groups.h>

#include "common/check.hpp"

namespace cg = cooperative_groups;

constexpr int kThreads = 64, kRounds = 5;

// In each round a thread adds what the one before it, of another block at times, had in the last.
__global__ void rounds(int* values, int n) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int round = 0; round < kRounds; ++round) {
    const int other = values[(i + n - kThreads) % n];
    grid.sync();
    values[i] += other;
    grid.sync();
  }
}

int main() {
  int per_sm = 0, multiprocessors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, rounds, kThreads, 0);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const int most = per_sm * multiprocessors, blocks = most < 24 ? most : 24;
  int n = blocks * kThreads;
  workload::Random random(5);
  std::vector<int> in(n);
  for (int& v : in) v = static_cast<int>(random.below(100));
  const workload::DeviceArray<int> values(in);
  int* pointer = values;
  void* arguments[] = {&pointer, &n};

  workload::Verdict verdict;
  std::vector<int> results = {
      cudaLaunchCooperativeKernel((void*)rounds, dim3(most + 1), dim3(kThreads), arguments),
      cudaGetLastError(),
      cudaLaunchCooperativeKernel((void*)rounds, dim3(blocks), dim3(kThreads), arguments),
      cudaLaunchCooperativeKernel(rounds, dim3(blocks), dim3(kThreads), arguments, 0, 0)};
  workload::finish_kernels();
  std::vector<int> expected = in;
  for (int round = 0; round < 2 * kRounds; ++round) {
    const std::vector<int> last = expected;
    for (int i = 0; i < n; ++i) expected[i] += last[(i + n - kThreads) % n];
  }
  verdict.equal("results of the calls", results,
                std::vector<int>{cudaErrorCooperativeLaunchTooLarge,
                                 cudaErrorCooperativeLaunchTooLarge, cudaSuccess, cudaSuccess});
  verdict.equal("values", values.download(), expected);
  return verdict.done();
}
