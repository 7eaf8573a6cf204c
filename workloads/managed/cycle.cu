// SPDX-License-Identifier: Apache-2.0
// cycle [n = 262144] [sweeps = 4]: one kernel goes over a vector of managed memory from beginning
// to end, several times. With less device memory than the vector, eviction of the least recently
// used page always takes the one that is wanted next: every sweep brings every page again.
#include "../common/check.hpp"

__global__ void sweep(unsigned* v, int n, int sweeps) {
  const int threads = gridDim.x * blockDim.x;
  for (int s = 0; s < sweeps; ++s)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) v[i] = 5 * v[i] + 1;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 262144, 1, 1 << 26);
  const int sweeps = workload::size_argument(argc, argv, 2, 4, 1, 1000);
  workload::no_more_arguments(argc, argv, 2);
  unsigned* v = nullptr;
  CHECK_CUDA(cudaMallocManaged(&v, n * sizeof(unsigned)));
  std::vector<unsigned> expected(n);
  for (int i = 0; i < n; ++i) {
    v[i] = i;
    unsigned value = i;
    for (int s = 0; s < sweeps; ++s) value = 5 * value + 1;
    expected[i] = value;
  }
  sweep<<<4, 256>>>(v, n, sweeps);
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.equal("v", std::vector<unsigned>(v, v + n), expected);
  CHECK_CUDA(cudaFree(v));
  return verdict.done();
}
