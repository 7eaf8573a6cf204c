// SPDX-License-Identifier: Apache-2.0
// Everything CUDA declares in its header of this name is in cuda_runtime.h here.
#ifndef WARPMEM_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPMEM_DEVICE_ATOMIC_FUNCTIONS_H
#define __DEVICE_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"

#endif
