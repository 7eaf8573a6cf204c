// SPDX-License-Identifier: Apache-2.0
// Functions by which kernels launch others. They are declared, since libraries mention them, and
// not supported: a kernel that calls one is refused when it is launched.
#pragma once
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "driver_types.h"
#include "vector_types.h"

#if defined(__CUDA__)
extern "C" {
__device__ cudaError_t cudaDeviceSynchronize(void);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
__device__ const char* cudaGetErrorString(cudaError_t error);
__device__ const char* cudaGetErrorName(cudaError_t error);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t stream);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                           unsigned int flags);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
__device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t bytes);
__device__ void* cudaGetParameterBufferV2(void* function, dim3 grid, dim3 block,
                                          unsigned int shared_bytes);
__device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared_bytes, cudaStream_t stream);
__device__ cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream);
}
#endif
