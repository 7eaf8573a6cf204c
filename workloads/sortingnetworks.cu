// SPDX-License-Identifier: Apache-2.0
// sortingnetworks [log2n = 14]: a bitonic sort of 2^log2n keys with values; steps within 512
// elements run in shared memory, wider ones in global memory.
//
// Stands for: sortingNetworks of the CUDA SDK samples.
// Memory: the wide steps stream the whole array, pairs far apart, a launch a step (coalesced, no
// reuse within a launch); the narrow ones work in shared memory.
// In the papers: DL, KI (docs/references.md).
// Measured (17): coherent, primary-miss-predominant, type II.
#include <algorithm>

#include "common/check.hpp"

constexpr unsigned kBlock = 256;
constexpr unsigned kChunk = 2 * kBlock;

struct Pair {
  unsigned key, value;
};

__device__ void order(Pair& a, Pair& b, bool ascending) {
  if ((a.key > b.key) != ascending) return;
  const Pair t = a;
  a = b;
  b = t;
}

// Sorts chunks, alternating up and down, or (from `size` on) finishes the merge of larger runs.
__global__ void bitonic_shared(Pair* data, unsigned size, unsigned n) {
  __shared__ Pair s[kChunk];
  const unsigned base = blockIdx.x * kChunk, t = threadIdx.x;
  s[t] = data[base + t];
  s[t + kBlock] = data[base + t + kBlock];
  const unsigned last = size == 0 ? min(kChunk, n) : size;
  for (unsigned run = size == 0 ? 2 : size; run <= last; run *= 2) {
    for (unsigned stride = min(run, kChunk) / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (stride - 1));
      order(s[low], s[low + stride], ((base + low) & run) == 0);
    }
  }
  __syncthreads();
  data[base + t] = s[t];
  data[base + t + kBlock] = s[t + kBlock];
}

__global__ void bitonic_global(Pair* data, unsigned run, unsigned stride) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned low = 2 * t - (t & (stride - 1));
  Pair a = data[low], b = data[low + stride];
  order(a, b, (low & run) == 0);
  data[low] = a;
  data[low + stride] = b;
}

int main(int argc, char** argv) {
  const int log2n = workload::size_argument(argc, argv, 1, 14, 9, 26);
  workload::no_more_arguments(argc, argv, 1);
  const unsigned n = 1u << log2n;
  workload::Random random(1);
  std::vector<Pair> pairs(n);
  for (unsigned i = 0; i < n; ++i) pairs[i] = {random.next(), i};
  const workload::DeviceArray<Pair> data(pairs);

  const unsigned blocks = n / kChunk;
  bitonic_shared<<<blocks, kBlock>>>(data, 0, n);
  for (unsigned run = 2 * kChunk; run <= n; run *= 2) {
    for (unsigned stride = run / 2; stride >= kChunk; stride /= 2)
      bitonic_global<<<blocks, kBlock>>>(data, run, stride);
    bitonic_shared<<<blocks, kBlock>>>(data, run, n);
  }
  workload::finish_kernels();

  const std::vector<Pair> got = data.download();
  std::vector<unsigned> keys(n), expected(n);
  bool values_follow = true;
  for (unsigned i = 0; i < n; ++i) {
    keys[i] = got[i].key;
    expected[i] = pairs[i].key;
    values_follow = values_follow && got[i].value < n && pairs[got[i].value].key == got[i].key;
  }
  std::sort(expected.begin(), expected.end());
  workload::Verdict verdict;
  verdict.equal("keys", keys, expected);
  verdict.require(values_follow, "values do not follow their keys");
  return verdict.done();
}
