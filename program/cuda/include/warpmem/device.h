// SPDX-License-Identifier: Apache-2.0
// The device side of CUDA C++. Built-in variables and the catalogue of mathematical names come with
// the compiler; what they call is defined here in PTX terms, so no CUDA toolkit is needed.
#ifndef WARPMEM_DEVICE_H
#define WARPMEM_DEVICE_H

// Each of these needs the ones before it.
// clang-format off
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#define pow warpmem_clang_pow
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
#undef pow
#include "power.h"
#include "float_overloads.h"

#include "libdevice_bits.h"
#include "libdevice_float.h"
#include "libdevice_exponential.h"
#include "libdevice_trigonometric.h"
#include "libdevice_double.h"
#include "libdevice_special.h"
#include "host_math.h"
#include "min_max.h"
#include "older_names.h"
#include "dot_products.h"
#include "memory.h"
#include "warp.h"
#include "barriers.h"
#include "atomics.h"
// clang-format on

extern "C" {
// clang turns printf in device code into vprintf; assert calls __assert_fail.
__device__ int printf(const char*, ...);
__device__ int vprintf(const char*, const char*);
__device__ void* malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void*) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned line,
                             const char* function, size_t char_bytes);
static inline __device__ void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}
namespace std {
static inline __device__ void* malloc(size_t bytes) { return ::malloc(bytes); }
static inline __device__ void free(void* pointer) { ::free(pointer); }
using ::memcpy;  // the device's, too
using ::memset;
using ::printf;
}  // namespace std

// clang's own wrapper of this header has new and delete of the device.
#include <new>

// These are the built-in variables as vectors.
#define WARPMEM_VARIABLE(name)                                                                 \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return uint3{x, y, z}; }
WARPMEM_VARIABLE(threadIdx)
WARPMEM_VARIABLE(blockIdx)
WARPMEM_VARIABLE(blockDim)
WARPMEM_VARIABLE(gridDim)
#undef WARPMEM_VARIABLE

#endif
