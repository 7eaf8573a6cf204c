// SPDX-License-Identifier: Apache-2.0
// The version of CUDA whose interface these headers follow (the compiler reads it from here, too),
// and the names of the driver API that programs on the runtime API use.
#ifndef WARPMEM_CUDA_H
#define WARPMEM_CUDA_H

#define CUDA_VERSION 10020

#include <stddef.h>

typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef int CUresult;
#define CUDA_SUCCESS 0

#endif
