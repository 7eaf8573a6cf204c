// SPDX-License-Identifier: Apache-2.0
// random [kib = 1024] [form = 0] [updates = 8]: one thread for every 256 B of a table of kib KiB
// makes `updates` updates each at random places of it.
//
// Pages: all are used all the time, in no order, each by few lanes of a warp; all become dirty.
#include "managed.hpp"

__device__ __host__ inline unsigned next_random(unsigned x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

__global__ void update(unsigned* table, int words, int threads, int updates) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads) return;
  unsigned x = 2654435761u * (t + 1);
  for (int u = 0; u < updates; ++u) {
    x = next_random(x);
    atomicAdd(&table[x % words], x);
  }
}

int main(int argc, char** argv) {
  const int kib = workload::size_argument(argc, argv, 1, 1024, 1, 1 << 21);
  const workload::Form form = workload::form_argument(argc, argv, 2);
  const int updates = workload::size_argument(argc, argv, 3, 8, 1, 1 << 16);
  workload::no_more_arguments(argc, argv, 3);
  const int words = kib * 256, threads = words / 64;
  auto expected = workload::numbers(words, 1);
  const workload::SharedArray<unsigned> table(expected, form);

  constexpr unsigned kBlock = 128;
  update<<<workload::blocks_for(threads, kBlock), kBlock>>>(table, words, threads, updates);
  workload::finish_kernels();

  for (int t = 0; t < threads; ++t) {
    unsigned x = 2654435761u * (t + 1);
    for (int u = 0; u < updates; ++u) {
      x = next_random(x);
      expected[x % words] += x;
    }
  }
  workload::Verdict verdict;
  verdict.equal("table", table.read(), expected);
  return verdict.done();
}
