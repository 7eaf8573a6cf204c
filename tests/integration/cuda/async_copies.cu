// SPDX-License-Identifier: Apache-2.0
// cuda_pipeline.h: pieces of 4, 8 and 16 bytes, ends that are zero, a wait whose groups are known
// at run time only; and addresses of state spaces.
#include <cuda_pipeline.h>

#include <cstring>

#include "common/check.hpp"

constexpr int kThreads = 64;
constexpr int kWords = 8 * kThreads;  // 7 words a thread are used

__global__ void copies(const unsigned* in, unsigned* out, int prior) {
  __shared__ __align__(16) unsigned tile[kWords];
  const int t = threadIdx.x, first = 8 * t;
  for (int i = 0; i < 8; ++i) tile[first + i] = ~0u;
  // Every second thread copies half of its largest piece.
  __pipeline_memcpy_async(&tile[first], &in[first], 16, t % 2 * 8);
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[first + 4], &in[first + 4], 8);
  __pipeline_memcpy_async(&tile[first + 6], &in[first + 6], 4);
  __pipeline_commit();
  __pipeline_wait_prior(prior);
  for (int i = 0; i < 8; ++i) out[first + i] = tile[first + i];
}

__constant__ unsigned constants[4] = {7, 8, 9, 10};
__device__ unsigned global_word;

/// Bit i: the i-th address comes back as it went.
__global__ void addresses(unsigned* out) {
  __shared__ unsigned shared_word;
  unsigned local_word = threadIdx.x;
  const void* generic[4] = {&global_word, &shared_word, &constants[1], &local_word};
  const void* back[4] = {__cvta_global_to_generic(__cvta_generic_to_global(generic[0])),
                         __cvta_shared_to_generic(__cvta_generic_to_shared(generic[1])),
                         __cvta_constant_to_generic(__cvta_generic_to_constant(generic[2])),
                         __cvta_local_to_generic(__cvta_generic_to_local(generic[3]))};
  unsigned same = 0;
  for (int i = 0; i < 4; ++i) same |= (generic[i] == back[i] ? 1u : 0u) << i;
  *out = same;
}

int main() {
  std::vector<unsigned> in(kWords);
  for (int i = 0; i < kWords; ++i) in[i] = 1000 + i;
  const workload::DeviceArray<unsigned> din(in), dout(kWords), dsame(1);
  copies<<<1, kThreads>>>(din, dout, 0);
  addresses<<<1, 1>>>(dsame);
  workload::finish_kernels();

  std::vector<unsigned> expected(kWords);
  for (int i = 0; i < kWords; ++i) {
    const bool zero = i / 8 % 2 == 1 && (i % 8 == 2 || i % 8 == 3);
    expected[i] = i % 8 == 7 ? ~0u : zero ? 0 : in[i];
  }
  workload::Verdict verdict;
  verdict.equal("copies", dout.download(), expected);
  verdict.equal("addresses", dsame.download(), std::vector<unsigned>{15});
  return verdict.done();
}
