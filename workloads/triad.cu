// SPDX-License-Identifier: Apache-2.0
// triad [n = 262144]: a[i] = b[i] + s * c[i].
//
// Stands for: Triad of SHOC (STREAM).
// Memory: two coalesced loads and a store a thread, no reuse at all: primary misses, DRAM
// bandwidth.
// In the papers: KI (docs/references.md).
// Measured (5242880): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr float kScale = 1.75f;

__global__ void triad(float* a, const float* b, const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + kScale * c[i];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 262144, 1, 1 << 28);
  workload::no_more_arguments(argc, argv, 1);
  const auto b = workload::random_floats(n, 1), c = workload::random_floats(n, 2);
  const workload::DeviceArray<float> da(n), db(b), dc(c);

  constexpr unsigned kBlock = 128;
  triad<<<workload::blocks_for(n, kBlock), kBlock>>>(da, db, dc, n);
  workload::finish_kernels();

  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = b[i] + double(kScale) * c[i];
  workload::Verdict verdict;
  verdict.close("a", da.download(), expected, 1e-6);
  return verdict.done();
}
