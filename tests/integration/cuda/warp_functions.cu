// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes, barriers with a reduction and bit functions, against plain loops on the CPU.
#include "common/check.hpp"

constexpr int kThreads = 64;

__global__ void shuffles(const int* in, int* out) {
  const int t = threadIdx.x, lane = t % 32;
  const int v = in[t];
  int* o = out + t * 12;
  o[0] = __shfl_sync(0xffffffffu, v, 5);
  o[1] = __shfl_sync(0xffffffffu, v, lane ^ 3, 8);
  o[2] = __shfl_up_sync(0xffffffffu, v, 3);
  o[3] = __shfl_down_sync(0xffffffffu, v, 2, 16);
  o[4] = __shfl_xor_sync(0xffffffffu, v, 7);
  o[5] = static_cast<int>(__shfl_down(static_cast<double>(v), 1));
  o[6] = static_cast<int>(__shfl_xor(static_cast<float>(v), 16));
  o[7] = static_cast<int>(__shfl_up((long long)v << 20, 1) >> 20);
  o[8] = static_cast<int>(__ballot_sync(0xffffffffu, v & 1));
  o[9] = __all_sync(0xffffffffu, v >= 0) * 2 + __any_sync(0xffffffffu, v == 1000);
  o[10] = 0;
  if (v & 1) o[10] = static_cast<int>(__activemask());
  __syncwarp();
  o[11] = __syncthreads_count(v & 1) * 4 + (__syncthreads_or(v == in[0]) ? 2 : 0) +
          (__syncthreads_and(v >= 0) ? 1 : 0);
}

__global__ void bits(const int* in, int* out) {
  const int v = in[threadIdx.x];
  int* o = out + threadIdx.x * 8;
  o[0] = __popc(v);
  o[1] = __clz(v);
  o[2] = __ffs(v);
  o[3] = static_cast<int>(__brev(v));
  o[4] = static_cast<int>(__byte_perm(v, 0x12345678, 0x5140));
  o[5] = __mulhi(v, 0x40000000);
  o[6] = static_cast<int>(__umul24(v, 3));
  o[7] = static_cast<int>(__funnelshift_l(v, 1, 4));
}

int main() {
  workload::Random random(1);
  std::vector<int> in(kThreads);
  for (int& v : in) v = static_cast<int>(random.below(1000));
  const workload::DeviceArray<int> din(in), dshuffles(kThreads * 12), dbits(kThreads * 8);
  shuffles<<<1, kThreads>>>(din, dshuffles);
  bits<<<1, kThreads>>>(din, dbits);
  workload::finish_kernels();

  std::vector<int> e_shuffles, e_bits;
  int odd = 0;
  for (int v : in) odd += v & 1;
  for (int t = 0; t < kThreads; ++t) {
    const int base = t / 32 * 32, lane = t % 32;
    const int* const w = &in[base];
    int ballot = 0;
    for (int i = 0; i < 32; ++i) ballot |= (w[i] & 1) << i;
    const int v = w[lane];
    for (int e :
         {w[5], w[lane / 8 * 8 + (lane ^ 3) % 8], lane >= 3 ? w[lane - 3] : v,
          lane % 16 < 14 ? w[lane + 2] : v, w[lane ^ 7], lane < 31 ? w[lane + 1] : v, w[lane ^ 16],
          lane >= 1 ? w[lane - 1] : v, ballot, 2, v & 1 ? ballot : 0, odd * 4 + 3})
      e_shuffles.push_back(e);
    unsigned reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= (unsigned(v) >> i & 1u) << (31 - i);
    // Selector 0x5140 takes byte 0 of v, byte 0 of the constant, byte 1 of v, byte 1 of the
    // constant.
    const unsigned mixed = (v & 0xffu) | 0x78u << 8 | (v >> 8 & 0xffu) << 16 | 0x56u << 24;
    for (int e : {__builtin_popcount(v), v == 0 ? 32 : __builtin_clz(v), __builtin_ffs(v),
                  static_cast<int>(reversed), static_cast<int>(mixed), v / 4, v * 3,
                  static_cast<int>(1u << 4 | unsigned(v) >> 28)})
      e_bits.push_back(e);
  }
  workload::Verdict verdict;
  verdict.equal("shuffles", dshuffles.download(), e_shuffles);
  verdict.equal("bits", dbits.download(), e_bits);
  return verdict.done();
}
