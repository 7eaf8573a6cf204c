// SPDX-License-Identifier: Apache-2.0
__device__ float squared(float v) { return v * v; }
