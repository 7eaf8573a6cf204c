// SPDX-License-Identifier: Apache-2.0
// relay [n = 65536] [rounds = 3] [ahead = 0]: host and device take turns on one vector of managed
// memory. In each round the host changes every 1024th element (a page of 4 KiB each), the device
// all of them; with `ahead` the vector is moved to the device before each launch. The host reads
// through cudaMemcpy what the device left, so every round brings pages back.
#include "../common/check.hpp"

__global__ void step(int* v, const int* add, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = 3 * v[i] + add[i];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 65536, 1, 1 << 26);
  const int rounds = workload::size_argument(argc, argv, 2, 3, 1, 1000);
  const bool ahead = workload::size_argument(argc, argv, 3, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 3);
  const std::size_t bytes = n * sizeof(int);
  int *v = nullptr, *add = nullptr;
  CHECK_CUDA(cudaMallocManaged(&v, bytes));
  CHECK_CUDA(cudaMallocManaged(&add, bytes));
  std::vector<int> expected(n), seen(n);
  for (int i = 0; i < n; ++i) {
    v[i] = expected[i] = i;
    add[i] = i % 7;
  }
  workload::Verdict verdict;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < n; i += 1024) {
      v[i] += round;
      expected[i] += round;
    }
    if (ahead) {
      CHECK_CUDA(cudaMemPrefetchAsync(v, bytes, 0, 0));
      CHECK_CUDA(cudaMemPrefetchAsync(add, bytes, 0, 0));
    }
    step<<<workload::blocks_for(n, 256), 256>>>(v, add, n);
    workload::finish_kernels();
    for (int i = 0; i < n; ++i)
      expected[i] = static_cast<int>(3u * static_cast<unsigned>(expected[i]) + i % 7);
    CHECK_CUDA(cudaMemcpy(seen.data(), v, bytes, cudaMemcpyDeviceToHost));
    verdict.equal("v", seen, expected);
  }
  CHECK_CUDA(cudaFree(v));
  CHECK_CUDA(cudaFree(add));
  return verdict.done();
}
