// SPDX-License-Identifier: Apache-2.0
// Each of three launches reads what the one before wrote; the program is there for fast-forwarding.
#include <cstdio>
#include <vector>

constexpr int kThreads = 128;
constexpr int kElements = 40 * kThreads;

__global__ void fill(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

__global__ void twice(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] *= 2;
}

template <int N>
__global__ void add(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[i % N], in[i]);
}

int main() {
  int *data, *sums;
  cudaMalloc(&data, kElements * sizeof(int));
  cudaMalloc(&sums, 64 * sizeof(int));
  cudaMemset(sums, 0, 64 * sizeof(int));
  fill<<<kElements / kThreads, kThreads>>>(data);
  twice<<<kElements / kThreads, kThreads>>>(data);
  add<64><<<kElements / kThreads, kThreads>>>(data, sums);
  std::vector<int> got(64), want(64);
  cudaMemcpy(got.data(), sums, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < kElements; ++i) want[i % 64] += 2 * i;
  std::puts(got == want ? "PASS" : "FAIL");
  return got == want ? 0 : 1;
}
