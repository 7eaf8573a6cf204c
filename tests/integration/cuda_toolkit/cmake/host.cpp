// SPDX-License-Identifier: Apache-2.0
// A host compiler's file that calls the runtime and cuBLAS.
#include <cublas_v2.h>
#include <cuda_runtime.h>

float sum_of(const float* device, int n) {
  cublasHandle_t handle;
  float sum = -1;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return sum;
  cublasSasum(handle, n, device, 1, &sum);
  cublasDestroy(handle);
  return sum;
}
