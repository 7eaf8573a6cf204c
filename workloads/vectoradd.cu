// SPDX-License-Identifier: Apache-2.0
// vectoradd [n = 1048576]: c = a + b.
//
// Stands for: vectorAdd of the CUDA SDK samples.
// Memory: three streams, every access coalesced into one line a warp, no reuse; primary misses
// only.
// Measured (5242880): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void vectoradd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1 << 20);
  workload::no_more_arguments(argc, argv, 1);
  const auto a = workload::random_floats(n, 1), b = workload::random_floats(n, 2);
  const workload::DeviceArray<float> da(a), db(b), dc(n);

  constexpr unsigned kBlock = 256;
  vectoradd<<<workload::blocks_for(n, kBlock), kBlock>>>(da, db, dc, n);
  workload::finish_kernels();

  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = a[i] + b[i];
  workload::Verdict verdict;
  verdict.close("c", dc.download(), expected, 0);
  return verdict.done();
}
