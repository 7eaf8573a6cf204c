// SPDX-License-Identifier: Apache-2.0
#include "part.cuh"

__constant__ int kAdded = 5;
__device__ int twice(int value) { return 2 * value; }
