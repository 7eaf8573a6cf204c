// SPDX-License-Identifier: Apache-2.0
// The program's own helper, with a switch over errors as older ones have.
#ifndef HELPER_CUDA_H
#define HELPER_CUDA_H

#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__)
#error "CUDA's headers come first"
#endif

static const int kOwnHelper = 1;

static const char* name_of(cudaError_t error) {
  switch (error) {
    case cudaErrorMapBufferObjectFailed:
      return "map";
    case cudaErrorNoKernelImageForDevice:
      return "image";
    case cudaErrorECCUncorrectable:
      return "ecc";
    case cudaErrorApiFailureBase:
      return "base";
    default:
      return "other";
  }
}
#define checkCudaErrors(call)                                               \
  do {                                                                      \
    if ((call) != cudaSuccess) printf("%s\n", name_of(cudaGetLastError())); \
  } while (0)

#endif
