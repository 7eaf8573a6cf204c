// SPDX-License-Identifier: Apache-2.0
// Part of cuda_bf16.h.
#pragma once

#include "cuda_bf16.h"
