// SPDX-License-Identifier: Apache-2.0
// sobol [vectors = 8192] [dimensions = 8]: quasi-random points of a digital sequence in base 2, a
// row of blocks a dimension.
//
// Stands for: SobolQRNG of the CUDA SDK samples.
// Memory: 32 direction numbers a block go to shared memory once; the rest is one output stream
// (coalesced stores, no loads). Primary misses on the write path.
// In the papers: DL (docs/references.md).
// Measured (393216 8): coherent, primary-miss-predominant (no fails), type 0.
#include "common/check.hpp"

constexpr int kDirections = 32;

__global__ void sobol(const unsigned* directions, float* points, unsigned n) {
  __shared__ unsigned v[kDirections];
  const unsigned dimension = blockIdx.y;
  if (threadIdx.x < kDirections) v[threadIdx.x] = directions[dimension * kDirections + threadIdx.x];
  __syncthreads();
  // Point i is the sum (XOR) of the direction numbers at the ones of i's Gray code.
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned gray = i ^ (i >> 1), x = 0;
    while (gray != 0) {
      const int bit = __ffs(gray) - 1;
      x ^= v[bit];
      gray &= gray - 1;
    }
    points[dimension * n + i] = x * 2.3283064365386962890625e-10f;  // 2^-32
  }
}

int main(int argc, char** argv) {
  const unsigned n = workload::size_argument(argc, argv, 1, 8192, 1, 1 << 26);
  const int dimensions = workload::size_argument(argc, argv, 2, 8, 1, 1024);
  workload::no_more_arguments(argc, argv, 2);
  // Dimension 0 is van der Corput's sequence; the others come from random lower-triangular
  // matrices, which give digital sequences as well.
  std::vector<unsigned> directions;
  workload::Random random(1);
  for (int d = 0; d < dimensions; ++d)
    for (int bit = 0; bit < kDirections; ++bit) {
      const unsigned one = 1u << (31 - bit);
      directions.push_back(d == 0 ? one : one | (random.next() & ~(2 * one - 1)));
    }
  const workload::DeviceArray<unsigned> dd(directions);
  const workload::DeviceArray<float> points(std::size_t(dimensions) * n);

  sobol<<<dim3(8, dimensions), 64>>>(dd, points, n);
  workload::finish_kernels();

  std::vector<float> expected(std::size_t(dimensions) * n);
  for (int d = 0; d < dimensions; ++d) {
    unsigned x = 0;
    for (unsigned i = 0; i < n; ++i) {
      if (i > 0) x ^= directions[d * kDirections + __builtin_ctz(i)];
      expected[std::size_t(d) * n + i] = x * 2.3283064365386962890625e-10f;
    }
  }
  workload::Verdict verdict;
  verdict.close("points", points.download(), expected, 0);
  return verdict.done();
}
