// SPDX-License-Identifier: Apache-2.0
// The words that CUDA adds to C++. A compiler without CUDA sees none of them.
#pragma once
#define __HOST_DEFINES_H__

#define __CUDA_RUNTIME__ 1

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// clang has no such attribute: the runtime finds it in the name of the section where the kernel's
// stub lies.
#define WARPMEM_TEXT(...) #__VA_ARGS__
#define __cluster_dims__(...) __attribute__((section("warpmem.cluster " WARPMEM_TEXT(__VA_ARGS__))))
#define __grid_constant__
// A lambda is an ordinary class here, whatever -extended-lambda says.
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false
// Nor has it such variables: the host's copy is the variable, which kernels access in place.
#define __managed__ __device__ __attribute__((section("warpmem.managed")))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __managed__
#endif

// libstdc++ writes __attribute__((__noinline__)) in one header: bits/shared_ptr_base.h here hides
// the macro from it.
#if defined(__CUDA__)
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))

#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cudart_builtin__
#define __device_builtin__
#define CUDARTAPI
#define CUDART_CB

#if defined(__cplusplus)
#define __dv(value) = value
#else
#define __dv(value)
#endif
