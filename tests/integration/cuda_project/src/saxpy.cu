// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <helper_cuda.h>
#include <stdio.h>

#include "project.h"

#ifndef BLOCK
#error the makefile says how large a block is
#endif

__constant__ Job current;
__device__ int visits = 7;

// The same name in another file is another kernel.
static __global__ void kernel(const float* x, float* y) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i == 0) printf(GREETING " from block %d of %d\n", blockIdx.x, gridDim.x);
  assert(blockDim.x == BLOCK);
  if (i < current.n) {
    y[i] = current.factor * x[i] + y[i];
    atomicAdd(&visits, 1);
  }
}

void saxpy_on_device(const Job& job, const float* x, float* y) {
  float *dx, *dy;
  const size_t bytes = job.n * sizeof(float);
  checkCudaErrors(cudaMalloc((void**)&dx, bytes));
  checkCudaErrors(cudaMalloc((void**)&dy, bytes));
  checkCudaErrors(cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpyToSymbol(current, &job, sizeof(job)));
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  checkCudaErrors(cudaEventRecord(start));
  kernel<<<(job.n + BLOCK - 1) / BLOCK, BLOCK>>>(dx, dy);
  getLastCudaError("saxpy");
  checkCudaErrors(cudaEventRecord(stop));
  checkCudaErrors(cudaEventSynchronize(stop));
  float milliseconds = -1;
  checkCudaErrors(cudaEventElapsedTime(&milliseconds, start, stop));
  if (milliseconds <= 0) printf("the kernel took no time\n");
  checkCudaErrors(cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost));
  int count = 0;
  checkCudaErrors(cudaMemcpyFromSymbol(&count, visits, sizeof(count)));
  if (count != job.n + 7) printf("%d visits\n", count);
  checkCudaErrors(cudaFree(dx));
  checkCudaErrors(cudaFree(dy));
}
