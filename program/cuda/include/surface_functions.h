// SPDX-License-Identifier: Apache-2.0
// Part of cuda_runtime.h.
#pragma once
#define __SURFACE_FUNCTIONS_H__

#include "cuda_runtime.h"
