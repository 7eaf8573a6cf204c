// SPDX-License-Identifier: Apache-2.0
// histo [n = 65536] [bins = 4096] [skew = 4]: a saturating histogram (at most 255 a bin) of
// unevenly distributed values, by global atomics.
//
// Stands for: HISTO of Parboil.
// Memory: coalesced input, atomics at data-dependent addresses with many collisions in the popular
// bins (the values are a power of a uniform number); L2 atomics dominate.
// In the papers: DL (docs/references.md).
// Measured (3145728 4096 4): coherent, primary-miss-predominant (no fails), type 0.
#include <algorithm>

#include "common/check.hpp"

__global__ void count_values(const int* value, unsigned* count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&count[value[i]], 1u);
}

__global__ void saturate(const unsigned* count, unsigned char* out, int bins) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < bins) out[b] = static_cast<unsigned char>(min(count[b], 255u));
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 65536, 1, 1 << 28);
  const int bins = workload::size_argument(argc, argv, 2, 4096, 1, 1 << 24);
  const int skew = workload::size_argument(argc, argv, 3, 4, 1, 16);
  workload::no_more_arguments(argc, argv, 3);
  workload::Random random(1);
  std::vector<int> value(n);
  for (int& v : value) {
    float u = random.unit(), p = 1.0f;
    for (int i = 0; i < skew; ++i) p *= u;
    v = std::min(static_cast<int>(p * bins), bins - 1);
  }
  const workload::DeviceArray<int> dvalue(value);
  workload::DeviceArray<unsigned> dcount(bins);
  const workload::DeviceArray<unsigned char> dout(bins);
  dcount.zero();

  constexpr unsigned kBlock = 256, kMostBlocks = 60;
  count_values<<<std::min(workload::blocks_for(n, kBlock), kMostBlocks), kBlock>>>(dvalue, dcount,
                                                                                   n);
  saturate<<<workload::blocks_for(bins, kBlock), kBlock>>>(dcount, dout, bins);
  workload::finish_kernels();

  std::vector<unsigned> count(bins);
  for (int v : value) ++count[v];
  std::vector<unsigned char> expected(bins);
  for (int b = 0; b < bins; ++b) expected[b] = static_cast<unsigned char>(std::min(count[b], 255u));
  workload::Verdict verdict;
  verdict.equal("count", dcount.download(), count);
  verdict.equal("histogram", dout.download(), expected);
  return verdict.done();
}
