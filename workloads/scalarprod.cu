// SPDX-License-Identifier: Apache-2.0
// scalarprod [pairs = 64] [n = 4096]: scalar products of pairs of vectors, a block a pair.
//
// Stands for: scalarProd of the CUDA SDK samples.
// Memory: two streams, coalesced, no reuse; a tree in shared memory at the end. Primary misses.
// In the papers: DL, KI (docs/references.md).
// Measured (2560 4096): coherent, primary-miss-predominant, type 0.
#include <algorithm>

#include "common/check.hpp"

constexpr int kSums = 256;  // partial sums a block

__global__ void scalarprod(const float* a, const float* b, float* c, int pairs, int n) {
  __shared__ float sum[kSums];
  for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
    for (int s = threadIdx.x; s < kSums; s += blockDim.x) {
      float part = 0;
      for (int i = s; i < n; i += kSums) part += a[pair * n + i] * b[pair * n + i];
      sum[s] = part;
    }
    for (int half = kSums / 2; half > 0; half /= 2) {
      __syncthreads();
      for (int s = threadIdx.x; s < half; s += blockDim.x) sum[s] += sum[half + s];
    }
    if (threadIdx.x == 0) c[pair] = sum[0];
    __syncthreads();
  }
}

int main(int argc, char** argv) {
  const int pairs = workload::size_argument(argc, argv, 1, 64, 1, 65536);
  const int n = workload::size_argument(argc, argv, 2, 4096, 1, 16384);
  workload::no_more_arguments(argc, argv, 2);
  const auto a = workload::random_floats(std::size_t(pairs) * n, 1),
             b = workload::random_floats(std::size_t(pairs) * n, 2);
  const workload::DeviceArray<float> da(a), db(b), dc(pairs);

  scalarprod<<<std::min(pairs, 1024), kSums>>>(da, db, dc, pairs, n);
  workload::finish_kernels();

  std::vector<double> expected(pairs);
  for (int p = 0; p < pairs; ++p)
    for (int i = 0; i < n; ++i)
      expected[p] += double(a[std::size_t(p) * n + i]) * b[std::size_t(p) * n + i];
  workload::Verdict verdict;
  verdict.close("products", dc.download(), expected, 1e-4);
  return verdict.done();
}
