// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim, gridDim, warpSize: each member reads its special register.
#pragma once

#include "../vector_types.h"

#if defined(__CUDA__)

#define WARPMEM_SREG(field, sreg)                                                       \
  __declspec(property(get = get_##field)) unsigned int field;                           \
  static __inline__ __attribute__((always_inline, device)) unsigned int get_##field() { \
    return __nvvm_read_ptx_sreg_##sreg();                                               \
  }

#define WARPMEM_BUILTIN(type_name, sreg)                         \
  struct type_name {                                             \
    WARPMEM_SREG(x, sreg##_x)                                    \
    WARPMEM_SREG(y, sreg##_y)                                    \
    WARPMEM_SREG(z, sreg##_z)                                    \
    __device__ operator uint3() const { return uint3{x, y, z}; } \
    __device__ operator dim3() const { return dim3(x, y, z); }   \
    type_name(const type_name&) = delete;                        \
    void operator=(const type_name&) = delete;                   \
  };

WARPMEM_BUILTIN(warpmem_thread_index, tid)
WARPMEM_BUILTIN(warpmem_block_index, ctaid)
WARPMEM_BUILTIN(warpmem_block_size, ntid)
WARPMEM_BUILTIN(warpmem_grid_size, nctaid)

#undef WARPMEM_BUILTIN
#undef WARPMEM_SREG

// Never defined: their members are functions that read registers.
extern const __device__ __attribute__((weak)) warpmem_thread_index threadIdx;
extern const __device__ __attribute__((weak)) warpmem_block_index blockIdx;
extern const __device__ __attribute__((weak)) warpmem_block_size blockDim;
extern const __device__ __attribute__((weak)) warpmem_grid_size gridDim;
__device__ __attribute__((unused)) constexpr int warpSize = 32;

#endif
