// SPDX-License-Identifier: Apache-2.0
// TSMA's cache lock-up alone (KI 5.1): one warp has more misses of one L1D set outstanding than the
// set has ways, and uses no line twice. With every tag of the set shared, the next miss locks the
// cache; nothing that is evicted early is ever missed.
//
// arguments: [rounds [bytes between lines of a set]] (32, 4096: 32 sets of 128 B)
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../common/check.hpp"

constexpr int kLoads = 6;

__global__ void miss_one_set(const int* data, int* out, int rounds, int stride) {
  const int* line = data + threadIdx.x;
  int sum = 0;
  for (int i = 0; i < rounds; ++i, line += kLoads * stride) {
    const int a = line[0];
    const int b = line[stride];
    const int c = line[2 * stride];
    const int d = line[3 * stride];
    const int e = line[4 * stride];
    const int f = line[5 * stride];
    sum += a + b + c + d + e + f;
    asm volatile("" ::: "memory");
  }
  out[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  const int rounds = workload::size_argument(argc, argv, 1, 32, 1, 1 << 12);
  const int stride =
      workload::size_argument(argc, argv, 2, 4096, 128, 1 << 16) / static_cast<int>(sizeof(int));
  workload::no_more_arguments(argc, argv, 2);
  std::vector<int> data(static_cast<std::size_t>(rounds) * kLoads * stride);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i % 1009);
  int *device, *out;
  cudaMalloc((void**)&device, data.size() * sizeof(int));
  cudaMalloc((void**)&out, 32 * sizeof(int));
  cudaMemcpy(device, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice);
  miss_one_set<<<1, 32>>>(device, out, rounds, stride);
  int result[32];
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int lane = 0; lane < 32; ++lane) {
    int expected = 0;
    for (int line = 0; line < rounds * kLoads; ++line) expected += data[line * stride + lane];
    right = right && result[lane] == expected;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
