// SPDX-License-Identifier: Apache-2.0
// In the manner of the first SDK: the program's cutil.h, names of runtime functions that are gone,
// nvcc's guards, kernels in a file that is included, and an architecture that is gone, too.
#include <cutil.h>

#include "old_sdk_kernel.cu"

#if !defined(__CUDACC__) || !defined(__NVCC__) || !defined(OWN_CUTIL)
#error "the compiler is nvcc, and cutil.h is the program's"
#endif
#if CUDART_VERSION < 4000 || !defined(__CUDACC_VER_MAJOR__)
#error "the toolkit has a version"
#endif

int main(int argc, char** argv) {
  unsigned int n = 256, bytes = n * sizeof(float);
  float *h_data = (float*)malloc(bytes), *d_data;
  for (unsigned int i = 0; i < n; i++) h_data[i] = (float)i;
  CUDA_SAFE_CALL(cudaMalloc((void**)&d_data, bytes));
  CUDA_SAFE_CALL(cudaMemcpy(d_data, h_data, bytes, cudaMemcpyHostToDevice));
  reverse<<<n / 64, 64, 64 * sizeof(float)>>>(d_data);
  CUT_CHECK_ERROR("reverse");
  CUDA_SAFE_CALL(cudaThreadSynchronize());
  CUDA_SAFE_CALL(cudaMemcpy(h_data, d_data, bytes, cudaMemcpyDeviceToHost));
  int good = 1;
  for (unsigned int i = 0; i < n; i++) good = good && h_data[i] == i / 64 * 64 + 63 - i % 64;
  CUDA_SAFE_CALL(cudaFree(d_data));
  free(h_data);
  puts(good ? "PASS" : "FAIL");
  cudaThreadExit();
  return !good;
}
