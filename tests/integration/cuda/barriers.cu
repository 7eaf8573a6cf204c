// SPDX-License-Identifier: Apache-2.0
// Behind a barrier the program sees what another thread wrote to shared memory before it, also in
// variables that the compiler would like to keep in registers. It has reducing barriers, warp
// barriers and fences, too.
#include "common/check.hpp"

constexpr int kBlock = 128;

// A different thread writes the variable each round.
__global__ void pass_on(int* seen, int rounds) {
  __shared__ int token;
  if (threadIdx.x == 0) token = 1000;
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    const int now = token;
    __syncthreads();
    if (threadIdx.x == unsigned(r * 7 % kBlock)) token = now + r;
    __syncthreads();
    sum += token;
  }
  seen[threadIdx.x] = sum;
}

// Each thread reads its own slot again after its neighbour has written it.
__global__ void swap_slots(int* out) {
  __shared__ int slot[kBlock];
  const int t = threadIdx.x;
  slot[t] = t;
  __syncthreads();
  const int before = slot[t];
  __syncwarp();
  if (t % 2 == 0) slot[t + 1] = 100 + t;
  __syncthreads();
  out[t] = 1000 * before + slot[t];
}

__global__ void reducing(int* out) {
  const int t = threadIdx.x;
  out[t] = __syncthreads_count(t % 3 == 0) * 100 + (__syncthreads_and(t < kBlock) ? 10 : 0) +
           (__syncthreads_or(t == 5) ? 1 : 0) + (__syncthreads_and(t != 7) ? 100000 : 0) +
           (__syncthreads_or(t > kBlock) ? 100000 : 0);
}

__global__ void within_warp(int* out) {
  __shared__ int slot[kBlock];
  const int t = threadIdx.x;
  slot[t] = t;
  __syncwarp();
  const int left = slot[t ^ 1];
  __syncwarp(0xffffffffu);
  slot[t] = left * 2;
  __syncwarp();
  out[t] = slot[t ^ 1];
}

// The last block to arrive adds what all blocks wrote before their fence.
__global__ void last_block_adds(const int* in, int* partial, unsigned* arrived, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < kBlock; ++i) sum += in[blockIdx.x * kBlock + i];
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *total = sum;
  }
}

int main() {
  workload::Verdict verdict;
  const workload::DeviceArray<int> out(kBlock);
  constexpr int kRounds = 20;
  pass_on<<<1, kBlock>>>(out, kRounds);
  workload::finish_kernels();
  int token = 1000, sum = 0;
  for (int r = 0; r < kRounds; ++r) sum += token += r;
  verdict.equal("token", out.download(), std::vector<int>(kBlock, sum));

  swap_slots<<<1, kBlock>>>(out);
  workload::finish_kernels();
  std::vector<int> slots(kBlock), counts(kBlock), pairs(kBlock);
  for (int t = 0; t < kBlock; ++t) {
    slots[t] = 1000 * t + (t % 2 == 0 ? t : 100 + t - 1);
    counts[t] = (kBlock + 2) / 3 * 100 + 11;
    pairs[t] = t * 2;
  }
  verdict.equal("slots", out.download(), slots);
  reducing<<<1, kBlock>>>(out);
  workload::finish_kernels();
  verdict.equal("reducing barriers", out.download(), counts);
  within_warp<<<1, kBlock>>>(out);
  workload::finish_kernels();
  verdict.equal("warp barriers", out.download(), pairs);

  constexpr int kBlocks = 10;
  const workload::DeviceArray<int> ones(std::vector<int>(kBlocks * kBlock, 1)), partial(kBlocks);
  workload::DeviceArray<unsigned> arrived(1);
  const workload::DeviceArray<int> total(1);
  arrived.zero();
  last_block_adds<<<kBlocks, kBlock>>>(ones, partial, arrived, total);
  workload::finish_kernels();
  verdict.equal("total", total.download(), {kBlocks * kBlock});
  return verdict.done();
}
