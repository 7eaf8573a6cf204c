// SPDX-License-Identifier: Apache-2.0
// Rounds of smoothing over managed memory that host and device change in turn.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CHECK(call)                                                             \
  do {                                                                               \
    cudaError_t result = (call);                                                     \
    if (result != cudaSuccess) {                                                     \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(result)); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

struct Field {
  int n;
  int *value;
  void *operator new(size_t bytes) {
    void *p;
    CUDA_CHECK(cudaMallocManaged(&p, bytes));
    return p;
  }
  void operator delete(void *p) { cudaFree(p); }
};

__global__ void smooth(const Field *from, Field *to, int *rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, last = from->n - 1;
  if (i > last) return;
  to->value[i] =
      (from->value[i > 0 ? i - 1 : 0] + 2 * from->value[i] + from->value[i < last ? i + 1 : last]) /
      4;
  if (i == 0) (*rounds)++;
}

int main() {
  const int n = 1000;
  int device = -1, ok = 1, *rounds;
  CUDA_CHECK(cudaMallocManaged(&rounds, sizeof(int)));
  *rounds = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  Field *field[2];
  for (int f = 0; f < 2; f++) {
    field[f] = new Field;
    field[f]->n = n;
    CUDA_CHECK(cudaMallocManaged(&field[f]->value, n * sizeof(int)));
    CUDA_CHECK(
        cudaMemAdvise(field[f]->value, n * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
    CUDA_CHECK(cudaMemAdvise(field[f]->value, n * sizeof(int), cudaMemAdviseSetAccessedBy,
                             cudaCpuDeviceId));
  }
  int *expected = (int *)malloc(2 * n * sizeof(int)), *next = expected + n;
  for (int i = 0; i < n; i++) field[0]->value[i] = expected[i] = i * 7919 % 1000;
  for (int round = 0; round < 4; round++) {
    CUDA_CHECK(cudaMemPrefetchAsync(field[0]->value, n * sizeof(int), device, NULL));
    smooth<<<(n + 127) / 128, 128>>>(field[0], field[1], rounds);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
      next[i] =
          (expected[i > 0 ? i - 1 : 0] + 2 * expected[i] + expected[i < n - 1 ? i + 1 : n - 1]) / 4;
    CUDA_CHECK(cudaMemPrefetchAsync(field[1]->value, n * sizeof(int), cudaCpuDeviceId));
    for (int i = 0; i < n; i++) {
      ok &= field[1]->value[i] == next[i];
      field[0]->value[i] = expected[i] = next[i] + round;
    }
  }
  ok &= *rounds == 4;
  for (int f = 0; f < 2; f++) {
    CUDA_CHECK(cudaFree(field[f]->value));
    delete field[f];
  }
  free(expected);
  printf("%s\n", ok ? "PASS" : "FAIL");
  return !ok;
}
