// SPDX-License-Identifier: Apache-2.0
// A prefix sum in one pass: a block takes its number from a counter and waits for the sum of the
// blocks before it.
#include <cstdio>
#include <vector>

__global__ void scan(const int* in, int* out, volatile int* sums, unsigned* counter) {
  __shared__ int values[64], before;
  __shared__ unsigned block;
  if (threadIdx.x == 0) block = atomicAdd(counter, 1);
  __syncthreads();
  const int t = threadIdx.x, i = block * 64 + t;
  values[t] = in[i];
  for (int reach = 1; reach < 64; reach *= 2) {
    __syncthreads();
    const int other = t >= reach ? values[t - reach] : 0;
    __syncthreads();
    values[t] += other;
  }
  __syncthreads();
  if (t == 63) {
    int sum = 0;
    if (block > 0)
      while ((sum = sums[block - 1]) < 0) {
      }
    before = sum;
    __threadfence();
    sums[block] = sum + values[63];
  }
  __syncthreads();
  out[i] = before + values[t];
}

int main() {
  const int blocks = 40, n = blocks * 64;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i * 7 % 11;
  int *device_in, *device_out, *sums;
  unsigned* counter;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, n * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMemset(sums, 0xff, blocks * sizeof(int));
  cudaMemset(counter, 0, sizeof(unsigned));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan<<<blocks, 64>>>(device_in, device_out, sums, counter);
  cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0, sum = 0; i < n; ++i) good = good && out[i] == (sum += in[i]);
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
