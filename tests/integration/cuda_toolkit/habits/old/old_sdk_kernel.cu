// SPDX-License-Identifier: Apache-2.0
#ifndef OLD_SDK_KERNEL_CU
#define OLD_SDK_KERNEL_CU

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 350
#error "the architecture is at least the one that was asked for"
#endif

extern __shared__ float scratch[];

__global__ void reverse(float* data) {
  const unsigned int at = __umul24(blockIdx.x, blockDim.x);
  scratch[threadIdx.x] = data[at + threadIdx.x];
  __syncthreads();
  data[at + threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}

#endif
