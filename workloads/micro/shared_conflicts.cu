// SPDX-License-Identifier: Apache-2.0
// Latency of a load of shared memory whose lanes are STRIDE words apart: with as many banks as
// lanes, STRIDE of them meet in a bank when it is a power of two. Each lane's word holds its own
// address, so that each load waits for the one before. The clock is read around 64 loads and around
// 32 in turn; the difference is that of 32 loads.
//
// arguments: [STRIDE] (1, at most 32)
#include "micro.hpp"

constexpr int kLong = 64, kShort = 32;  // loads between two looks at the clock
constexpr int kWindows = 4;
constexpr unsigned kMostStride = 32;

__device__ unsigned long long cycle_after(unsigned& address) {
  unsigned long long now;
  asm volatile(
      "add.u32 %1, %1, 0;\n\t"
      "mov.u64 %0, %%clock64;"
      : "=l"(now), "+r"(address)::"memory");
  return now;
}

template <int kLoads>
__device__ unsigned long long window(unsigned& address) {
  const unsigned long long begin = cycle_after(address);
#pragma unroll
  for (int i = 0; i < kLoads; ++i)
    asm volatile("ld.shared.u32 %0, [%0];" : "+r"(address)::"memory");
  return cycle_after(address) - begin;
}

__global__ void chase(unsigned stride, unsigned* last, unsigned long long* cycles) {
  __shared__ unsigned words[32 * kMostStride];
  unsigned address;
  asm volatile("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }"
               : "=r"(address)
               : "l"(words + threadIdx.x * stride));
  words[threadIdx.x * stride] = address;
  __syncthreads();
  const unsigned own = address;
  unsigned long long sum = 0;
  for (int w = 0; w < kWindows; ++w) {
    sum += window<kLong>(address);
    sum -= window<kShort>(address);
  }
  last[threadIdx.x] = address - own;
  if (threadIdx.x == 0) *cycles = sum;
}

int main(int argc, char** argv) {
  const unsigned stride = workload::size_argument(argc, argv, 1, 1, 1, kMostStride);
  workload::DeviceArray<unsigned> last(32);
  workload::DeviceArray<unsigned long long> cycles(1);
  chase<<<1, 32>>>(stride, last, cycles);
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("distances of the lanes from their words", last.download(),
                std::vector<unsigned>(32, 0));
  const auto sum = static_cast<double>(cycles.download()[0]);
  if (sum > 0) micro::report(sum, kWindows * (kLong - kShort), "cycles a load");
  return verdict.done();
}
