// SPDX-License-Identifier: Apache-2.0
// A program in the style of the CUDA samples: helper headers, managed and mapped memory, symbols,
// streams, events, occupancy, static and templated kernels, device printf.
#include <cutil.h>
#include <device_launch_parameters.h>
#include <helper_cuda.h>
#include <helper_functions.h>

#include "common/check.hpp"

constexpr int kN = 500;

__constant__ float factor[2] = {1.5f, 2.5f};
__device__ int calls;
__device__ float initial[3] = {1.0f, 2.0f, 3.0f};

template <typename Value, int kIndex>
__global__ void scale(Value* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor[kIndex];
  if (i == 0) atomicAdd(&calls, 1);
}

static __global__ void say(int value) {
  if (threadIdx.x == 1) printf("thread %d of block %u says %d\n", threadIdx.x, blockIdx.x, value);
}

struct Pair {
  char tag;
  double value;
};
__global__ void by_value(Pair p, double* out, short shift) { *out = p.value + p.tag + shift; }

int main(int argc, char** argv) {
  workload::Verdict verdict;
  findCudaDevice(argc, const_cast<const char**>(argv));
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);

  float* managed = nullptr;
  checkCudaErrors(cudaMallocManaged(&managed, kN * sizeof(float)));
  for (int i = 0; i < kN; ++i) managed[i] = i;
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  cudaStream_t stream;
  checkCudaErrors(cudaStreamCreate(&stream));
  checkCudaErrors(cudaEventRecord(start, stream));
  scale<float, 0><<<(kN + 127) / 128, 128, 0, stream>>>(managed, kN);
  checkCudaErrors(cudaEventRecord(stop, stream));
  getLastCudaError("scale");
  checkCudaErrors(cudaStreamSynchronize(stream));
  float ms = 0;
  checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
  verdict.require(ms > 0, "no time passed");
  managed[7] = 100;  // the host writes between launches
  scale<float, 1><<<(kN + 127) / 128, 128>>>(managed, kN);
  cutilSafeThreadSync();
  for (int i = 0; i < kN; ++i)
    verdict.require(managed[i] == (i == 7 ? 250.0f : 3.75f * i), "managed memory");

  double *mapped = nullptr, *on_device = nullptr;
  checkCudaErrors(cudaHostAlloc(&mapped, sizeof(double), cudaHostAllocMapped));
  checkCudaErrors(cudaHostGetDevicePointer(&on_device, mapped, 0));
  by_value<<<1, 1>>>(Pair{2, 0.25}, on_device, 40);
  checkCudaErrors(cudaDeviceSynchronize());
  verdict.require(*mapped == 42.25, "parameters of several sizes");

  int count = 0;
  checkCudaErrors(cudaMemcpyFromSymbol(&count, calls, sizeof count));
  verdict.require(count == 2, "a device counter");
  float* address = nullptr;
  std::size_t bytes = 0;
  checkCudaErrors(cudaGetSymbolAddress((void**)&address, initial));
  checkCudaErrors(cudaGetSymbolSize(&bytes, initial));
  float values[3] = {};
  checkCudaErrors(cudaMemcpy(values, address, bytes, cudaMemcpyDeviceToHost));
  float named = 0;
  checkCudaErrors(cudaMemcpyFromSymbol(&named, "initial", sizeof named, 4));
  verdict.require(named == 2.0f, "a symbol by its name, as before CUDA 5");
  verdict.require(cudaMemcpyFromSymbol(&named, "nowhere", 4) == cudaErrorInvalidSymbol &&
                      cudaGetLastError() == cudaErrorInvalidSymbol,
                  "a name of no symbol");
  verdict.require(bytes == 12 && values[2] == 3.0f, "an initialised device variable");

  int blocks = 0, grid = 0, block = 0;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale<float, 0>, 128, 0));
  checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&grid, &block, say));
  checkCudaErrors(cudaFuncSetCacheConfig(say, cudaFuncCachePreferL1));
  verdict.require(blocks > 0 && grid > 0 && block >= 32, "occupancy");
  say<<<2, 32>>>(5);
  CUT_CHECK_ERROR("say");
  unsigned int old_timer = 0;
  CUT_SAFE_CALL(cutCreateTimer(&old_timer));

  say<<<1, 4096>>>(1);
  verdict.require(cudaGetLastError() == cudaErrorInvalidConfiguration, "too large a block");
  checkCudaErrors(cudaFree(managed));
  checkCudaErrors(cudaFreeHost(mapped));
  checkCudaErrors(cudaStreamDestroy(stream));
  sdkStopTimer(&timer);
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaDeviceReset());
  return verdict.done();
}
