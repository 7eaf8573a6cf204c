// SPDX-License-Identifier: Apache-2.0
// Macros and functions of the first CUDA SDKs, for programs that still use them.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>

#include "cuda_runtime.h"
#include "helper_string.h"
#include "helper_timer.h"

inline void warpmem_cutil_check(cudaError_t error, const char* what, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
  std::exit(EXIT_FAILURE);
}

#define CUDA_SAFE_CALL_NO_SYNC(call) warpmem_cutil_check((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define CUDA_SAFE_THREAD_SYNC() CUDA_SAFE_CALL(cudaThreadSynchronize())
#define CUT_SAFE_CALL(call)                                                  \
  do {                                                                       \
    if (CUTTrue != (call)) {                                                 \
      std::fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #call); \
      std::exit(EXIT_FAILURE);                                               \
    }                                                                        \
  } while (0)
#define CUT_CHECK_ERROR(message) \
  warpmem_cutil_check(cudaGetLastError(), message, __FILE__, __LINE__)
#define CUT_DEVICE_INIT(argc, argv) CUDA_SAFE_CALL(cudaSetDevice(0))
#define CUT_EXIT(argc, argv) std::exit(EXIT_SUCCESS)
#define CUT_THREADPROC void*
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilSafeCall(call) CUDA_SAFE_CALL(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define cutilSafeThreadSync() CUDA_SAFE_THREAD_SYNC()
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilDeviceInit(argc, argv) CUT_DEVICE_INIT(argc, argv)
#define cutilExit(argc, argv) CUT_EXIT(argc, argv)
#define cutGetMaxGflopsDeviceId() 0

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

inline CUTBoolean cutCheckCmdLineFlag(const int argc, const char** argv, const char* name) {
  return checkCmdLineFlag(argc, argv, name) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumenti(const int argc, const char** argv, const char* name,
                                         int* value) {
  return getCmdLineArgumentValue(argc, argv, name, value) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumentf(const int argc, const char** argv, const char* name,
                                         float* value) {
  return getCmdLineArgumentValue(argc, argv, name, value) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumentstr(const int argc, const char** argv, const char* name,
                                           char** value) {
  return getCmdLineArgumentString(argc, argv, name, value) ? CUTTrue : CUTFalse;
}
inline char* cutFindFilePath(const char* name, const char* program) {
  return sdkFindFilePath(name, program);
}

inline std::map<unsigned int, StopWatchInterface>& warpmem_cutil_timers() {
  static std::map<unsigned int, StopWatchInterface> timers;
  return timers;
}
inline CUTBoolean cutCreateTimer(unsigned int* timer) {
  static unsigned int last = 0;
  *timer = ++last;
  warpmem_cutil_timers()[*timer];
  return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned int timer) {
  return warpmem_cutil_timers().erase(timer) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutStartTimer(unsigned int timer) {
  warpmem_cutil_timers()[timer].start();
  return CUTTrue;
}
inline CUTBoolean cutStopTimer(unsigned int timer) {
  warpmem_cutil_timers()[timer].stop();
  return CUTTrue;
}
inline CUTBoolean cutResetTimer(unsigned int timer) {
  warpmem_cutil_timers()[timer].reset();
  return CUTTrue;
}
inline float cutGetTimerValue(unsigned int timer) {
  return warpmem_cutil_timers()[timer].getTime();
}
inline float cutGetAverageTimerValue(unsigned int timer) {
  return warpmem_cutil_timers()[timer].getAverageTime();
}

template <class Type_>
inline CUTBoolean warpmem_cutil_compare(const Type_* reference, const Type_* data, unsigned int n,
                                        Type_ epsilon) {
  for (unsigned int i = 0; i < n; ++i) {
    const Type_ difference =
        reference[i] > data[i] ? reference[i] - data[i] : data[i] - reference[i];
    if (!(difference <= epsilon)) return CUTFalse;
  }
  return CUTTrue;
}
inline CUTBoolean cutComparef(const float* reference, const float* data, unsigned int n) {
  return warpmem_cutil_compare(reference, data, n, 0.0f);
}
inline CUTBoolean cutComparefe(const float* reference, const float* data, unsigned int n,
                               float epsilon) {
  return warpmem_cutil_compare(reference, data, n, epsilon);
}
inline CUTBoolean cutComparei(const int* reference, const int* data, unsigned int n) {
  return warpmem_cutil_compare(reference, data, n, 0);
}
