// SPDX-License-Identifier: Apache-2.0
// Pinned memory of the host: allocated with flags, registered later, asked about, given back; and
// managed memory that both sides write.
#include <cstdlib>

#include "check.h"

__global__ void add(const int* a, const int* b, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  const size_t bytes = n * sizeof(int);
  int *a, *portable, *device_a, *device_b, *sum;
  OK(cudaHostAlloc(reinterpret_cast<void**>(&a), bytes, cudaHostAllocWriteCombined));
  OK(cudaHostAlloc(reinterpret_cast<void**>(&portable), bytes, cudaHostAllocPortable));
  int* const b = static_cast<int*>(std::malloc(bytes));
  OK(cudaHostRegister(b, bytes, cudaHostRegisterDefault));
  unsigned flags = 0;
  OK(cudaHostGetFlags(&flags, a));
  CHECK((flags & cudaHostAllocWriteCombined) != 0);
  OK(cudaMalloc(&device_a, bytes));
  OK(cudaMalloc(&device_b, bytes));
  OK(cudaMallocManaged(&sum, bytes));
  cudaPointerAttributes what;
  OK(cudaPointerGetAttributes(&what, a));
  CHECK(what.type == cudaMemoryTypeHost);
  OK(cudaPointerGetAttributes(&what, device_a));
  CHECK(what.type == cudaMemoryTypeDevice && what.devicePointer == device_a);
  OK(cudaPointerGetAttributes(&what, sum));
  CHECK(what.type == cudaMemoryTypeManaged);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) {
      a[i] = i + round;
      b[i] = 3 * i;
      sum[i] = -1;
    }
    OK(cudaMemcpyAsync(device_a, a, bytes, cudaMemcpyHostToDevice));
    OK(cudaMemcpyAsync(device_b, b, bytes, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, sum, n);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) CHECK(sum[i] == 4 * i + round);
    OK(cudaMemcpy(portable, sum, bytes, cudaMemcpyDefault));
    for (int i = 0; i < n; ++i) CHECK(portable[i] == 4 * i + round);
  }
  OK(cudaHostUnregister(b));
  EXPECT(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(b));
  cudaGetLastError();
  OK(cudaFreeHost(a));
  OK(cudaFreeHost(portable));
  OK(cudaFree(sum));
  std::free(b);
  return finish();
}
