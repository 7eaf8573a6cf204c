// SPDX-License-Identifier: Apache-2.0
// Sharpens an image: a blur by texture fetches with weights in constant memory, two streams,
// events.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "sizes.h"

texture<float, 2, cudaReadModeElementType> image;
__constant__ float weight[2 * kRadius + 1];
__device__ int clamped = 0;

template <int radius>
__global__ void __launch_bounds__(256) blur_rows(float *out, cudaTextureObject_t from) {
  const int x = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
  const int y = __mul24(blockIdx.y, blockDim.y) + threadIdx.y;
  if (x >= kWidth || y >= kHeight) return;
  float sum = 0.0f;
#pragma unroll
  for (int i = -radius; i <= radius; ++i)
    sum += weight[i + radius] * tex2D<float>(from, x + i + 0.5f, y + 0.5f);
  out[y * kWidth + x] = sum;
}

__global__ void sharpen(float *out, const float *blurred, float amount) {
  extern __shared__ float column[];
  const int x = blockIdx.x, y = threadIdx.x;
  column[y] = blurred[y * kWidth + x];
  __syncthreads();
  float sum = 0.0f;
  for (int i = -kRadius; i <= kRadius; ++i)
    sum += weight[i + kRadius] * column[min(max(y + i, 0), kHeight - 1)];
  const float here = tex2D(image, x + 0.5f, y + 0.5f);
  float value = here + amount * (here - sum);
  if (value < 0.0f) {
    value = 0.0f;
    atomicAdd(&clamped, 1);
  }
  out[y * kWidth + x] = value;
}

int main(int argc, char **argv) {
  findCudaDevice(argc, (const char **)argv);
  StopWatchInterface *timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  std::vector<float> in(kWidth * kHeight), out(in.size()), expected(in.size()), rows(in.size());
  for (int i = 0; i < kWidth * kHeight; ++i) in[i] = (i * 37 % 101) * 0.01f;
  const float w[2 * kRadius + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  checkCudaErrors(cudaMemcpyToSymbol(weight, w, sizeof w));

  cudaArray *array;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  checkCudaErrors(cudaMallocArray(&array, &channel, kWidth, kHeight));
  checkCudaErrors(
      cudaMemcpyToArray(array, 0, 0, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  image.addressMode[0] = image.addressMode[1] = cudaAddressModeClamp;
  image.filterMode = cudaFilterModePoint;
  image.normalized = false;
  checkCudaErrors(cudaBindTextureToArray(image, array, channel));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t object;
  checkCudaErrors(cudaCreateTextureObject(&object, &resource, &how, NULL));

  float *blurred, *result;
  checkCudaErrors(cudaMalloc((void **)&blurred, in.size() * sizeof(float)));
  checkCudaErrors(cudaMalloc((void **)&result, in.size() * sizeof(float)));
  cudaStream_t first, second;
  cudaEvent_t start, done, stop;
  checkCudaErrors(cudaStreamCreate(&first));
  checkCudaErrors(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  checkCudaErrors(cudaEventCreate(&stop));
  dim3 block(16, 8), grid((kWidth + 15) / 16, (kHeight + 7) / 8);
  checkCudaErrors(cudaEventRecord(start, first));
  blur_rows<kRadius><<<grid, block, 0, first>>>(blurred, object);
  getLastCudaError("blur_rows");
  checkCudaErrors(cudaEventRecord(done, first));
  checkCudaErrors(cudaStreamWaitEvent(second, done, 0));
  sharpen<<<kWidth, kHeight, kHeight * sizeof(float), second>>>(result, blurred, 1.5f);
  getLastCudaError("sharpen");
  checkCudaErrors(cudaEventRecord(stop, second));
  checkCudaErrors(cudaMemcpyAsync(out.data(), result, in.size() * sizeof(float),
                                  cudaMemcpyDeviceToHost, second));
  checkCudaErrors(cudaStreamSynchronize(second));
  float milliseconds = -1;
  checkCudaErrors(cudaEventElapsedTime(&milliseconds, start, stop));
  sdkStopTimer(&timer);

  int zeros = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      float sum = 0;
      for (int i = -kRadius; i <= kRadius; ++i)
        sum += w[i + kRadius] * in[y * kWidth + MIN(MAX(x + i, 0), kWidth - 1)];
      rows[y * kWidth + x] = sum;
    }
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      float sum = 0;
      for (int i = -kRadius; i <= kRadius; ++i)
        sum += w[i + kRadius] * rows[MIN(MAX(y + i, 0), kHeight - 1) * kWidth + x];
      const float here = in[y * kWidth + x], value = here + 1.5f * (here - sum);
      zeros += value < 0;
      expected[y * kWidth + x] = value < 0 ? 0 : value;
    }
  int counted = -1;
  checkCudaErrors(cudaMemcpyFromSymbol(&counted, clamped, sizeof counted));
  const bool same = sdkCompareL2fe(expected.data(), out.data(), kWidth * kHeight, 1e-5f);
  const bool timed = milliseconds >= 0 && sdkGetTimerValue(&timer) > 0;
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaUnbindTexture(image));
  checkCudaErrors(cudaDestroyTextureObject(object));
  checkCudaErrors(cudaFreeArray(array));
  printf("%s\n", same && timed && counted == zeros ? "PASS" : "FAIL");
  return same && timed && counted == zeros ? EXIT_SUCCESS : EXIT_FAILURE;
}
