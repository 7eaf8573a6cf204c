// SPDX-License-Identifier: Apache-2.0
// reduction [n = 1048576]: the sum of n integers, by a tree in shared memory, level after level of
// launches until one value is left.
//
// Stands for: reduction of the CUDA SDK samples.
// Memory: each block streams its part (coalesced, no reuse); the tree works in shared memory with a
// barrier a step. Primary misses.
// In the papers: DL, KI (docs/references.md).
// Measured (10485760): coherent, primary-miss-predominant, type I.
#include <utility>

#include "common/check.hpp"

constexpr unsigned kBlock = 256;

__global__ void reduce(const int* in, int* out, int n) {
  __shared__ int partial[kBlock];
  const int i = blockIdx.x * (2 * kBlock) + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  if (i + int(kBlock) < n) sum += in[i + kBlock];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1 << 20);
  workload::no_more_arguments(argc, argv, 1);
  std::vector<int> values(n);
  workload::Random random(1);
  unsigned expected = 0;  // sums wrap on both sides
  for (int& v : values) {
    v = static_cast<int>(random.below(1000));
    expected += static_cast<unsigned>(v);
  }
  workload::DeviceArray<int> first(values), second(workload::blocks_for(n, 2 * kBlock));

  int* in = first;
  int* out = second;
  for (int left = n; left > 1;) {
    const unsigned blocks = workload::blocks_for(left, 2 * kBlock);
    reduce<<<blocks, kBlock>>>(in, out, left);
    left = static_cast<int>(blocks);
    std::swap(in, out);
  }
  workload::finish_kernels();
  std::vector<int> got(1);
  CHECK_CUDA(cudaMemcpy(got.data(), in, sizeof(int), cudaMemcpyDeviceToHost));
  workload::Verdict verdict;
  verdict.equal("sum", got, {static_cast<int>(expected)});
  return verdict.done();
}
