// SPDX-License-Identifier: Apache-2.0
// Launches by kernels. They are declared, since libraries mention them, and not supported: a kernel
// that calls one is refused when it is launched.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"
#include "vector_types.h"

#if defined(__CUDA__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ void* cudaGetParameterBufferV2(void* function, dim3 grid, dim3 block,
                                          unsigned int shared_bytes);
__device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared_bytes, cudaStream_t stream);
__device__ cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream);
}
#endif
