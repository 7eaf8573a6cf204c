// SPDX-License-Identifier: Apache-2.0
// What lanes of a warp tell each other: shuffles of all widths and types, votes, matches, masks of
// lanes, and code of before Volta that relies on warps in lockstep through volatile.
#include "check.h"

__global__ void lanes(int* out, double* sums, unsigned* masks) {
  const int t = threadIdx.x, lane = t % 32;
  int v = t * 3 + 1;
  for (int reach = 1; reach < 32; reach *= 2) {
    const int other = __shfl_up_sync(0xffffffff, v, reach);
    if (lane >= reach) v += other;
  }
  out[t] = v;
  double d = 1.0 / (1 << lane % 8);
  for (int reach = 4; reach > 0; reach /= 2) d += __shfl_xor_sync(0xffffffff, d, reach, 8);
  sums[t] = d;
  const unsigned odd = __ballot_sync(0xffffffff, lane & 1);
  const unsigned same = __match_any_sync(0xffffffff, lane / 5);
  const int all = __all_sync(0xffffffff, lane < 32), any = __any_sync(0xffffffff, lane == 40);
  masks[t] = odd ^ same ^ (all ? 1u << 31 : 0) ^ (any ? 1u << 30 : 0);
  if (lane % 4 == 0) masks[t] += __popc(__activemask()) + __ffs(__brev(lane + 1));
}
__global__ void lockstep(const int* in, int* out) {
  __shared__ volatile int v[64];
  const int t = threadIdx.x;
  v[t] = in[t] + in[t + 32];
  v[t + 32] = 0;
  v[t] += v[t + 16];
  v[t] += v[t + 8];
  v[t] += v[t + 4];
  v[t] += v[t + 2];
  v[t] += v[t + 1];
  if (t == 0) *out = v[0];
}

int main() {
  int *out, host[64];
  double *sums, host_sums[64];
  unsigned *masks, host_masks[64];
  OK(cudaMalloc(&out, sizeof host));
  OK(cudaMalloc(&sums, sizeof host_sums));
  OK(cudaMalloc(&masks, sizeof host_masks));
  lanes<<<1, 64>>>(out, sums, masks);
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(host_sums, sums, sizeof host_sums, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(host_masks, masks, sizeof host_masks, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32, first = t - lane;
    int sum = 0;
    for (int i = first; i <= t; ++i) sum += i * 3 + 1;
    CHECK(host[t] == sum);
    CHECK(host_sums[t] == 2 - 1.0 / 128);
    unsigned same = 0, reversed = 0;
    for (int i = 0; i < 32; ++i) {
      if (i / 5 == lane / 5) same |= 1u << i;
      if ((lane + 1) >> i & 1) reversed |= 1u << (31 - i);
    }
    unsigned mask = (0xaaaaaaaau ^ same) ^ 1u << 31;
    if (lane % 4 == 0) mask += 8 + __builtin_ffs(static_cast<int>(reversed));
    CHECK(host_masks[t] == mask);
  }
  int total = 0;
  OK(cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice));
  lockstep<<<1, 32>>>(out, reinterpret_cast<int*>(sums));
  int got = 0;
  OK(cudaMemcpy(&got, sums, sizeof got, cudaMemcpyDeviceToHost));
  for (int v : host) total += v;
  CHECK(got == total);
  return finish();
}
