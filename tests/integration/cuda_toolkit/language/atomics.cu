// SPDX-License-Identifier: Apache-2.0
// Atomics of all types and scopes, the loop around compare-and-swap for those that there are not,
// locks, counters that wrap, and aggregation within a warp.
#include "check.h"

__device__ float atomic_max(float* address, float value) {
  int* const as_int = reinterpret_cast<int*>(address);
  int old = *as_int, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(as_int, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}

struct Results {
  int sum, least, most, bits, toggled, kept, wrapped, locked, exchanged;
  unsigned long long wide;
  float single, top;
  double exact;
};

__global__ void all(Results* r, int* lock) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&r->sum, i);
  atomicMin(&r->least, -i);
  atomicMax(&r->most, i);
  atomicOr(&r->bits, 1 << i % 32);
  atomicXor(&r->toggled, i);
  atomicAnd(&r->kept, ~(1 << i % 7));
  atomicInc(reinterpret_cast<unsigned*>(&r->wrapped), 99);
  atomicAdd(&r->wide, 1ull << 33);
  atomicAdd(&r->single, 0.5f);
  atomicAdd(&r->exact, 0.25);
  atomicExch(&r->exchanged, 5);
  atomic_max(&r->top, static_cast<float>(i) * 0.5f);
  if (threadIdx.x == 0) {  // one thread a block, since lanes of a warp would wait for each other
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    const int v = *static_cast<volatile int*>(&r->locked);
    *static_cast<volatile int*>(&r->locked) = v + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void block_histogram(const unsigned char* in, int n, unsigned* bins) {
  __shared__ unsigned mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i] % 16], 1u);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const int blocks = 6, threads = 64, n = blocks * threads;
  Results r = {}, *device;
  r.kept = -1;
  int* lock;
  OK(cudaMalloc(&device, sizeof r));
  OK(cudaMalloc(&lock, sizeof *lock));
  OK(cudaMemset(lock, 0, sizeof *lock));
  OK(cudaMemcpy(device, &r, sizeof r, cudaMemcpyHostToDevice));
  all<<<blocks, threads>>>(device, lock);
  OK(cudaMemcpy(&r, device, sizeof r, cudaMemcpyDeviceToHost));
  int toggled = 0;
  for (int i = 0; i < n; ++i) toggled ^= i;
  CHECK(r.sum == n * (n - 1) / 2 && r.least == 1 - n && r.most == n - 1);
  CHECK(r.bits == -1 && r.toggled == toggled && r.kept == ~0x7f);
  CHECK(r.wrapped == n % 100 && r.locked == blocks && r.exchanged == 5);
  CHECK(r.wide == static_cast<unsigned long long>(n) << 33);
  CHECK(r.single == n * 0.5f && r.exact == n * 0.25 && r.top == (n - 1) * 0.5f);

  unsigned char bytes[1000], *device_bytes;
  unsigned bins[16], *device_bins;
  for (int i = 0; i < 1000; ++i) bytes[i] = static_cast<unsigned char>(i * i);
  OK(cudaMalloc(&device_bytes, sizeof bytes));
  OK(cudaMalloc(&device_bins, sizeof bins));
  OK(cudaMemcpy(device_bytes, bytes, sizeof bytes, cudaMemcpyHostToDevice));
  OK(cudaMemset(device_bins, 0, sizeof bins));
  block_histogram<<<4, 64>>>(device_bytes, 1000, device_bins);
  OK(cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost));
  unsigned wanted[16] = {};
  for (unsigned char b : bytes) ++wanted[b % 16];
  for (int i = 0; i < 16; ++i) CHECK(bins[i] == wanted[i]);
  return finish();
}
