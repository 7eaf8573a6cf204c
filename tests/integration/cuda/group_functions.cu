// SPDX-License-Identifier: Apache-2.0
// Reductions, scans, partitions and asynchronous copies of cooperative groups, against the host.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "common/check.hpp"

namespace cg = cooperative_groups;

constexpr int kThreads = 72;  // the last warp is a quarter of one
constexpr int kColumns = 10;

struct Pair {
  double first;
  int second;
};

__device__ int sum_of(const cg::thread_group& group, int* scratch, int value) {
  const int rank = group.thread_rank();
  for (int reach = 1; reach < static_cast<int>(group.size()); reach *= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank + reach < static_cast<int>(group.size())) value += scratch[rank + reach];
    group.sync();
  }
  return value;  // the right one in rank 0
}

__global__ void functions(const int* in, int* out) {
  __shared__ __align__(16) int copied[kThreads], scratch[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, copied, in, sizeof(int) * kThreads);
  cg::wait(block);
  const int t = block.thread_rank(), v = copied[(t + 5) % kThreads];
  int* const row = out + kColumns * t;
  const auto tile = cg::tiled_partition<8>(block);
  const cg::thread_block_tile<4> quarter = cg::tiled_partition<4>(tile);
  row[0] = cg::reduce(tile, v, cg::plus<int>());
  row[1] = cg::reduce(quarter, v, cg::greater<int>());
  row[2] = cg::inclusive_scan(tile, v);
  row[3] = cg::exclusive_scan(tile, v, cg::plus<int>());
  row[4] = tile.meta_group_rank() * 100 + tile.meta_group_size();
  Pair pair = {0.5 * v, v};
  pair = tile.shfl(pair, 3);
  row[5] = static_cast<int>(2 * pair.first) + pair.second;
  const cg::thread_group part = cg::tiled_partition(block, 8);
  row[6] = sum_of(part, scratch + t / 8 * 8, v);
  block.sync();
  row[7] = sum_of(block, scratch, v);
  row[8] = row[9] = 0;
  if (v % 3 == 0) {
    const cg::coalesced_group some = cg::coalesced_threads();
    row[8] = cg::reduce(some, v, cg::plus<int>());
    row[9] = cg::reduce(cg::binary_partition(some, v % 2 == 0), 1, cg::plus<int>());
  }
}

int main() {
  workload::Random random(2);
  std::vector<int> in(kThreads);
  for (int& v : in) v = static_cast<int>(random.below(50));
  const workload::DeviceArray<int> din(in), dout(kColumns * kThreads);
  functions<<<1, kThreads>>>(din, dout);
  workload::finish_kernels();
  std::vector<int> got = dout.download(), expected;
  const auto value = [&](int t) { return in[(t + 5) % kThreads]; };
  for (int t = 0; t < kThreads; ++t) {
    const int first = t / 8 * 8;
    int sum = 0, before = 0, most = 0, all = 0, some = 0, same = 0;
    for (int i = first; i < first + 8; ++i) sum += value(i);
    for (int i = first; i < t; ++i) before += value(i);
    for (int i = t / 4 * 4; i < t / 4 * 4 + 4; ++i) most = std::max(most, value(i));
    for (int i = 0; i < kThreads; ++i) all += value(i);
    for (int i = t / 32 * 32; i < std::min(kThreads, t / 32 * 32 + 32); ++i)
      if (value(i) % 3 == 0) some += value(i), same += value(i) % 2 == value(t) % 2;
    const bool in_some = value(t) % 3 == 0;
    if (t != first) got[kColumns * t + 6] = sum;  // only rank 0 has it
    if (t != 0) got[kColumns * t + 7] = all;
    for (int e : {sum, most, before + value(t), before, t / 8 * 100 + 9, 2 * value(first + 3), sum,
                  all, in_some ? some : 0, in_some ? same : 0})
      expected.push_back(e);
  }
  workload::Verdict verdict;
  verdict.equal("functions", got, expected);
  return verdict.done();
}
