// SPDX-License-Identifier: Apache-2.0
// -I comes before the toolkit's headers; cuda.h brings the integers of stdint.h; cudaMalloc takes
// pointers to constants; nan() exists on the device; brackets of launches may be apart.
#include <cuda.h>
#include <helper_cuda.h>
#include <stdio.h>

__global__ void fill(uint32_t* out, double* none, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i;
  if (i == 0) *none = nan("");
}

int main() {
  const uint32_t* numbers = NULL;
  double* none = NULL;
  checkCudaErrors(cudaMalloc(&numbers, 100 * sizeof(uint32_t)));
  checkCudaErrors(cudaMalloc((void**)&none, sizeof(double)));
  dim3 grid(4), block(32);
  fill<<<grid, block>>>(const_cast<uint32_t*>(numbers), none, 100);
  uint32_t host[100];
  double host_none = 0;
  checkCudaErrors(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(&host_none, none, sizeof host_none, cudaMemcpyDeviceToHost));
  bool good = kOwnHelper == 1 && host_none != host_none;
  for (uint32_t i = 0; i < 100; ++i) good = good && host[i] == i * i;
  puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
