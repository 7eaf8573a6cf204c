// SPDX-License-Identifier: Apache-2.0
// randomaccess [log2n = 18] [updates = 65536]: table[k mod n] ^= k for a stream of random k, by
// atomics.
//
// Stands for: RandomAccess (GUPS) of HPCC and the HIP/CUDA samples.
// Memory: every lane its own line: fully un-coalesced atomics at L2, no reuse; primary misses.
// Measured (18 917504): coherent, no misses, type 0.
#include "common/check.hpp"

__host__ __device__ unsigned long long mix(unsigned long long x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ (x >> 33);
}

__global__ void randomaccess(unsigned long long* table, unsigned mask, int updates) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < updates; i += blockDim.x * gridDim.x) {
    const unsigned long long k = mix(i + 1);
    atomicXor(&table[k & mask], k);
  }
}

int main(int argc, char** argv) {
  const int log2n = workload::size_argument(argc, argv, 1, 18, 1, 28);
  const int updates = workload::size_argument(argc, argv, 2, 65536);
  workload::no_more_arguments(argc, argv, 2);
  const std::size_t n = std::size_t(1) << log2n;
  std::vector<unsigned long long> table(n);
  for (std::size_t i = 0; i < n; ++i) table[i] = i;
  const workload::DeviceArray<unsigned long long> device(table);

  randomaccess<<<64, 256>>>(device, static_cast<unsigned>(n - 1), updates);
  workload::finish_kernels();

  for (int i = 0; i < updates; ++i) {
    const unsigned long long k = mix(i + 1);
    table[k & (n - 1)] ^= k;
  }
  workload::Verdict verdict;
  verdict.equal("table", device.download(), table);
  return verdict.done();
}
