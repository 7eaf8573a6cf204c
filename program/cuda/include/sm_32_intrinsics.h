// SPDX-License-Identifier: Apache-2.0
// Part of cuda_runtime.h.
#pragma once
#define __SM_32_INTRINSICS_H__

#include "cuda_runtime.h"
