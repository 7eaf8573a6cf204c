// SPDX-License-Identifier: Apache-2.0
// A texture reference, dynamic shared memory, a template kernel.
#include <cutil.h>

#include "project.h"

texture<float, 2, cudaReadModeElementType> picture;

static __global__ void kernel(float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D(picture, x + dx + 0.5f, y + dy + 0.5f);
  out[y * width + x] = sum;
}

template <class T>
__global__ void add_up(const T* values, T* sum, int n) {
  extern __shared__ char memory[];
  T* const partial = (T*)memory;
  T mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += values[i];
  partial[threadIdx.x] = mine;
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *sum = partial[0];
}

float filter_on_device(const float* image, float* out, int width, int height) {
  float *dimage, *dout, *dsum, sum = 0;
  size_t pitch;
  CUDA_SAFE_CALL(cudaMallocPitch((void**)&dimage, &pitch, width * sizeof(float), height));
  CUDA_SAFE_CALL(cudaMalloc((void**)&dout, width * height * sizeof(float)));
  CUDA_SAFE_CALL(cudaMalloc((void**)&dsum, sizeof(float)));
  CUDA_SAFE_CALL(cudaMemcpy2D(dimage, pitch, image, width * sizeof(float), width * sizeof(float),
                              height, cudaMemcpyHostToDevice));
  picture.addressMode[0] = cudaAddressModeClamp;
  picture.addressMode[1] = cudaAddressModeClamp;
  picture.filterMode = cudaFilterModePoint;
  picture.normalized = false;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA_SAFE_CALL(cudaBindTexture2D(0, picture, dimage, format, width, height, pitch));
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  kernel<<<grid, block>>>(dout, width, height);
  add_up<float><<<1, 256, 256 * sizeof(float)>>>(dout, dsum, width * height);
  CUDA_SAFE_CALL(cudaThreadSynchronize());
  CUDA_SAFE_CALL(cudaMemcpy(out, dout, width * height * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(&sum, dsum, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaUnbindTexture(picture));
  CUDA_SAFE_CALL(cudaFree(dimage));
  CUDA_SAFE_CALL(cudaFree(dout));
  CUDA_SAFE_CALL(cudaFree(dsum));
  return sum;
}
