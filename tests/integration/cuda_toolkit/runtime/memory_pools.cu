// SPDX-License-Identifier: Apache-2.0
// Allocations in the order of a stream, the default pool and one of the program's own.
#include <cuda_runtime.h>

#include <vector>

#include "check.h"

__global__ void fill(int *to, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value + i;
}

static unsigned long long number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long value = ~0ull;
  OK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

int main() {
  const int n = 4096;
  int supported = 0;
  OK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  CHECK(supported == 1);
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  cudaMemPool_t standard, own, current;
  OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  unsigned long long threshold = 1 << 20;
  OK(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK(number(standard, cudaMemPoolAttrReleaseThreshold) == threshold);

  size_t free_before, free_after, total;
  OK(cudaMemGetInfo(&free_before, &total));
  std::vector<int> host(n);
  for (int round = 0; round < 3; ++round) {
    int *a, *b;
    OK(cudaMallocAsync(&a, n * sizeof(int), stream));
    OK(cudaMallocAsync((void **)&b, n * sizeof(int), stream));
    fill<<<n / 256, 256, 0, stream>>>(a, round, n);
    OK(cudaMemcpyAsync(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice, stream));
    OK(cudaFreeAsync(a, stream));
    OK(cudaMemcpyAsync(host.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(number(standard, cudaMemPoolAttrUsedMemCurrent) == n * sizeof(int));
    OK(cudaFreeAsync(b, stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; ++i) CHECK(host[i] == round + i);
  }
  CHECK(number(standard, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(number(standard, cudaMemPoolAttrUsedMemHigh) == 2 * n * sizeof(int));

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  OK(cudaMemPoolCreate(&own, &properties));
  int *from_own, *from_current;
  OK(cudaMallocFromPoolAsync((void **)&from_own, 1000, own, stream));
  OK(cudaDeviceSetMemPool(0, own));
  OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == own);
  OK(cudaMallocAsync(&from_current, 500, stream));
  CHECK(number(own, cudaMemPoolAttrUsedMemCurrent) == 1500);
  CHECK(number(standard, cudaMemPoolAttrUsedMemCurrent) == 0);
  OK(cudaFree(from_own));  // as what cudaMalloc gave
  CHECK(number(own, cudaMemPoolAttrUsedMemCurrent) == 500);
  OK(cudaMemPoolTrimTo(own, 0));
  OK(cudaMemPoolDestroy(own));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolTrimTo(own, 0));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolDestroy(standard));
  OK(cudaFreeAsync(from_current, stream));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync(from_current, stream));
  OK(cudaMemGetInfo(&free_after, &total));
  CHECK(free_before == free_after);
  cudaGetLastError();
  return finish();
}
