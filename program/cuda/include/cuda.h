// SPDX-License-Identifier: Apache-2.0
// The version of CUDA whose interface these headers follow (the compiler reads it from here, too),
// and the names of the driver API that programs on the runtime API use.
#ifndef WARPMEM_CUDA_H
#define WARPMEM_CUDA_H
#define __cuda_cuda_h__

#define CUDA_VERSION 11050

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef int CUresult;
#define CUDA_SUCCESS 0

#endif
