// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: sums over tiles of each size, and one atomic for the active lanes.
#include <cooperative_groups.h>

#include "common/check.hpp"

namespace cg = cooperative_groups;

constexpr int kThreads = 96;

template <unsigned kSize>
__device__ int tile_sum(int value) {
  const auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
  for (unsigned step = kSize / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
  return tile.shfl(value, 0);
}

__global__ void groups(const int* in, int* out, int* odd) {
  const cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank(), v = in[t];
  const auto tile = cg::tiled_partition<8>(block);
  out[5 * t] = tile_sum<32>(v);
  out[5 * t + 1] = tile_sum<4>(v);
  out[5 * t + 2] = tile.ballot(v & 1);
  out[5 * t + 3] = tile.any(v == 7) * 2 + tile.all(v >= 0);
  out[5 * t + 4] = 0;
  if (v & 1) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int before = 0;
    if (active.thread_rank() == 0) before = atomicAdd(odd, active.size());
    before = active.shfl(before, 0);
    out[5 * t + 4] = 1 + active.thread_rank();
  }
  cg::sync(block);
}

int main() {
  workload::Random random(1);
  std::vector<int> in(kThreads);
  for (int& v : in) v = static_cast<int>(random.below(20));
  const workload::DeviceArray<int> din(in), dout(5 * kThreads);
  workload::DeviceArray<int> dodd(1);
  dodd.zero();
  groups<<<1, dim3(16, kThreads / 16)>>>(din, dout, dodd);
  workload::finish_kernels();

  std::vector<int> expected;
  int odd = 0;
  const auto sum = [&](int t, int size) {
    int s = 0;
    for (int i = t / size * size; i < t / size * size + size; ++i) s += in[i];
    return s;
  };
  for (int t = 0; t < kThreads; ++t) {
    int ballot = 0, any = 0, rank = 0;
    for (int i = t / 8 * 8; i < t / 8 * 8 + 8; ++i) {
      ballot |= (in[i] & 1) << (i % 8);
      any |= in[i] == 7;
    }
    for (int i = t / 32 * 32; i < t; ++i) rank += in[i] & 1;
    odd += in[t] & 1;
    for (int e : {sum(t, 32), sum(t, 4), ballot, any * 2 + 1, in[t] & 1 ? 1 + rank : 0})
      expected.push_back(e);
  }
  workload::Verdict verdict;
  verdict.equal("groups", dout.download(), expected);
  verdict.equal("odd", dodd.download(), std::vector<int>{odd});
  return verdict.done();
}
