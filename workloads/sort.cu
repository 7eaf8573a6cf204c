// SPDX-License-Identifier: Apache-2.0
// sort [n = 8192]: radix sort of 32-bit keys with 4-bit digits: count, scan and scatter for each of
// eight digits.
//
// Stands for: Sort of SHOC.
// Memory: the scatter stores to sixteen moving places a block (partly coalesced); counts are
// strided; the keys go back and forth between two buffers (primary misses, L2 reuse).
// In the papers: KI (docs/references.md).
// Measured (98304): un-coalesced, primary-miss-predominant, type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kDigits = 16, kBits = 4;
constexpr int kBlock = 128;

// count[digit * blocks + block]: keys of the block with this digit.
__global__ void count_digits(const unsigned* key, int* count, int n, int shift) {
  __shared__ int local[kDigits];
  if (threadIdx.x < kDigits) local[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) atomicAdd(&local[key[i] >> shift & (kDigits - 1)], 1);
  __syncthreads();
  if (threadIdx.x < kDigits) count[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// Exclusive prefix sums by one block that walks over the array.
__global__ void scan(int* count, int n) {
  __shared__ int sum[kBlock];
  int before = 0;
  for (int from = 0; from < n; from += kBlock) {
    const int i = from + threadIdx.x;
    const int mine = i < n ? count[i] : 0;
    sum[threadIdx.x] = mine;
    __syncthreads();
    for (int step = 1; step < kBlock; step *= 2) {
      const int other = threadIdx.x >= step ? sum[threadIdx.x - step] : 0;
      __syncthreads();
      sum[threadIdx.x] += other;
      __syncthreads();
    }
    if (i < n) count[i] = before + sum[threadIdx.x] - mine;
    before += sum[kBlock - 1];
    __syncthreads();
  }
}

// A key's place: where its digit starts, plus the equal digits before it in the block.
__global__ void scatter(const unsigned* in, unsigned* out, const int* start, int n, int shift) {
  __shared__ int digit[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int mine = i < n ? in[i] >> shift & (kDigits - 1) : -1;
  digit[threadIdx.x] = mine;
  __syncthreads();
  if (i >= n) return;
  int rank = 0;
  for (int t = 0; t < threadIdx.x; ++t) rank += digit[t] == mine;
  out[start[mine * gridDim.x + blockIdx.x] + rank] = in[i];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 8192, 1, 1 << 24);
  workload::no_more_arguments(argc, argv, 1);
  workload::Random random(1);
  std::vector<unsigned> key(n);
  for (unsigned& k : key) k = random.next();
  const unsigned blocks = workload::blocks_for(n, kBlock);
  const workload::DeviceArray<unsigned> a(key), b(n);
  const workload::DeviceArray<int> count(std::size_t(blocks) * kDigits);

  for (int shift = 0; shift < 32; shift += kBits) {
    unsigned* const in = shift / kBits % 2 ? b : a;
    unsigned* const out = shift / kBits % 2 ? a : b;
    count_digits<<<blocks, kBlock>>>(in, count, n, shift);
    scan<<<1, kBlock>>>(count, static_cast<int>(blocks) * kDigits);
    scatter<<<blocks, kBlock>>>(in, out, count, n, shift);
  }
  workload::finish_kernels();

  std::sort(key.begin(), key.end());
  workload::Verdict verdict;
  verdict.equal("key", a.download(), key);
  return verdict.done();
}
