// SPDX-License-Identifier: Apache-2.0
// Memory, copies and fills of the driver API.
#include <map>

#include "program/cuda/driver.hpp"

namespace {

using namespace warpmem::program::cuda;

/// The context of each allocation that this API has made.
std::map<CUdeviceptr, CUcontext>& owners() {
  static auto* const map = new std::map<CUdeviceptr, CUcontext>;
  return *map;
}

void* pointer(CUdeviceptr address) { return pointer_to(address); }

/// Does an allocation, `allocate(void**)`, for the current context.
template <class Allocate>
CUresult allocate(CUdeviceptr* address, std::size_t bytes, Allocate&& call) {
  return in_context([&] {
    if (address == nullptr || bytes == 0) return cudaErrorInvalidValue;
    void* got = nullptr;
    const cudaError_t error = call(&got);
    *address = address_of(got);
    if (error == cudaSuccess) owners()[*address] = current_context();
    return error;
  });
}

template <class Value>
CUresult fill(CUdeviceptr to, std::size_t pitch, Value value, std::size_t width, std::size_t height,
              CUstream stream) {
  return in_context([&] {
    return fill_elements({pointer(to), pitch, value, sizeof(Value), width, height}, stream);
  });
}

}  // namespace

namespace warpmem::program::cuda {

void free_memory_of(CUcontext context) {
  for (auto it = owners().begin(); it != owners().end();) {
    if (it->second == context) free_memory(pointer(it->first));
    it = it->second == context ? owners().erase(it) : std::next(it);
  }
}

}  // namespace warpmem::program::cuda

extern "C" {

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  return allocate(address, bytes, [&](void** p) { return cudaMalloc(p, bytes); });
}
CUresult cuMemAllocPitch(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                         unsigned int element_bytes) {
  if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
    return CUDA_ERROR_INVALID_VALUE;
  return allocate(address, width != 0 ? height : 0,
                  [&](void** p) { return cudaMallocPitch(p, pitch, width, height); });
}
CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned int flags) {
  return allocate(address, bytes, [&](void** p) { return cudaMallocManaged(p, bytes, flags); });
}
CUresult cuMemFree(CUdeviceptr address) {
  return in_context([&] {
    if (owners().erase(address) == 0) return cudaErrorInvalidValue;
    return cudaFree(pointer(address));
  });
}

CUresult cuMemAllocHost(void** host, size_t bytes) {
  return in_context([&] { return cudaMallocHost(host, bytes); });
}
CUresult cuMemHostAlloc(void** host, size_t bytes, unsigned int flags) {
  return in_context([&] { return cudaHostAlloc(host, bytes, flags); });
}
CUresult cuMemFreeHost(void* host) {
  return in_context([&] { return cudaFreeHost(host); });
}
CUresult cuMemHostRegister(void* host, size_t bytes, unsigned int flags) {
  return in_context([&] { return cudaHostRegister(host, bytes, flags); });
}
CUresult cuMemHostUnregister(void* host) {
  return in_context([&] { return cudaHostUnregister(host); });
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* host, unsigned int flags) {
  return in_context([&] {
    if (address == nullptr) return cudaErrorInvalidValue;
    void* got = nullptr;
    const cudaError_t error = cudaHostGetDevicePointer(&got, host, flags);
    *address = address_of(got);
    return error;
  });
}

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return in_context([&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}
CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return in_context([&] {
    return api_beside_kernels([&](Runtime& runtime) {
      const auto* const allocation = runtime.memory().find(address, 1);
      if (allocation == nullptr) return cudaErrorInvalidValue;
      if (base != nullptr) *base = allocation->begin;
      if (bytes != nullptr) *bytes = allocation->bytes;
      return cudaSuccess;
    });
  });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return in_context(
      [&] { return cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault); });
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return in_context([&] { return cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice); });
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return in_context([&] { return cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost); });
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return in_context(
      [&] { return cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice); });
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return in_context([&] {
    return cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream);
  });
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return in_context(
      [&] { return cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return in_context(
      [&] { return cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream); });
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return in_context([&] {
    return cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDeviceToDevice, stream);
  });
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  return fill(to, 0, value, count, 1, nullptr);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                      size_t height) {
  return fill(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                       size_t height) {
  return fill(to, pitch, value, width, height, nullptr);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                       size_t height) {
  return fill(to, pitch, value, width, height, nullptr);
}

}  // extern "C"
