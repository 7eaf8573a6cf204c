// SPDX-License-Identifier: Apache-2.0
// What the microbenchmarks share: the clock of an SM, how long a launch works, and the line that
// says what was measured.
#pragma once

#include <algorithm>

#include "../common/check.hpp"

namespace micro {

using workload::DeviceArray;

/// The SM's clock, in cycles. In a simulation all SMs count alike.
__device__ inline unsigned long long cycle() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

// Pointers are chased by kLong loads and by kShort in turn between two looks at the clock, so that
// the difference is that of kLong - kShort loads. Few are in the short chases, since by what they
// take more or less than the mean (near and far slices of L2) the difference is wrong.
constexpr int kLong = 88, kShort = 8;

/// The clock once `address` is known.
template <class Address>
__device__ unsigned long long cycle_after(Address& address) {
  unsigned long long now, known = address;
  asm volatile(
      "add.u64 %1, %1, 0;\n\t"
      "mov.u64 %0, %%clock64;"
      : "=l"(now), "+l"(known)::"memory");
  address = static_cast<Address>(known);
  return now;
}

/// Cycles of kLoads loads, each of which gives the address of the next, and of looking at the
/// clock.
template <int kLoads, class Address, Address (*kLoad)(Address)>
__device__ unsigned long long window(Address& address) {
  const unsigned long long begin = cycle_after(address);
#pragma unroll
  for (int i = 0; i < kLoads; ++i) address = kLoad(address);
  return cycle_after(address) - begin;
}

/// Cycles of loads_of(windows) loads.
template <class Address, Address (*kLoad)(Address)>
__device__ unsigned long long chase_through(Address& address, int windows) {
  unsigned long long sum = 0;
  for (int w = 0; w < windows; ++w) {
    sum += window<kLong, Address, kLoad>(address);
    sum -= window<kShort, Address, kLoad>(address);
  }
  return sum;
}
constexpr double loads_of(int windows) { return static_cast<double>(windows) * (kLong - kShort); }

/// Of a block: when it began to work and when it had done so.
struct Span {
  unsigned long long begin, end;
};

__device__ inline void begin_span(Span* spans) {
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x].begin = cycle();
}

/// Waits for the stores of the block as well.
__device__ inline void end_span(Span* spans) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) spans[blockIdx.x].end = cycle();
}

/// Cycles from the beginning of the first block to the end of the last. On a card, where the clocks
/// of two SMs are any number apart, the durations of the launches tell.
inline double cycles_of(const DeviceArray<Span>& device) {
  const std::vector<Span> spans = device.download();
  unsigned long long begin = spans.front().begin, end = 0;
  for (const Span& span : spans) {
    begin = std::min(begin, span.begin);
    end = std::max(end, span.end);
  }
  return static_cast<double>(end - begin);
}

/// Brings `pieces` pieces into L2, `step` bytes apart, each by a thread. A piece is a sector of 32
/// B where lines have sectors. The load is volatile because an assembler removes one whose value
/// nobody needs.
__global__ void touch(const char* base, unsigned pieces, unsigned step) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value;
  if (i < pieces)
    asm volatile("ld.volatile.global.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(base + static_cast<size_t>(i) * step)
                 : "memory");
}

/// Brings `bytes` bytes into L2.
inline void touch_all(const void* base, std::size_t bytes) {
  const auto sectors = static_cast<unsigned>(bytes / 32);
  touch<<<workload::blocks_for(sectors, 256), 256>>>(static_cast<const char*>(base), sectors, 32);
}

inline unsigned sms() {
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  return static_cast<unsigned>(properties.multiProcessorCount);
}

/// `amount` in `cycles`: what the measurement has come to. Without timing no cycle passes.
inline void report(double amount, double cycles, const char* unit) {
  if (cycles > 0) std::printf("measured %.4f %s\n", amount / cycles, unit);
}

}  // namespace micro
