// SPDX-License-Identifier: Apache-2.0
// cudaProfilerStart and cudaProfilerStop are accepted and change nothing.
#ifndef WARPMEM_CUDA_PROFILER_API_H
#define WARPMEM_CUDA_PROFILER_API_H
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime_api.h"

#endif
