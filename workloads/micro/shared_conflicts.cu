// SPDX-License-Identifier: Apache-2.0
// Latency of a load of shared memory whose lanes are STRIDE words apart: with as many banks as
// lanes, STRIDE of them meet in a bank when it is a power of two. Each lane's word holds its own
// address, so that each load waits for the one before.
//
// arguments: [STRIDE] (1, at most 32)
#include "micro.hpp"

constexpr int kWindows = 4;
constexpr unsigned kMostStride = 32;

__device__ unsigned next(unsigned address) {
  asm volatile("ld.shared.u32 %0, [%0];" : "+r"(address)::"memory");
  return address;
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
  const unsigned long long sum = micro::chase_through<unsigned, next>(address, kWindows);
  last[threadIdx.x] = address - own;
  if (threadIdx.x == 0) *cycles = sum;
}

int main(int argc, char** argv) {
  const unsigned stride = workload::size_argument(argc, argv, 1, 1, 1, kMostStride);
  workload::no_more_arguments(argc, argv, 1);
  workload::DeviceArray<unsigned> last(32);
  workload::DeviceArray<unsigned long long> cycles(1);
  chase<<<1, 32>>>(stride, last, cycles);
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("distances of the lanes from their words", last.download(),
                std::vector<unsigned>(32, 0));
  const auto sum = static_cast<double>(cycles.download()[0]);
  if (sum > 0) micro::report(sum, micro::loads_of(kWindows), "cycles a load");
  return verdict.done();
}
