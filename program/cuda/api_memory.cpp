// SPDX-License-Identifier: Apache-2.0
// Allocation: device, managed, host, pitched; and what is known of a pointer.
#include <cstdlib>
#include <map>

#include "base/checked.hpp"
#include "program/cuda/api.hpp"

namespace {

using namespace warpmem::program::cuda;
using warpmem::Checked;
using warpmem::program::DeviceMemory;

constexpr std::size_t kPitchBytes = 512;

/// Page-locked host memory that is not mapped is the host's own.
std::map<void*, std::size_t>& host_allocations() {
  static auto* const map = new std::map<void*, std::size_t>;
  return *map;
}

cudaError_t allocate(void** pointer, std::size_t bytes, bool managed) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return managed ? cudaErrorInvalidValue : cudaSuccess;
  *pointer = Runtime::instance().allocate(bytes, managed);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}

const DeviceMemory::Allocation* find(const void* pointer) {
  return Runtime::instance().memory().find(address_of(pointer), 1);
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return api([&](Runtime&) { return allocate(pointer, bytes, false); });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  return api([&](Runtime&) { return allocate(pointer, bytes, true); });
}

cudaError_t cudaFree(void* pointer) {
  return api([&](Runtime&) {
    Runtime::instance().device();  // cudaFree(0) is a habitual way to create the device
    if (pointer == nullptr || Runtime::instance().release(pointer)) return cudaSuccess;
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime&) {
    // What a kernel may reach has to lie in device memory.
    if (flags & cudaHostAllocMapped) return allocate(pointer, bytes, true);
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    constexpr std::size_t kPage = 4096;
    const Checked pages = Checked(bytes).rounded_up(kPage);
    if (!pages.overflow()) *pointer = std::aligned_alloc(kPage, pages.value());
    if (*pointer == nullptr) return cudaErrorMemoryAllocation;
    host_allocations()[*pointer] = bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* pointer) {
  return api([&](Runtime&) {
    if (pointer == nullptr) return cudaSuccess;
    if (is_device_address(pointer))
      return Runtime::instance().release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
    if (host_allocations().erase(pointer) == 0) return cudaErrorInvalidValue;
    std::free(pointer);
    return cudaSuccess;
  });
}

// Registration only speeds copies up on a real machine; mapping is refused where it is asked for.
cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime&) {
    if (!is_address_range(pointer, bytes) || bytes == 0) return cudaErrorInvalidValue;
    if (flags & cudaHostRegisterMapped)
      return not_supported("cudaHostRegister with cudaHostRegisterMapped");
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api([&](Runtime&) { return pointer ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&](Runtime&) {
    if (device == nullptr || find(host) == nullptr) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
  return api([&](Runtime&) {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    const Checked row = Checked(width).rounded_up(kPitchBytes);
    const Checked bytes = row * height;
    if (bytes.overflow()) return cudaErrorMemoryAllocation;
    *pitch = row.value();
    return allocate(pointer, bytes.value(), false);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return api([&](Runtime&) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const Checked row = Checked(extent.width).rounded_up(kPitchBytes);
    const Checked bytes = row * extent.height * extent.depth;
    if (bytes.overflow()) return cudaErrorMemoryAllocation;
    pointer->pitch = row.value();
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return allocate(&pointer->ptr, bytes.value(), false);
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return api([&](Runtime&) {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    *free_bytes = Runtime::instance().memory().free_bytes();
    *total_bytes = Runtime::instance().memory().capacity();
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return api([&](Runtime&) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    void* const plain = const_cast<void*>(pointer);
    if (const auto* const allocation = find(pointer)) {
      attributes->type = allocation->managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
      attributes->memoryType = cudaMemoryTypeDevice;
      attributes->devicePointer = plain;
      attributes->hostPointer = allocation->managed ? plain : nullptr;
      attributes->isManaged = allocation->managed;
      return cudaSuccess;
    }
    auto after = host_allocations().upper_bound(plain);
    const bool pinned = after != host_allocations().begin() &&
                        static_cast<const char*>(pointer) <
                            static_cast<const char*>((--after)->first) + after->second;
    attributes->type = pinned ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
    attributes->memoryType = cudaMemoryTypeHost;
    attributes->hostPointer = plain;
    return cudaSuccess;
  });
}

// Advice is not taken: it changes where managed pages lie, not what a program computes.
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          int device) {
  return api([&](Runtime&) {
    const bool names_device = advice != cudaMemAdviseSetReadMostly &&
                              advice != cudaMemAdviseUnsetReadMostly &&
                              advice != cudaMemAdviseUnsetPreferredLocation;
    if (names_device && device != cudaCpuDeviceId && device != 0) return cudaErrorInvalidDevice;
    const auto* const a = Runtime::instance().memory().find(address_of(pointer), bytes);
    return a && a->managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// Every operation of a stream has ended when the kernel after it begins.
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                 cudaStream_t stream) {
  return api([&](Runtime& runtime) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const auto* const a = runtime.memory().find(address_of(pointer), bytes);
    if (a == nullptr || !a->managed) return cudaErrorInvalidValue;
    if (device != cudaCpuDeviceId && device != 0) return cudaErrorInvalidDevice;
    runtime.device().prefetch(address_of(pointer), bytes, device != cudaCpuDeviceId);
    return cudaSuccess;
  });
}

// Streams are in order, and every operation has ended when its call returns.
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return in_stream(stream, [&] { return cudaMalloc(pointer, bytes); });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return in_stream(stream, [&] { return cudaFree(pointer); });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return api([&](Runtime&) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    const bool mapped = find(host) != nullptr;
    if (!mapped && host_allocations().count(host) == 0) return cudaErrorInvalidValue;
    *flags = mapped ? cudaHostAllocMapped : cudaHostAllocDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttribute(void*, std::size_t, cudaMemRangeAttribute, const void*,
                                     std::size_t) {
  return not_supported("cudaMemRangeGetAttribute");
}

}  // extern "C"
