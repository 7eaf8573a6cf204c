// SPDX-License-Identifier: Apache-2.0
// The one device: selection, properties, limits. Requests that only tune a GPU are accepted.
#include <algorithm>
#include <cstring>
#include <optional>

#include "program/cuda/api.hpp"
#include "program/cuda/array.hpp"
#include "program/cuda/capture.hpp"

namespace {

using namespace warpmem::program::cuda;
using warpmem::program::DeviceProperties;

constexpr int kWarpSize = 32;
constexpr size_t kConstantBytes = 64 * 1024;
constexpr size_t kMostStackBytes = 512 * 1024;  // local memory that a thread may have
constexpr int kMostGridX = 2147483647;
constexpr int kMostGridYZ = 65535;

struct Settings {
  unsigned int flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte;
  size_t limits[cudaLimitMaxL2FetchGranularity + 1] = {1024, 1 << 20, 8 << 20, 2, 2048, 128};
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

void describe(const DeviceProperties& p, unsigned architecture, cudaDeviceProp& out) {
  out = {};
  std::strncpy(out.name, p.name.c_str(), sizeof out.name - 1);
  out.totalGlobalMem = p.memory_bytes;
  out.sharedMemPerBlock = out.sharedMemPerBlockOptin = p.shared_bytes_per_cta;
  out.sharedMemPerMultiprocessor = p.shared_bytes_per_cta;
  out.regsPerBlock = out.regsPerMultiprocessor = static_cast<int>(p.registers_per_sm);
  out.warpSize = kWarpSize;
  out.memPitch = 2147483647;
  out.maxThreadsPerBlock = static_cast<int>(p.threads_per_cta);
  out.maxThreadsDim[0] = out.maxThreadsDim[1] = out.maxThreadsPerBlock;
  out.maxThreadsDim[2] = std::min(64, out.maxThreadsPerBlock);
  out.maxGridSize[0] = kMostGridX;
  out.maxGridSize[1] = out.maxGridSize[2] = kMostGridYZ;
  out.clockRate = out.memoryClockRate = static_cast<int>(p.clock_hertz / 1000);
  out.memoryBusWidth = 256;
  out.totalConstMem = kConstantBytes;
  out.major = static_cast<int>(architecture / 10);  // what the program was compiled for runs
  out.minor = static_cast<int>(architecture % 10);
  out.textureAlignment = out.surfaceAlignment = 512;
  out.texturePitchAlignment = 32;
  out.deviceOverlap = out.asyncEngineCount = 1;
  out.multiProcessorCount = static_cast<int>(p.sm_count);
  out.canMapHostMemory = out.unifiedAddressing = 1;
  out.concurrentKernels = p.concurrent_kernels > 1 ? 1 : 0;
  out.l2CacheSize = static_cast<int>(p.l2_bytes);
  out.maxThreadsPerMultiProcessor = static_cast<int>(p.threads_per_sm);
  out.globalL1CacheSupported = out.localL1CacheSupported = 1;
  out.managedMemory = out.concurrentManagedAccess = 1;
  out.cooperativeLaunch = 1;
  out.maxBlocksPerMultiProcessor = static_cast<int>(p.ctas_per_sm);
  out.singleToDoublePrecisionPerfRatio = 2;
}

/// Most attributes are properties, too.
std::optional<int> attribute(const cudaDeviceProp& p, cudaDeviceAttr which) {
  switch (which) {
#define WARPMEM_ATTRIBUTE(name, property) \
  case cudaDevAttr##name:                 \
    return static_cast<int>(p.property);
    WARPMEM_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock)
    WARPMEM_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0])
    WARPMEM_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1])
    WARPMEM_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2])
    WARPMEM_ATTRIBUTE(MaxGridDimX, maxGridSize[0])
    WARPMEM_ATTRIBUTE(MaxGridDimY, maxGridSize[1])
    WARPMEM_ATTRIBUTE(MaxGridDimZ, maxGridSize[2])
    WARPMEM_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock)
    WARPMEM_ATTRIBUTE(TotalConstantMemory, totalConstMem)
    WARPMEM_ATTRIBUTE(WarpSize, warpSize)
    WARPMEM_ATTRIBUTE(MaxPitch, memPitch)
    WARPMEM_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock)
    WARPMEM_ATTRIBUTE(ClockRate, clockRate)
    WARPMEM_ATTRIBUTE(TextureAlignment, textureAlignment)
    WARPMEM_ATTRIBUTE(GpuOverlap, deviceOverlap)
    WARPMEM_ATTRIBUTE(MultiProcessorCount, multiProcessorCount)
    WARPMEM_ATTRIBUTE(KernelExecTimeout, kernelExecTimeoutEnabled)
    WARPMEM_ATTRIBUTE(Integrated, integrated)
    WARPMEM_ATTRIBUTE(CanMapHostMemory, canMapHostMemory)
    WARPMEM_ATTRIBUTE(ComputeMode, computeMode)
    WARPMEM_ATTRIBUTE(MaxTexture1DWidth, maxTexture1D)
    WARPMEM_ATTRIBUTE(MaxTexture2DWidth, maxTexture2D[0])
    WARPMEM_ATTRIBUTE(MaxTexture2DHeight, maxTexture2D[1])
    WARPMEM_ATTRIBUTE(MaxTexture3DWidth, maxTexture3D[0])
    WARPMEM_ATTRIBUTE(MaxTexture3DHeight, maxTexture3D[1])
    WARPMEM_ATTRIBUTE(MaxTexture3DDepth, maxTexture3D[2])
    WARPMEM_ATTRIBUTE(SurfaceAlignment, surfaceAlignment)
    WARPMEM_ATTRIBUTE(ConcurrentKernels, concurrentKernels)
    WARPMEM_ATTRIBUTE(EccEnabled, ECCEnabled)
    WARPMEM_ATTRIBUTE(PciBusId, pciBusID)
    WARPMEM_ATTRIBUTE(PciDeviceId, pciDeviceID)
    WARPMEM_ATTRIBUTE(TccDriver, tccDriver)
    WARPMEM_ATTRIBUTE(MemoryClockRate, memoryClockRate)
    WARPMEM_ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth)
    WARPMEM_ATTRIBUTE(L2CacheSize, l2CacheSize)
    WARPMEM_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)
    WARPMEM_ATTRIBUTE(AsyncEngineCount, asyncEngineCount)
    WARPMEM_ATTRIBUTE(UnifiedAddressing, unifiedAddressing)
    WARPMEM_ATTRIBUTE(PciDomainId, pciDomainID)
    WARPMEM_ATTRIBUTE(TexturePitchAlignment, texturePitchAlignment)
    WARPMEM_ATTRIBUTE(ComputeCapabilityMajor, major)
    WARPMEM_ATTRIBUTE(ComputeCapabilityMinor, minor)
    WARPMEM_ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported)
    WARPMEM_ATTRIBUTE(GlobalL1CacheSupported, globalL1CacheSupported)
    WARPMEM_ATTRIBUTE(LocalL1CacheSupported, localL1CacheSupported)
    WARPMEM_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)
    WARPMEM_ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)
    WARPMEM_ATTRIBUTE(ManagedMemory, managedMemory)
    WARPMEM_ATTRIBUTE(IsMultiGpuBoard, isMultiGpuBoard)
    WARPMEM_ATTRIBUTE(MultiGpuBoardGroupID, multiGpuBoardGroupID)
    WARPMEM_ATTRIBUTE(HostNativeAtomicSupported, hostNativeAtomicSupported)
    WARPMEM_ATTRIBUTE(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio)
    WARPMEM_ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess)
    WARPMEM_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess)
    WARPMEM_ATTRIBUTE(ComputePreemptionSupported, computePreemptionSupported)
    WARPMEM_ATTRIBUTE(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem)
    WARPMEM_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch)
    WARPMEM_ATTRIBUTE(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)
    WARPMEM_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)
    WARPMEM_ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)
#undef WARPMEM_ATTRIBUTE
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    case cudaDevAttrDirectManagedMemAccessFromHost:
      return 0;
    case cudaDevAttrMemoryPoolsSupported:
      return 1;
  }
  return std::nullopt;
}

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
    if (limit > cudaLimitMaxL2FetchGranularity) return cudaErrorInvalidValue;
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
  if (limit > cudaLimitMaxL2FetchGranularity) return remember(cudaErrorInvalidValue);
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
