// SPDX-License-Identifier: Apache-2.0
// Part of cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
