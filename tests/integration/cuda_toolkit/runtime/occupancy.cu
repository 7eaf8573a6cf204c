// SPDX-License-Identifier: Apache-2.0
// What programs ask before they launch: properties, attributes, occupancy, the block size that
// fills the device, memory that is left; and the errors of launches that cannot be.
#include "check.h"

__global__ void fill(int* out, int n, int value) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x % 256] = value;
  __syncthreads();
  if (i < n) out[i] = tile[(threadIdx.x + 1) % 256 % blockDim.x];
}

int main() {
  int devices = 0, block = 0, grid = 0, blocks = 0;
  OK(cudaGetDeviceCount(&devices));
  CHECK(devices == 1);
  OK(cudaSetDevice(0));
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.warpSize == 32 && properties.multiProcessorCount > 0);
  CHECK(properties.totalGlobalMem > 0 && properties.name[0] != 0);
  int shared = 0;
  OK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  CHECK(static_cast<size_t>(shared) == properties.sharedMemPerBlock);
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, fill));
  CHECK(attributes.sharedSizeBytes == 1024 && attributes.numRegs > 0);
  OK(cudaFuncSetCacheConfig(fill, cudaFuncCachePreferL1));
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 256));
  CHECK(block > 0 && block <= 256 && grid > 0);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, block, 0));
  CHECK(blocks > 0 && blocks * block <= properties.maxThreadsPerMultiProcessor);
  const auto shared_bytes = [](int threads) { return threads * sizeof(float); };
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, fill, shared_bytes, 256));
  CHECK(block > 0 && block <= 256 && grid > 0);
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &block, fill, shared_bytes, 256,
                                                             cudaOccupancyDefault));
  OK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, fill, 0, 128,
                                                 cudaOccupancyDisableCachingOverride));
  CHECK(block > 0 && block <= 128);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, block, 0, 0));
  size_t left = 0;
  OK(cudaOccupancyAvailableDynamicSMemPerBlock(&left, fill, 2, 64));
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 64, left));
  CHECK(blocks == 2);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 64, left + 1));
  CHECK(blocks == 1);
  EXPECT(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&left, fill, 10000, 64));
  cudaGetLastError();

  cudaArray_t array;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  CHECK(properties.maxTexture2D[0] > 0 && properties.maxTexture3D[2] > 0);
  CHECK(properties.maxTexture1DLinear > 0 && properties.maxTexture2DLayered[2] > 0);
  OK(cudaMallocArray(&array, &floats, properties.maxTexture2D[0], 1));
  OK(cudaFreeArray(array));
  EXPECT(cudaErrorInvalidValue,
         cudaMallocArray(&array, &floats, properties.maxTexture2D[0] + 1, 1));
  cudaGetLastError();
  int most = 0;
  OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture2DLayeredLayers, 0));
  CHECK(most == properties.maxTexture2DLayered[2]);
  OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSurface3DDepth, 0));
  CHECK(most == properties.maxSurface3D[2]);
  OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize));
  OK(cudaFuncSetAttribute(fill, cudaFuncAttributePreferredSharedMemoryCarveout,
                          cudaSharedmemCarveoutMaxShared));
  OK(cudaInitDevice(0, cudaDeviceScheduleAuto, 0));
  EXPECT(cudaErrorInvalidDevice,
         cudaDeviceGetP2PAttribute(&most, cudaDevP2PAttrAccessSupported, 0, 1));
  cudaGetLastError();

  size_t before = 0, after = 0, total = 0;
  OK(cudaMemGetInfo(&before, &total));
  const int n = 5000;
  static int host[n];
  int* out;
  OK(cudaMalloc(&out, sizeof host));
  OK(cudaMemGetInfo(&after, &total));
  CHECK(after < before && before <= total);

  fill<<<1, 2048>>>(out, n, 1);
  EXPECT(cudaErrorInvalidConfiguration, cudaPeekAtLastError());
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  fill<<<1, 32, 1 << 22>>>(out, n, 1);
  CHECK(cudaGetLastError() != cudaSuccess);
  void* huge = nullptr;
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc(&huge, static_cast<size_t>(1) << 50));
  EXPECT(cudaErrorMemoryAllocation, cudaGetLastError());

  int number = n, value = 42;
  void* arguments[] = {&out, &number, &value};
  OK(cudaLaunchKernel(reinterpret_cast<const void*>(fill), dim3((n + block - 1) / block),
                      dim3(block), arguments, 0, nullptr));
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int v : host) CHECK(v == 42);
  value = 43;
  OK(cudaLaunchKernel(fill, (n + block - 1) / block, block, arguments));  // the kernel by its name
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int v : host) CHECK(v == 43);
  return finish();
}
