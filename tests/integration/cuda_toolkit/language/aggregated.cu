// SPDX-License-Identifier: Apache-2.0
// Atomics of which one lane executes one for its whole warp, and tells the others by a shuffle. The
// other lanes' variable has no value before: that is how programs are written.
#include <cooperative_groups.h>

#include "../runtime/check.h"

namespace cg = cooperative_groups;

__device__ int of_lane(int value, int lane) { return __shfl_sync(__activemask(), value, lane); }

__device__ int place_by_masks(int* counter) {
  const unsigned mask = __activemask();
  const int lane = threadIdx.x % 32, leader = __ffs(mask) - 1;
  int first;
  if (lane == leader) first = atomicAdd(counter, __popc(mask));
  first = of_lane(first, leader);
  return first + __popc(mask & ((1u << lane) - 1));
}
__device__ int place_by_groups(int* counter) {
  const cg::coalesced_group active = cg::coalesced_threads();
  int first;
  if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
  return active.shfl(first, 0) + active.thread_rank();
}

__global__ void keep(const int* in, int n, int* kept, int* counters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) kept[place_by_masks(&counters[0])] = in[i];
  if (i < n && in[i] % 3 == 1) kept[n + place_by_groups(&counters[1])] = in[i];
}

int main() {
  const int n = 4000;
  static int in[n], kept[2 * n];
  int counters[2] = {}, expected[2] = {};
  long long sums[2] = {}, expected_sums[2] = {};
  for (int i = 0; i < n; ++i) {
    in[i] = i * 7919 % 10007;
    if (in[i] % 3 == 2) continue;
    ++expected[in[i] % 3];
    expected_sums[in[i] % 3] += in[i];
  }
  int *device_in, *device_kept, *device_counters;
  OK(cudaMalloc(&device_in, sizeof in));
  OK(cudaMalloc(&device_kept, sizeof kept));
  OK(cudaMalloc(&device_counters, sizeof counters));
  OK(cudaMemset(device_kept, 0, sizeof kept));
  OK(cudaMemset(device_counters, 0, sizeof counters));
  OK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  keep<<<(n + 255) / 256, 256>>>(device_in, n, device_kept, device_counters);
  OK(cudaMemcpy(kept, device_kept, sizeof kept, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(counters, device_counters, sizeof counters, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < n; ++i) sums[k] += kept[k * n + i];
    for (int i = 0; i < counters[k]; ++i) CHECK(kept[k * n + i] % 3 == k);
    CHECK(counters[k] == expected[k] && sums[k] == expected_sums[k]);
  }
  return finish();
}
