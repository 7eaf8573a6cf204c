// SPDX-License-Identifier: Apache-2.0
// Atomics that the program defines itself, for types CUDA has only on some GPUs or not at all: they
// are the ones that are called.
#include "check.h"

__device__ int own_calls;

__device__ double atomicAdd(double* address, double value) {
  atomicAdd(&own_calls, 1);
  unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

static __device__ __forceinline__ float atomicMax(float* address, float value) {
  return __int_as_float(atomicMax(reinterpret_cast<int*>(address), __float_as_int(value)));
}

// The built-in functions go before a template for all types.
template <class T>
__device__ T atomicMin(T* address, T value) {
  return static_cast<T>(atomicMin(reinterpret_cast<int*>(address), static_cast<int>(value)));
}
enum Level { low = 1, high = 7 };

__global__ void use(double* sum, float* most, Level* least, size_t* whole) {
  atomicAdd(sum, 1.0);
  atomicAdd(sum + 1, 2);
  atomicMax(most, static_cast<float>(threadIdx.x));
  atomicMin(least, threadIdx.x == 3 ? low : high);
  atomicAdd(whole, threadIdx.x);
}

int main() {
  double* sum;
  OK(cudaMallocManaged(&sum, 2 * sizeof *sum));
  float* most;
  OK(cudaMallocManaged(&most, sizeof *most));
  Level* least;
  OK(cudaMallocManaged(&least, sizeof *least));
  size_t* whole;
  OK(cudaMallocManaged(&whole, sizeof *whole));
  sum[0] = sum[1] = *most = 0;
  *least = high;
  *whole = 0;
  use<<<1, 64>>>(sum, most, least, whole);
  OK(cudaDeviceSynchronize());
  int calls = 0;
  OK(cudaMemcpyFromSymbol(&calls, own_calls, sizeof calls));
  CHECK(calls == 128);
  CHECK(sum[0] == 64 && sum[1] == 128);
  CHECK(*most == 63 && *least == low && *whole == 63 * 32);
  return finish();
}
