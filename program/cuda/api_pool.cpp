// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation and memory pools. What is freed goes back to device memory as soon as
// the stream is there, so that a pool keeps nothing: what it has reserved is what is in use.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "program/cuda/api.hpp"
#include "program/cuda/capture.hpp"

struct CUmemPoolHandle_st {
  std::uint64_t used = 0, most_used = 0;  ///< bytes
  std::uint64_t release_threshold = 0;    ///< bytes that it may keep, as the program says
  int reuse[3] = {1, 1, 1};               ///< as the program says; see above
};

namespace {

using namespace warpmem::program::cuda;

struct Pools {
  CUmemPoolHandle_st standard;
  cudaMemPool_t current = &standard;
  std::unordered_set<cudaMemPool_t> live{&standard};
  struct Allocation {
    cudaMemPool_t pool;  ///< nullptr: the pool is gone
    std::uint64_t bytes;
  };
  std::map<void*, Allocation> allocations;
};
Pools& pools() {
  static auto* const all = new Pools;
  return *all;
}

bool valid(cudaMemPool_t pool) { return pools().live.count(pool) != 0; }

/// A captured allocation is a node, whose memory is none of the pool's.
cudaError_t allocate_in_graph(Capture& capture, void** pointer, std::size_t bytes,
                              cudaStream_t stream) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = bytes;
  AllocWork work;
  cudaError_t error = reserve(Runtime::instance(), parameters, work);
  if (error == cudaSuccess) error = capture.add(stream, std::move(work));
  if (error == cudaSuccess) *pointer = parameters.dptr;
  return error;
}

cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (pool != nullptr && !valid(pool)) return cudaErrorInvalidValue;
    if (Capture* const capture = capture_of(stream))
      return allocate_in_graph(*capture, pointer, bytes, stream);
    if (const cudaError_t error = cudaMalloc(pointer, bytes); error != cudaSuccess) return error;
    if (*pointer == nullptr) return cudaSuccess;
    CUmemPoolHandle_st& from = pool != nullptr ? *pool : *pools().current;
    from.used += bytes;
    from.most_used = std::max(from.most_used, from.used);
    pools().allocations[*pointer] = {&from, bytes};
    return cudaSuccess;
  });
}

cudaError_t give(cudaMemPool_t* pool, int device, cudaMemPool_t value) {
  return api_beside_kernels([&](Runtime&) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = value;
    return cudaSuccess;
  });
}

}  // namespace

namespace warpmem::program::cuda {

void returned_to_pool(void* pointer) {
  const auto found = pools().allocations.find(pointer);
  if (found == pools().allocations.end()) return;
  if (found->second.pool != nullptr) found->second.pool->used -= found->second.bytes;
  pools().allocations.erase(found);
}

}  // namespace warpmem::program::cuda

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return allocate(pointer, bytes, nullptr, stream);
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return pool != nullptr ? allocate(pointer, bytes, pool, stream) : remember(cudaErrorInvalidValue);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    Capture* const capture = capture_of(stream);
    if (capture == nullptr) return cudaFree(pointer);
    FreeWork work;
    const cudaError_t error = make_free(*capture->graph, pointer, work);
    return error != cudaSuccess ? error : capture->add(stream, work);
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api_beside_kernels([&](Runtime&) {
    if (pool == nullptr || properties == nullptr ||
        properties->allocType != cudaMemAllocationTypePinned ||
        properties->location.type != cudaMemLocationTypeDevice)
      return cudaErrorInvalidValue;
    if (properties->location.id != 0) return cudaErrorInvalidDevice;
    if (properties->handleTypes != cudaMemHandleTypeNone)
      return not_supported("cudaMemPoolCreate with a handle type");
    *pool = new CUmemPoolHandle_st;
    pools().live.insert(*pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(pool) || pool == &pools().standard) return cudaErrorInvalidValue;
    for (auto& [pointer, allocation] : pools().allocations)
      if (allocation.pool == pool) allocation.pool = nullptr;
    if (pools().current == pool) pools().current = &pools().standard;
    pools().live.erase(pool);
    delete pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(pool) || value == nullptr) return cudaErrorInvalidValue;
    const auto number = [&] { return *static_cast<const std::uint64_t*>(value); };
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        pool->reuse[attribute - 1] = *static_cast<const int*>(value);
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        pool->release_threshold = number();
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        if (number() != 0) return cudaErrorInvalidValue;
        pool->most_used = pool->used;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api([&](Runtime&) {
    if (!valid(pool) || value == nullptr) return cudaErrorInvalidValue;
    auto& number = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = pool->reuse[attribute - 1];
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        number = pool->release_threshold;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent:
        number = pool->used;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        number = pool->most_used;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api([&](Runtime&) { return valid(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return give(pool, device, &pools().standard);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return give(pool, device, pools().current);
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return api_beside_kernels([&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!valid(pool)) return cudaErrorInvalidValue;
    pools().current = pool;
    return cudaSuccess;
  });
}

}  // extern "C"
