// SPDX-License-Identifier: Apache-2.0
// TSMA's early eviction alone (KI 5.1): one warp keeps three lines of an L1D set hot and streams
// others through the fourth way. Each stream miss finds a hot line least recently used: TSMA gives
// it up at once and misses on it, although the set would still have it when the stream line
// arrives. Never more misses than ways are outstanding, so the cache is not locked.
//
// arguments: [rounds [bytes between lines of a set]] (64, 4096: 32 sets of 128 B)
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../common/check.hpp"

__global__ void stream_past_hot_lines(const int* data, int* out, int rounds, int stride) {
  const int* const hot = data + threadIdx.x;
  const int* stream = hot + 3 * stride;
  int sum = 0;
  for (int i = 0; i < rounds; ++i, stream += stride) {
    const int s = *stream;
    asm volatile("" ::: "memory");
    const int a = hot[0];
    const int b = hot[stride];
    const int c = hot[2 * stride];
    sum += s + a + b + c;
    asm volatile("" ::: "memory");
  }
  out[threadIdx.x] = sum;
}

int main(int argc, char** argv) {
  const int rounds = workload::size_argument(argc, argv, 1, 64, 1, 1 << 12);
  const int stride =
      workload::size_argument(argc, argv, 2, 4096, 128, 1 << 16) / static_cast<int>(sizeof(int));
  workload::no_more_arguments(argc, argv, 2);
  std::vector<int> data(static_cast<std::size_t>(rounds + 3) * stride);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i % 1009);
  int *device, *out;
  cudaMalloc((void**)&device, data.size() * sizeof(int));
  cudaMalloc((void**)&out, 32 * sizeof(int));
  cudaMemcpy(device, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice);
  stream_past_hot_lines<<<1, 32>>>(device, out, rounds, stride);
  int result[32];
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int lane = 0; lane < 32; ++lane) {
    int expected = 0;
    for (int i = 0; i < rounds; ++i) {
      expected += data[(i + 3) * stride + lane];
      for (int line = 0; line < 3; ++line) expected += data[line * stride + lane];
    }
    right = right && result[lane] == expected;
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
