// SPDX-License-Identifier: Apache-2.0
// printf and assert of device code. clang turns a device printf into vprintf.
#pragma once

#include <stddef.h>

#include "../host_defines.h"

#if defined(__CUDA__)
extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ int printf(const char* format, ...);
__device__ void __assertfail(const char* message, const char* file, unsigned int line,
                             const char* function, size_t character_bytes);
// What glibc's assert() calls.
static __inline__ __device__ void __assert_fail(const char* message, const char* file,
                                                unsigned int line, const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}
static __inline__ __device__ void __trap() { asm volatile("trap;"); }
static __inline__ __device__ void __brkpt() {}
#endif
