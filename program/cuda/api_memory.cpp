// SPDX-License-Identifier: Apache-2.0
// Allocation: device, managed, host, pitched; and what is known of a pointer.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/checked.hpp"
#include "program/cuda/api.hpp"
#include "program/cuda/managed_advice.hpp"

namespace {

using namespace warpmem::program::cuda;
using warpmem::Checked;
using warpmem::program::DeviceMemory;

constexpr std::size_t kPitchBytes = 512;

/// This is page-locked memory of the host outside device memory: kernels may name all of it.
struct Pinned {
  std::size_t bytes = 0;
  unsigned flags = 0;
  bool ours = false;  ///< of cudaHostAlloc, and not of cudaHostRegister
};
std::map<void*, Pinned>& pinned() {
  static auto* const map = new std::map<void*, Pinned>;
  return *map;
}

/// Takes it from the books; false when there is none of this kind at `pointer`.
bool unpin(void* pointer, bool ours) {
  const auto found = pinned().find(pointer);
  if (found == pinned().end() || found->second.ours != ours) return false;
  DeviceMemory& memory = Runtime::instance().memory();
  if (ours)
    memory.release_pinned(address_of(pointer));
  else
    memory.return_host(address_of(pointer));
  pinned().erase(found);
  return true;
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

void take(cudaMemoryAdvise advice, int device, Advice& known) {
  bool& accessed = device == cudaCpuDeviceId ? known.by_host : known.by_device;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      known.read_mostly = advice == cudaMemAdviseSetReadMostly;
      return;
    case cudaMemAdviseSetPreferredLocation:
      known.preferred = device;
      return;
    case cudaMemAdviseUnsetPreferredLocation:
      known.preferred = cudaInvalidDeviceId;
      return;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      accessed = advice == cudaMemAdviseSetAccessedBy;
      return;
  }
}

/// Says what is true of all parts: a value, or a list of devices.
cudaError_t answer(cudaMemRangeAttribute attribute, const std::vector<Advice>& parts, int* data,
                   std::size_t count) {
  const auto all = [&](auto&& holds) { return std::all_of(parts.begin(), parts.end(), holds); };
  const auto common = [&](int Advice::*place) {
    const int first = parts.front().*place;
    return all([&](const Advice& a) { return a.*place == first; }) ? first : cudaInvalidDeviceId;
  };
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *data = all([](const Advice& a) { return a.read_mostly; });
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *data = common(&Advice::preferred);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *data = common(&Advice::prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      std::fill_n(data, count, cudaInvalidDeviceId);
      if (all([](const Advice& a) { return a.by_device; }) && count > 0) *data++ = 0, --count;
      if (all([](const Advice& a) { return a.by_host; }) && count > 0) *data = cudaCpuDeviceId;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

}  // namespace

namespace warpmem::program::cuda {

cudaError_t free_memory(void* pointer) {
  return api([&](Runtime&) {
    Runtime::instance().device();  // cudaFree(0) is a habitual way to create the device
    if (pointer == nullptr || Runtime::instance().release(pointer)) return cudaSuccess;
    return cudaErrorInvalidValue;
  });
}

}  // namespace warpmem::program::cuda

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  need_context();
  return api([&](Runtime&) { return allocate(pointer, bytes, false); });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  need_context();
  return api([&](Runtime&) { return allocate(pointer, bytes, true); });
}

cudaError_t cudaFree(void* pointer) {
  need_context();
  return free_memory(pointer);
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime&) {
    if (flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
      return cudaErrorInvalidValue;
    // With paging its pages come to the kernels that want them.
    if (flags & cudaHostAllocMapped && Runtime::instance().memory().host_bytes() != 0)
      return allocate(pointer, bytes, true);
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    *pointer = pointer_to(Runtime::instance().memory().allocate_pinned(bytes));
    if (*pointer == nullptr) return cudaErrorMemoryAllocation;
    pinned()[*pointer] = {bytes, flags, true};
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
    return unpin(pointer, true) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return api([&](Runtime&) {
    if (flags > (cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |
                 cudaHostRegisterReadOnly))
      return cudaErrorInvalidValue;
    if (!is_address_range(pointer, bytes) || bytes == 0) return cudaErrorInvalidValue;
    if (is_device_address(pointer)) return cudaErrorHostMemoryAlreadyRegistered;
    if (!Runtime::instance().memory().take_host(address_of(pointer), bytes))
      return cudaErrorHostMemoryAlreadyRegistered;
    pinned()[pointer] = {bytes, flags, false};
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return api([&](Runtime&) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    return unpin(pointer, false) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api([&](Runtime&) {
    if (device == nullptr) return cudaErrorInvalidValue;
    const auto* const allocation = find(host);
    if (allocation == nullptr || !(allocation->host || allocation->managed))
      return cudaErrorInvalidValue;
    *device = host;  // as unified addressing has it
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
      attributes->type = allocation->managed ? cudaMemoryTypeManaged
                         : allocation->host  ? cudaMemoryTypeHost
                                             : cudaMemoryTypeDevice;
      attributes->memoryType = allocation->host ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
      attributes->devicePointer = plain;
      attributes->hostPointer = allocation->managed || allocation->host ? plain : nullptr;
      attributes->isManaged = allocation->managed;
      return cudaSuccess;
    }
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->memoryType = cudaMemoryTypeHost;
    attributes->hostPointer = plain;
    return cudaSuccess;
  });
}

// Advice is remembered, but not taken: it changes where managed pages lie, not what a program
// computes.
cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          int device) {
  return api([&](Runtime&) {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
      return cudaErrorInvalidValue;
    const bool names_device = advice != cudaMemAdviseSetReadMostly &&
                              advice != cudaMemAdviseUnsetReadMostly &&
                              advice != cudaMemAdviseUnsetPreferredLocation;
    if (names_device && device != cudaCpuDeviceId && device != 0) return cudaErrorInvalidDevice;
    const auto* const a = Runtime::instance().memory().find(address_of(pointer), bytes);
    if (a == nullptr || !a->managed) return cudaErrorInvalidValue;
    managed_advice().change(address_of(pointer), bytes,
                            [&](Advice& known) { take(advice, device, known); });
    return cudaSuccess;
  });
}

// Every operation of a stream has ended when the kernel after it begins. Managed variables stay at
// the host.
cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device,
                                 cudaStream_t stream) {
  return api([&](Runtime& runtime) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const auto* const a = runtime.memory().find(address_of(pointer), bytes);
    if (a == nullptr || !a->managed) return cudaErrorInvalidValue;
    if (device != cudaCpuDeviceId && device != 0) return cudaErrorInvalidDevice;
    managed_advice().change(address_of(pointer), bytes,
                            [&](Advice& known) { known.prefetched = device; });
    if (!a->host) runtime.device().prefetch(address_of(pointer), bytes, device != cudaCpuDeviceId);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return api([&](Runtime&) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    const auto found = pinned().find(host);
    const auto* const allocation = find(host);
    if (found == pinned().end() && (allocation == nullptr || !allocation->managed))
      return cudaErrorInvalidValue;
    // Unified addressing maps all of it.
    *flags = cudaHostAllocMapped | (found == pinned().end() ? 0u : found->second.flags);
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes,
                                     cudaMemRangeAttribute attribute, const void* pointer,
                                     std::size_t bytes) {
  return api([&](Runtime& runtime) {
    const bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
    if (data == nullptr || data_bytes == 0 || data_bytes % sizeof(int) != 0 ||
        (!is_list && data_bytes != sizeof(int)))
      return cudaErrorInvalidValue;
    const auto* const a = runtime.memory().find(address_of(pointer), bytes);
    if (a == nullptr || !a->managed || bytes == 0) return cudaErrorInvalidValue;
    return answer(attribute, managed_advice().of(address_of(pointer), bytes),
                  static_cast<int*>(data), data_bytes / sizeof(int));
  });
}

}  // extern "C"
