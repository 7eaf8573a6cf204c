// SPDX-License-Identifier: Apache-2.0
// Variables of the device whose types have no names are symbols like others.
#include <cuda_runtime.h>

#include "check.h"

__device__ __managed__ struct {
  float x;
  double y;
} managed = {1.5f, 2.5};
__constant__ struct __align__(16) { int factor; }
limits = {3};
static __device__ const volatile struct { int v[2]; } fixed = {{4, 5}};
__device__ union {
  int word;
  char bytes[4];
} both;

__global__ void use() {
  managed.x *= limits.factor;
  managed.y += fixed.v[1];
  both.word = 0x01020304;
}

int main() {
  const int factor = 4;
  char bytes[4];
  use<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  CHECK(managed.x == 4.5f && managed.y == 7.5);
  OK(cudaMemcpyToSymbol(limits, &factor, sizeof factor));
  use<<<1, 1>>>();
  OK(cudaMemcpyFromSymbol(bytes, both, sizeof bytes));
  CHECK(managed.x == 18 && bytes[0] == 4);
  return finish();
}
