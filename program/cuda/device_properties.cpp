// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/device_properties.hpp"

#include <algorithm>
#include <cstring>

#include "program/cuda/texture_limits.hpp"

namespace warpmem::program::cuda {

namespace {

constexpr int kWarpSize = 32;
constexpr std::size_t kConstantBytes = 64 * 1024;
/// What a block may have on every GPU; more is for kernels that ask for it (cudaFuncSetAttribute).
constexpr std::uint64_t kSharedWithoutOptIn = 48 * 1024;
constexpr int kMostGridX = 2147483647;
constexpr int kMostGridYZ = 65535;

/// Sizes that stand in a row of properties.
template <std::size_t Count_>
void set(int (&sizes)[Count_], const std::size_t (&values)[Count_]) {
  std::copy_n(values, Count_, sizes);
}

void describe_textures(cudaDeviceProp& out) {
  out.maxTexture1D = out.maxTexture1DMipmap = out.maxSurface1D = kMostWidth;
  out.maxTexture1DLinear = kMostElements;
  out.maxTextureCubemap = out.maxSurfaceCubemap = kMostSideLayered;
  set(out.maxTexture2D, {kMostWidth, kMostHeight});
  set(out.maxTexture2DMipmap, {kMostWidth, kMostHeight});
  set(out.maxTexture2DGather, {kMostWidth, kMostHeight});
  set(out.maxSurface2D, {kMostWidth, kMostHeight});
  set(out.maxTexture2DLinear, {kMostElements, kMostElements, kMostElements});
  set(out.maxTexture3D, {kMostSide3d, kMostSide3d, kMostSide3d});
  set(out.maxTexture3DAlt, {kMostSide3d, kMostSide3d, kMostSide3d});
  set(out.maxSurface3D, {kMostSide3d, kMostSide3d, kMostSide3d});
  set(out.maxTexture1DLayered, {kMostSideLayered, kMostLayers});
  set(out.maxSurface1DLayered, {kMostSideLayered, kMostLayers});
  set(out.maxTexture2DLayered, {kMostSideLayered, kMostSideLayered, kMostLayers});
  set(out.maxSurface2DLayered, {kMostSideLayered, kMostSideLayered, kMostLayers});
  set(out.maxTextureCubemapLayered, {kMostSideLayered, kMostLayers});
  set(out.maxSurfaceCubemapLayered, {kMostSideLayered, kMostLayers});
}

}  // namespace

void describe(const DeviceProperties& p, unsigned architecture, cudaDeviceProp& out) {
  out = {};
  std::strncpy(out.name, p.name.c_str(), sizeof out.name - 1);
  out.totalGlobalMem = p.memory_bytes;
  out.sharedMemPerBlockOptin = p.shared_bytes_per_cta;
  out.sharedMemPerBlock = std::min(p.shared_bytes_per_cta, kSharedWithoutOptIn);
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
  out.memoryPoolsSupported = out.hostRegisterSupported = 1;
  out.clusterLaunch = 1;
  describe_textures(out);
}

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
    WARPMEM_ATTRIBUTE(MaxTexture2DLayeredWidth, maxTexture2DLayered[0])
    WARPMEM_ATTRIBUTE(MaxTexture2DLayeredHeight, maxTexture2DLayered[1])
    WARPMEM_ATTRIBUTE(MaxTexture2DLayeredLayers, maxTexture2DLayered[2])
    WARPMEM_ATTRIBUTE(MaxTexture1DLayeredWidth, maxTexture1DLayered[0])
    WARPMEM_ATTRIBUTE(MaxTexture1DLayeredLayers, maxTexture1DLayered[1])
    WARPMEM_ATTRIBUTE(MaxTexture2DGatherWidth, maxTexture2DGather[0])
    WARPMEM_ATTRIBUTE(MaxTexture2DGatherHeight, maxTexture2DGather[1])
    WARPMEM_ATTRIBUTE(MaxTexture3DWidthAlt, maxTexture3DAlt[0])
    WARPMEM_ATTRIBUTE(MaxTexture3DHeightAlt, maxTexture3DAlt[1])
    WARPMEM_ATTRIBUTE(MaxTexture3DDepthAlt, maxTexture3DAlt[2])
    WARPMEM_ATTRIBUTE(MaxTextureCubemapWidth, maxTextureCubemap)
    WARPMEM_ATTRIBUTE(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0])
    WARPMEM_ATTRIBUTE(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1])
    WARPMEM_ATTRIBUTE(MaxSurface1DWidth, maxSurface1D)
    WARPMEM_ATTRIBUTE(MaxSurface2DWidth, maxSurface2D[0])
    WARPMEM_ATTRIBUTE(MaxSurface2DHeight, maxSurface2D[1])
    WARPMEM_ATTRIBUTE(MaxSurface3DWidth, maxSurface3D[0])
    WARPMEM_ATTRIBUTE(MaxSurface3DHeight, maxSurface3D[1])
    WARPMEM_ATTRIBUTE(MaxSurface3DDepth, maxSurface3D[2])
    WARPMEM_ATTRIBUTE(MaxSurface1DLayeredWidth, maxSurface1DLayered[0])
    WARPMEM_ATTRIBUTE(MaxSurface1DLayeredLayers, maxSurface1DLayered[1])
    WARPMEM_ATTRIBUTE(MaxSurface2DLayeredWidth, maxSurface2DLayered[0])
    WARPMEM_ATTRIBUTE(MaxSurface2DLayeredHeight, maxSurface2DLayered[1])
    WARPMEM_ATTRIBUTE(MaxSurface2DLayeredLayers, maxSurface2DLayered[2])
    WARPMEM_ATTRIBUTE(MaxSurfaceCubemapWidth, maxSurfaceCubemap)
    WARPMEM_ATTRIBUTE(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0])
    WARPMEM_ATTRIBUTE(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1])
    WARPMEM_ATTRIBUTE(MaxTexture1DLinearWidth, maxTexture1DLinear)
    WARPMEM_ATTRIBUTE(MaxTexture2DLinearWidth, maxTexture2DLinear[0])
    WARPMEM_ATTRIBUTE(MaxTexture2DLinearHeight, maxTexture2DLinear[1])
    WARPMEM_ATTRIBUTE(MaxTexture2DLinearPitch, maxTexture2DLinear[2])
    WARPMEM_ATTRIBUTE(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0])
    WARPMEM_ATTRIBUTE(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1])
    WARPMEM_ATTRIBUTE(MaxTexture1DMipmappedWidth, maxTexture1DMipmap)
    WARPMEM_ATTRIBUTE(MaxPersistingL2CacheSize, persistingL2CacheMaxSize)
    WARPMEM_ATTRIBUTE(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize)
    WARPMEM_ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)
    WARPMEM_ATTRIBUTE(SparseCudaArraySupported, sparseCudaArraySupported)
    WARPMEM_ATTRIBUTE(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported)
    WARPMEM_ATTRIBUTE(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported)
    WARPMEM_ATTRIBUTE(MemoryPoolsSupported, memoryPoolsSupported)
    WARPMEM_ATTRIBUTE(GPUDirectRDMASupported, gpuDirectRDMASupported)
    WARPMEM_ATTRIBUTE(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions)
    WARPMEM_ATTRIBUTE(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering)
    WARPMEM_ATTRIBUTE(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes)
    WARPMEM_ATTRIBUTE(ClusterLaunch, clusterLaunch)
    WARPMEM_ATTRIBUTE(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported)
    WARPMEM_ATTRIBUTE(IpcEventSupport, ipcEventSupported)
    WARPMEM_ATTRIBUTE(HostRegisterSupported, hostRegisterSupported)
    WARPMEM_ATTRIBUTE(PageableMemoryAccessUsesHostPageTables,
                      pageableMemoryAccessUsesHostPageTables)
    WARPMEM_ATTRIBUTE(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost)
#undef WARPMEM_ATTRIBUTE
    case cudaDevAttrCanFlushRemoteWrites:
      return 0;
  }
  return std::nullopt;
}

}  // namespace warpmem::program::cuda
