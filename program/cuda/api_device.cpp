// SPDX-License-Identifier: Apache-2.0
// The one device: selection, properties, limits. Requests that only tune a GPU are accepted.
#include <algorithm>
#include <cstring>
#include <optional>

#include "program/cuda/api.hpp"
#include "program/cuda/array.hpp"
#include "program/cuda/capture.hpp"
#include "program/cuda/device_properties.hpp"
#include "program/cuda/texture_limits.hpp"

namespace {

using namespace warpmem::program::cuda;

constexpr size_t kMostStackBytes = 512 * 1024;  // local memory that a thread may have

struct Settings {
  unsigned int flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte;
  size_t limits[cudaLimitPersistingL2CacheSize + 1] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};
};

Settings& settings() {
  static Settings the_settings;
  return the_settings;
}

template <class T>
cudaError_t give(T* where, T value) {
  if (where == nullptr) return remember(cudaErrorInvalidValue);
  *where = value;
  return cudaSuccess;
}

cudaError_t only_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

// Work is over when the call that started it returns; only the device has to exist.
cudaError_t synchronize() {
  return api([](Runtime& runtime) {
    runtime.device();
    return refuse_in_any_capture();
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) { return give(count, 1); }
cudaError_t cudaGetDevice(int* device) { return give(device, 0); }
cudaError_t cudaSetDevice(int device) { return remember(only_device(device)); }
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return remember(only_device(device));
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return give(device, 0); }
cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (devices == nullptr || count <= 0) return remember(cudaErrorInvalidValue);
  const bool known = std::all_of(devices, devices + count, [](int device) { return device == 0; });
  return remember(known ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  settings().flags = flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) { return give(flags, settings().flags); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return api([&](Runtime& runtime) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    describe(runtime.device().properties(), runtime.architecture(), *properties);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  cudaDeviceProp properties;
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  const cudaError_t error = cudaGetDeviceProperties(&properties, device);
  if (error != cudaSuccess) return error;
  const std::optional<int> known = attribute(properties, which);
  if (!known) return remember(cudaErrorInvalidValue);
  *value = *known;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() { return synchronize(); }
cudaError_t cudaThreadSynchronize() { return synchronize(); }

cudaError_t cudaDeviceReset() {
  return api([](Runtime& runtime) {
    runtime.release_all();
    forget_arrays();
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  settings().cache = config;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return give(config, settings().cache);
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  settings().banks = config;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return give(config, settings().banks);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api([&](Runtime& runtime) {
    if (limit > cudaLimitPersistingL2CacheSize) return cudaErrorInvalidValue;
    if (limit == cudaLimitStackSize && value > kMostStackBytes) return cudaErrorInvalidValue;
    const bool takes_memory = limit == cudaLimitMallocHeapSize || limit == cudaLimitPrintfFifoSize;
    if (takes_memory && value > runtime.memory().capacity()) return cudaErrorMemoryAllocation;
    if (limit == cudaLimitMallocHeapSize && !runtime.set_heap_bytes(value))
      return cudaErrorInvalidValue;
    settings().limits[limit] = value;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (limit > cudaLimitPersistingL2CacheSize) return remember(cudaErrorInvalidValue);
  return give(value, settings().limits[limit]);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (device != 0 || peer != 0) return remember(cudaErrorInvalidDevice);
  return give(can, 0);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return remember(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) { return remember(cudaErrorPeerAccessNotEnabled); }

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return remember(cudaErrorInvalidDevice);  // two different devices are asked about
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* elements, const cudaChannelFormatDesc*,
                                                 int device) {
  return device == 0 ? give(elements, kMostElements) : remember(cudaErrorInvalidDevice);
}

cudaError_t cudaDriverGetVersion(int* version) { return give(version, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int* version) { return give(version, CUDART_VERSION); }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaProfilerInitialize(const char*, const char*, cudaOutputMode) { return cudaSuccess; }

cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}

// The device has no bus; the name only serves to find it again.
cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int device) {
  const std::string name = "0000:00:00.0";
  if (id == nullptr || bytes <= static_cast<int>(name.size()))
    return remember(cudaErrorInvalidValue);
  std::copy_n(name.c_str(), name.size() + 1, id);
  return remember(only_device(device));
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return id != nullptr && std::string(id) == "0000:00:00.0" ? give(device, 0)
                                                            : remember(cudaErrorInvalidValue);
}

}  // extern "C"
