// SPDX-License-Identifier: Apache-2.0
// The program computes x1 += A y1, x2 += transpose(A) y2.
#include <cuda.h>

#include "../common/polybench_like.h"

#define PERCENT_DIFF_ERROR_THRESHOLD 0.05
#define GPU_DEVICE 0
#ifndef N
#define N 96
#endif
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 1
typedef float DATA_TYPE;

__global__ void mvt_kernel1(DATA_TYPE *a, DATA_TYPE *x1, DATA_TYPE *y_1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    for (int j = 0; j < N; j++) x1[i] += a[i * N + j] * y_1[j];
}

__global__ void mvt_kernel2(DATA_TYPE *a, DATA_TYPE *x2, DATA_TYPE *y_2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    for (int j = 0; j < N; j++) x2[i] += a[j * N + i] * y_2[j];
}

void GPU_argv_init() {
  cudaDeviceProp deviceProp;
  cudaGetDeviceProperties(&deviceProp, GPU_DEVICE);
  fprintf(stderr, "setting device %d with name %s\n", GPU_DEVICE, deviceProp.name);
  cudaSetDevice(GPU_DEVICE);
}

int main() {
  DATA_TYPE *a = (DATA_TYPE *)malloc(N * N * sizeof(DATA_TYPE));
  DATA_TYPE *x = (DATA_TYPE *)malloc(4 * N * sizeof(DATA_TYPE)), *expected = x + 2 * N;
  DATA_TYPE *y = (DATA_TYPE *)malloc(2 * N * sizeof(DATA_TYPE));
  for (int i = 0; i < N; i++) {
    x[i] = expected[i] = (DATA_TYPE)i / N;
    x[N + i] = expected[N + i] = (DATA_TYPE)(i + 1) / N;
    y[i] = (DATA_TYPE)(i + 3) / N;
    y[N + i] = (DATA_TYPE)(i + 4) / N;
    for (int j = 0; j < N; j++) a[i * N + j] = (DATA_TYPE)(i * j % 17) / N;
  }
  GPU_argv_init();
  DATA_TYPE *a_gpu, *x_gpu, *y_gpu;
  cudaMalloc((void **)&a_gpu, sizeof(DATA_TYPE) * N * N);
  cudaMalloc((void **)&x_gpu, sizeof(DATA_TYPE) * 2 * N);
  cudaMalloc((void **)&y_gpu, sizeof(DATA_TYPE) * 2 * N);
  cudaMemcpy(a_gpu, a, sizeof(DATA_TYPE) * N * N, cudaMemcpyHostToDevice);
  cudaMemcpy(x_gpu, x, sizeof(DATA_TYPE) * 2 * N, cudaMemcpyHostToDevice);
  cudaMemcpy(y_gpu, y, sizeof(DATA_TYPE) * 2 * N, cudaMemcpyHostToDevice);
  dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
  dim3 grid((size_t)ceil((float)N / ((float)DIM_THREAD_BLOCK_X)), 1);
  const double start = wall_seconds();
  mvt_kernel1<<<grid, block>>>(a_gpu, x_gpu, y_gpu);
  mvt_kernel2<<<grid, block>>>(a_gpu, x_gpu + N, y_gpu + N);
  cudaThreadSynchronize();
  fprintf(stderr, "GPU Runtime: %0.6lfs\n", wall_seconds() - start);
  cudaMemcpy(x, x_gpu, sizeof(DATA_TYPE) * 2 * N, cudaMemcpyDeviceToHost);
  int fail = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      expected[i] += a[i * N + j] * y[j];
      expected[N + i] += a[j * N + i] * y[N + j];
    }
  for (int i = 0; i < 2 * N; i++)
    if (percent_apart(expected[i], x[i]) > PERCENT_DIFF_ERROR_THRESHOLD) fail++;
  free(a);
  free(x);
  free(y);
  printf("%s\n", fail ? "FAIL" : "PASS");
  return fail != 0;
}
