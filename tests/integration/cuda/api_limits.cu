// SPDX-License-Identifier: Apache-2.0
// Sizes whose sums and products exceed 64 bits, shapes that no device has, handles and pointers
// that are none: each is an error code of its own, remembered as the last error, and changes no
// memory.
#include <cuda_runtime.h>

#include <cstring>

#include "common/check.hpp"

namespace {

constexpr size_t kAll = ~size_t(0);
constexpr size_t kBytes = 4096;

workload::Verdict verdict;
char host[kBytes];
char* device = nullptr;

void expect(cudaError_t wanted, cudaError_t got, const char* call) {
  if (got != wanted || cudaGetLastError() != wanted)
    std::printf("%s: %s, expected %s\n", call, cudaGetErrorName(got), cudaGetErrorName(wanted));
  verdict.require(got == wanted, call);
}

#define EXPECT(wanted, call) expect(wanted, call, #call)

__global__ void store(int* out, int value) { *out = value; }

void allocation() {
  void* p = nullptr;
  size_t pitch = 77;
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc(&p, kAll));
  EXPECT(cudaErrorMemoryAllocation, cudaMallocManaged(&p, kAll));
  EXPECT(cudaErrorMemoryAllocation, cudaHostAlloc(&p, kAll, 0));
  EXPECT(cudaErrorMemoryAllocation, cudaHostAlloc(&p, kAll, cudaHostAllocMapped));
  EXPECT(cudaErrorMemoryAllocation, cudaMallocHost(&p, kAll - 4094));
  EXPECT(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, size_t(1) << 33, size_t(1) << 33));
  EXPECT(cudaErrorMemoryAllocation, cudaMallocPitch(&p, &pitch, kAll, 1));
  verdict.require(pitch == 77, "a refused allocation has no pitch");
  cudaPitchedPtr volume{};
  EXPECT(cudaErrorMemoryAllocation,
         cudaMalloc3D(&volume, make_cudaExtent(64, size_t(1) << 40, size_t(1) << 30)));
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc3D(&volume, make_cudaExtent(kAll, 1, 1)));

  EXPECT(cudaErrorInvalidValue, cudaHostAlloc(&p, 64, 8));
  EXPECT(cudaErrorInvalidValue, cudaHostRegister(host, 64, 16));
  EXPECT(cudaErrorInvalidValue, cudaHostRegister(nullptr, 64, 0));
  EXPECT(cudaErrorInvalidValue, cudaHostRegister(host, kAll, 0));
  EXPECT(cudaErrorInvalidValue, cudaHostRegister(host, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, size_t(1) << 60, 0, nullptr));
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, kAll));
  EXPECT(cudaErrorMemoryAllocation, cudaDeviceSetLimit(cudaLimitMallocHeapSize, kAll));
}

void copies_in_two_dimensions() {
  const size_t huge = size_t(1) << 60;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(host, device, kAll, cudaMemcpyDeviceToHost));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(host, host, kAll, cudaMemcpyHostToHost));
  EXPECT(cudaErrorInvalidValue,
         cudaMemcpy2D(device, 64, host, 64, 64, huge, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue,
         cudaMemcpy2DAsync(device, 64, host, 64, 64, huge, cudaMemcpyHostToDevice, nullptr));
  EXPECT(cudaErrorInvalidPitchValue,
         cudaMemcpy2D(device, huge * 8, host, 64, 64, 3, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidPitchValue,
         cudaMemcpy2D(host, 64, device, size_t(1) << 31, 64, 2, cudaMemcpyDeviceToHost));
  EXPECT(cudaErrorInvalidValue, cudaMemset2D(device, 64, 0, 64, huge));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemset2D(device, kAll, 0, 64, 3));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemset2DAsync(device, 32, 0, 64, 3, nullptr));
  EXPECT(cudaErrorInvalidValue, cudaMemset(device, 0, kAll));
}

void copies_in_three_dimensions() {
  const size_t huge = size_t(1) << 60;
  cudaMemcpy3DParms p{};
  const auto from = [&](cudaPos position, cudaExtent extent) {
    p = {};
    p.srcPtr = make_cudaPitchedPtr(host, 64, 64, 16);
    p.dstPtr = make_cudaPitchedPtr(device, 64, 64, 16);
    p.dstPos = position;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
  };
  // A row has 64 bytes, and this row would be the first one again in 64 bits.
  from(make_cudaPos(0, huge / 4, 0), make_cudaExtent(64, 1, 1));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  from(make_cudaPos(0, 0, huge / 64), make_cudaExtent(64, 1, 1));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3DAsync(&p, nullptr));
  from(make_cudaPos(0, 0, 0), make_cudaExtent(64, 1, huge));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  from(make_cudaPos(0, 0, 0), make_cudaExtent(64, huge, 1));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  from(make_cudaPos(kAll, 0, 0), make_cudaExtent(1, 1, 1));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  from(make_cudaPos(4, 0, 0), make_cudaExtent(64, 2, 1));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy3D(&p));
  from(make_cudaPos(0, 1, 0), make_cudaExtent(64, 16, 2));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(nullptr));

  const cudaPitchedPtr flat = make_cudaPitchedPtr(device, 64, 64, 0);
  EXPECT(cudaErrorInvalidValue, cudaMemset3D(flat, 0, make_cudaExtent(64, 1, huge)));
  const cudaPitchedPtr tall = make_cudaPitchedPtr(device, 64, 64, huge);
  EXPECT(cudaErrorInvalidValue, cudaMemset3D(tall, 0, make_cudaExtent(64, 16, huge)));
  EXPECT(cudaErrorInvalidValue, cudaMemset3D(tall, 0, make_cudaExtent(64, huge, 4)));

  // What fits is copied, here rows 4 to 7 of slice 2.
  from(make_cudaPos(8, 4, 2), make_cudaExtent(16, 4, 1));
  EXPECT(cudaSuccess, cudaMemcpy3D(&p));
}

void arrays() {
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  EXPECT(cudaErrorInvalidValue, cudaMallocArray(&array, &channels, kAll, 1));
  EXPECT(cudaErrorInvalidValue,
         cudaMallocArray(&array, &channels, size_t(1) << 32, size_t(1) << 32));
  EXPECT(cudaErrorInvalidValue, cudaMalloc3DArray(&array, &channels, make_cudaExtent(16385, 1, 1)));
  EXPECT(cudaErrorMemoryAllocation,
         cudaMalloc3DArray(&array, &channels, make_cudaExtent(16384, 16384, 16384)));
  cudaChannelFormatDesc odd = channels;
  odd.x = 1000;
  EXPECT(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4, 4));
  odd.x = -32;
  EXPECT(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 4, 4));

  EXPECT(cudaSuccess, cudaMallocArray(&array, &channels, 16, 16));
  const size_t huge = size_t(1) << 60;
  const auto to = cudaMemcpyHostToDevice;
  const auto back = cudaMemcpyDeviceToHost;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, kAll - 3, 0, host, 64, 64, 1, to));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 0, kAll, host, 64, 64, 2, to));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, huge, to));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2DFromArray(host, 64, array, 0, kAll, 64, 2, back));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyToArray(array, 0, huge / 16, host, 64, to));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyFromArray(host, array, 0, 1, kAll - 32, back));
  EXPECT(cudaErrorInvalidValue,
         cudaMemcpy2DArrayToArray(array, 0, 0, array, kAll, 0, 4, 1, cudaMemcpyDeviceToDevice));
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(host, 64, 16, 16);
  p.dstArray = array;
  p.dstPos = make_cudaPos(kAll, 0, 0);
  p.extent = make_cudaExtent(2, 1, 1);
  p.kind = to;
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&p));
  p.dstPos = make_cudaPos(0, 0, 0);
  p.extent = make_cudaExtent(kAll / 2, 1, 1);
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(&p));

  const auto none = reinterpret_cast<cudaArray_t>(0x55);
  EXPECT(cudaErrorInvalidResourceHandle, cudaMemcpy2DToArray(none, 0, 0, host, 64, 64, 1, to));
  EXPECT(cudaErrorInvalidResourceHandle, cudaFreeArray(none));
  EXPECT(cudaSuccess, cudaFreeArray(array));
  EXPECT(cudaErrorInvalidResourceHandle, cudaFreeArray(array));
}

void textures() {
  cudaTextureObject_t object = 0;
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device;
  resource.res.linear.sizeInBytes = kAll;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  EXPECT(cudaErrorInvalidValue, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {device, cudaCreateChannelDesc<float>(), 16, size_t(1) << 32,
                          size_t(1) << 32};
  EXPECT(cudaErrorInvalidValue, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource.res.pitch2D = {device, cudaCreateChannelDesc<float>(), 16, 193, 64};
  EXPECT(cudaErrorInvalidValue, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = reinterpret_cast<cudaArray_t>(0x55);
  EXPECT(cudaErrorInvalidResourceHandle,
         cudaCreateTextureObject(&object, &resource, &texture, nullptr));
}

void launches() {
  int* out = reinterpret_cast<int*>(device);
  int value = 1;
  void* arguments[] = {&out, &value};
  const void* const kernel = reinterpret_cast<const void*>(store);
  const auto launch = [&](dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  };
  EXPECT(cudaErrorInvalidConfiguration, launch(2147483648u, 1, 0, nullptr));
  EXPECT(cudaErrorInvalidConfiguration, launch({1, 65536, 1}, 1, 0, nullptr));
  EXPECT(cudaErrorInvalidConfiguration, launch({1, 1, 65536}, 1, 0, nullptr));
  EXPECT(cudaErrorInvalidConfiguration, launch(1, 1025, 0, nullptr));
  EXPECT(cudaErrorInvalidConfiguration, launch(1, {1, 1, 65}, 0, nullptr));
  // 2^64 threads are none in 64 bits, and this much shared memory is less than there is.
  EXPECT(cudaErrorInvalidConfiguration, launch(1, {2147483648u, 2147483648u, 4}, 0, nullptr));
  EXPECT(cudaErrorInvalidValue, launch(1, 1, kAll, nullptr));
  EXPECT(cudaErrorInvalidValue, cudaLaunchKernel(kernel, 1, 1, nullptr, 0, nullptr));
  arguments[1] = nullptr;
  EXPECT(cudaErrorInvalidValue, launch(1, 1, 0, nullptr));
  arguments[1] = &value;
  cudaStream_t stream;
  EXPECT(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 2));
  EXPECT(cudaSuccess, cudaStreamCreate(&stream));
  EXPECT(cudaSuccess, cudaStreamDestroy(stream));
  cudaEvent_t event;
  EXPECT(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 8));
  EXPECT(cudaErrorInvalidResourceHandle, launch(1, 1, 0, stream));
  EXPECT(cudaErrorInvalidResourceHandle,
         cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, stream));
  EXPECT(cudaErrorInvalidResourceHandle,
         cudaMemcpy2DAsync(device, 4, host, 4, 4, 1, cudaMemcpyHostToDevice, stream));
  EXPECT(cudaErrorInvalidResourceHandle, cudaMemset2DAsync(device, 4, 0, 4, 1, stream));
  EXPECT(cudaErrorInvalidResourceHandle, cudaFreeAsync(device, stream));
  int blocks = -1;
  EXPECT(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store, 64, kAll));
  verdict.require(blocks == 0, "no block has that much shared memory");
  EXPECT(cudaErrorMissingConfiguration, cudaSetupArgument(&value, 4, 0));
  EXPECT(cudaSuccess, cudaConfigureCall(1, 1, 0, nullptr));
  EXPECT(cudaErrorInvalidValue, cudaSetupArgument(&value, 4, kAll - 1));
  EXPECT(cudaErrorInvalidValue, cudaSetupArgument(nullptr, 4, 0));
}

void devices() {
  int answer = 0;
  EXPECT(cudaErrorInvalidDevice, cudaSetDevice(1));
  EXPECT(cudaErrorInvalidDevice, cudaMemcpyPeer(device, 1, device + 64, 0, 16));
  EXPECT(cudaErrorInvalidDevice, cudaMemcpyPeer(device, 0, device + 64, 1, 16));
  EXPECT(cudaErrorInvalidDevice, cudaMemcpyPeerAsync(device, 1, device + 64, 0, 16, nullptr));
  EXPECT(cudaSuccess, cudaMemcpyPeer(device + 128, 0, device, 0, 16));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&answer, 0, 1));
  int* managed = nullptr;
  EXPECT(cudaSuccess, cudaMallocManaged(&managed, 64));
  EXPECT(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 64, 1, nullptr));
  EXPECT(cudaErrorInvalidDevice, cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, 1));
  EXPECT(cudaSuccess, cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 1));
  EXPECT(cudaSuccess, cudaFree(managed));
}

void symbols() {
  const void* const nowhere = reinterpret_cast<const void*>(0x10);
  EXPECT(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(nowhere, host, 4));
  EXPECT(cudaErrorInvalidSymbol, cudaMemcpyFromSymbol(host, "no such name", kAll));
}

}  // namespace

int main() {
  std::memset(host, 1, sizeof host);
  EXPECT(cudaSuccess, cudaMalloc(&device, 3 * kBytes));
  EXPECT(cudaSuccess, cudaMemset(device, 9, 3 * kBytes));
  allocation();
  copies_in_two_dimensions();
  copies_in_three_dimensions();
  static char now[3 * kBytes];
  EXPECT(cudaSuccess, cudaMemcpy(now, device, sizeof now, cudaMemcpyDeviceToHost));
  int changed = 0;
  for (const char byte : now) changed += byte != 9;
  verdict.require(changed == 64 && now[2 * 1024 + 4 * 64 + 8] == 1, "only what fits was copied");
  arrays();
  textures();
  launches();
  devices();
  symbols();
  return verdict.done();
}
