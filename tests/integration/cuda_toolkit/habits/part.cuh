// SPDX-License-Identifier: Apache-2.0
#pragma once
__device__ int twice(int value);
extern __constant__ int kAdded;
