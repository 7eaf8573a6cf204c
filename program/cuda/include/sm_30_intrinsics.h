// SPDX-License-Identifier: Apache-2.0
// Everything CUDA declares in its header of this name is in cuda_runtime.h here.
#pragma once
#define __SM_30_INTRINSICS_H__

#include "cuda_runtime.h"
