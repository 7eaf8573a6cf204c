// SPDX-License-Identifier: Apache-2.0
// cuda_awbarrier_primitives.h: barriers that threads arrive at and wait for apart, tokens,
// parities, arrivals that are dropped, and copies that arrive.
#include <cuda_pipeline.h>

#include <algorithm>

#include "common/check.hpp"

constexpr int kThreads = 64;
constexpr int kRounds = 4;

/// Each thread reads what its neighbour of the other warp wrote in the same round.
__global__ void exchange(unsigned* out, bool by_parity, bool suspends) {
  __shared__ __mbarrier_t barrier;
  __shared__ unsigned word[2][kThreads];
  const unsigned t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();
  unsigned sum = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    word[round % 2][t] = 100 * round + t;
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    const bool parity = round % 2 != 0;
    while (!(by_parity  ? suspends ? __mbarrier_try_wait_parity(&barrier, parity, 1000)
                                   : __mbarrier_test_wait_parity(&barrier, parity)
              : suspends ? __mbarrier_try_wait(&barrier, token, 1000)
                        : __mbarrier_test_wait(&barrier, token))) {
    }
    sum += word[round % 2][(t + 32) % kThreads];
  }
  out[t] = sum;
  __syncthreads();
  if (t == 0) __mbarrier_inval(&barrier);
}

/// What the phase misses before each arrival; half of them leave for good, so that the second phase
/// expects only the others.
__global__ void leave(unsigned* out) {
  __shared__ __mbarrier_t barrier;
  const unsigned t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();
  const bool stays = t < kThreads / 2;
  const auto token = stays ? __mbarrier_arrive(&barrier) : __mbarrier_arrive_and_drop(&barrier);
  out[t] = __mbarrier_token_pending_count(token);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  __syncthreads();
  if (stays) out[kThreads + t] = __mbarrier_token_pending_count(__mbarrier_arrive(&barrier));
}

__global__ void copies_arrive(const uint4* in, uint4* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ uint4 tile[kThreads];
  const unsigned t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, kThreads);
  __syncthreads();
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(uint4));
  __pipeline_arrive_on(&barrier);
  while (!__mbarrier_try_wait_parity(&barrier, false, 10)) {
  }
  out[t] = tile[kThreads - 1 - t];
}

int main() {
  workload::Verdict verdict;
  std::vector<unsigned> sums(kThreads);
  for (unsigned t = 0; t < kThreads; ++t)
    for (unsigned round = 0; round < kRounds; ++round) sums[t] += 100 * round + (t + 32) % kThreads;
  for (int way = 0; way < 4; ++way) {
    const workload::DeviceArray<unsigned> out(kThreads);
    exchange<<<1, kThreads>>>(out, way % 2 != 0, way / 2 != 0);
    workload::finish_kernels();
    verdict.equal("exchange", out.download(), sums);
  }

  const workload::DeviceArray<unsigned> missing(2 * kThreads);
  leave<<<1, kThreads>>>(missing);
  workload::finish_kernels();
  std::vector<unsigned> got = missing.download(), expected(2 * kThreads);
  std::sort(got.begin(), got.begin() + kThreads);
  for (unsigned t = 0; t < kThreads; ++t) expected[t] = t + 1;
  for (unsigned t = 0; t < kThreads / 2; ++t) expected[kThreads + t] = kThreads / 2 - t;
  std::fill(got.begin() + kThreads + kThreads / 2, got.end(), 0);
  verdict.equal("leave", got, expected);

  std::vector<uint4> in(kThreads);
  for (unsigned t = 0; t < kThreads; ++t) in[t] = {t, t + 1, t + 2, t + 3};
  const workload::DeviceArray<uint4> from(in), to(kThreads);
  copies_arrive<<<1, kThreads>>>(from, to);
  workload::finish_kernels();
  const std::vector<uint4> copied = to.download();
  std::vector<unsigned> last(kThreads), want(kThreads);
  for (unsigned t = 0; t < kThreads; ++t) {
    last[t] = copied[t].w;
    want[t] = kThreads - 1 - t + 3;
  }
  verdict.equal("copies", last, want);
  return verdict.done();
}
