// SPDX-License-Identifier: Apache-2.0
// Part of cuda_runtime.h.
#pragma once
#define __DEVICE_TYPES_H__

#include "cuda_runtime.h"
