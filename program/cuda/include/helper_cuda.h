// SPDX-License-Identifier: Apache-2.0
// Error checks and device choice under the names that programs in the style of the CUDA samples
// use.
#pragma once
#define COMMON_HELPER_CUDA_H_

#include <cstdio>
#include <cstdlib>

#include "cuda_runtime.h"
#include "helper_string.h"

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

template <class Type_>
inline void check(Type_ result, const char* call, const char* file, int line) {
  if (result == static_cast<Type_>(0)) return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call,
               cudaGetErrorString(static_cast<cudaError_t>(result)),
               cudaGetErrorName(static_cast<cudaError_t>(result)));
  std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, message, cudaGetErrorString(error),
               cudaGetErrorName(error));
  std::exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)

inline void __printLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, message, cudaGetErrorString(error),
                 cudaGetErrorName(error));
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline int ftoi(float value) { return static_cast<int>(value >= 0 ? value + 0.5f : value - 0.5f); }

/// Arithmetic lanes an SM of this compute capability has.
inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (major) {
    case 2:
      return minor == 0 ? 32 : 48;
    case 3:
      return 192;
    case 5:
      return 128;
    case 6:
      return minor == 0 ? 64 : 128;
    default:
      return 64;
  }
}

inline int gpuGetMaxGflopsDeviceId() { return 0; }

inline int gpuDeviceInit(int device) {
  checkCudaErrors(cudaSetDevice(device));
  return device;
}

inline int findCudaDevice(int argc, const char** argv) {
  const int device =
      checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0;
  cudaDeviceProp properties;
  checkCudaErrors(cudaSetDevice(device));
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
              properties.major, properties.minor);
  return device;
}

inline bool checkCudaCapabilities(int major, int minor) {
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
