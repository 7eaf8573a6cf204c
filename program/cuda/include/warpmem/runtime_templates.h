// SPDX-License-Identifier: Apache-2.0
// C++ forms of the runtime API: typed pointers, symbols by reference, kernels by name.
#pragma once

#include "../cuda_runtime_api.h"

#if defined(__cplusplus)

/// The place of any pointer, one to constants, too, as the C functions take it.
template <class Type_>
static inline void** warpmem_plain(Type_** pointer) {
  return static_cast<void**>(static_cast<void*>(pointer));
}

template <class Type_>
static inline cudaError_t cudaMalloc(Type_** pointer, size_t bytes) {
  return ::cudaMalloc(warpmem_plain(pointer), bytes);
}
template <class Type_>
static inline cudaError_t cudaMallocManaged(Type_** pointer, size_t bytes, unsigned int flags = 1) {
  return ::cudaMallocManaged(warpmem_plain(pointer), bytes, flags);
}
template <class Type_>
static inline cudaError_t cudaMallocHost(Type_** pointer, size_t bytes, unsigned int flags = 0) {
  return ::cudaHostAlloc(warpmem_plain(pointer), bytes, flags);
}
template <class Type_>
static inline cudaError_t cudaHostAlloc(Type_** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(warpmem_plain(pointer), bytes, flags);
}
template <class Type_>
static inline cudaError_t cudaHostGetDevicePointer(Type_** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer(warpmem_plain(device), host, flags);
}
template <class Type_>
static inline cudaError_t cudaMallocAsync(Type_** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(warpmem_plain(pointer), bytes, stream);
}
template <class Type_>
static inline cudaError_t cudaMallocAsync(Type_** pointer, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(warpmem_plain(pointer), bytes, pool, stream);
}
template <class Type_>
static inline cudaError_t cudaMallocFromPoolAsync(Type_** pointer, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(warpmem_plain(pointer), bytes, pool, stream);
}
template <class Type_>
static inline cudaError_t cudaMallocPitch(Type_** pointer, size_t* pitch, size_t width,
                                          size_t height) {
  return ::cudaMallocPitch(warpmem_plain(pointer), pitch, width, height);
}

// A symbol is the host variable that stands for the device variable; its address is the key.
template <class Type_>
static inline cudaError_t cudaMemcpyToSymbol(const Type_& symbol, const void* from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class Type_>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const Type_& symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class Type_>
static inline cudaError_t cudaMemcpyToSymbolAsync(const Type_& symbol, const void* from,
                                                  size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream);
}
template <class Type_>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const Type_& symbol, size_t bytes,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream);
}
template <class Type_>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const Type_& symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class Type_, class Other_>
static inline cudaError_t cudaGetSymbolAddress(Other_** pointer, const Type_& symbol) {
  return ::cudaGetSymbolAddress(warpmem_plain(pointer), (const void*)&symbol);
}
template <class Type_>
static inline cudaError_t cudaGetSymbolSize(size_t* bytes, const Type_& symbol) {
  return ::cudaGetSymbolSize(bytes, (const void*)&symbol);
}

template <class... Parameters_, class... Arguments_>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                             void (*function)(Parameters_...),
                                             Arguments_&&... arguments) {
  return [&](Parameters_... values) {  // as the kernel takes them
    void* addresses[] = {const_cast<void*>(static_cast<const volatile void*>(&values))..., nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(function), addresses);
  }(static_cast<Arguments_&&>(arguments)...);
}
template <class Type_>
static inline cudaError_t cudaLaunchKernel(Type_* function, dim3 grid, dim3 block, void** arguments,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(function), grid, block, arguments,
                            shared_bytes, stream);
}
template <class Type_>
static inline cudaError_t cudaLaunchCooperativeKernel(Type_* function, dim3 grid, dim3 block,
                                                      void** arguments, size_t shared_bytes = 0,
                                                      cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), grid, block,
                                       arguments, shared_bytes, stream);
}
template <class Type_>
static inline cudaError_t cudaSetupArgument(Type_ argument, size_t offset) {
  return ::cudaSetupArgument(static_cast<const void*>(&argument), sizeof(Type_), offset);
}
template <class Type_>
static inline cudaError_t cudaLaunch(Type_* function) {
  return ::cudaLaunch(reinterpret_cast<const void*>(function));
}
template <class Type_>
static inline cudaError_t cudaFuncSetCacheConfig(Type_* function, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), config);
}
template <class Type_>
static inline cudaError_t cudaFuncSetSharedMemConfig(Type_* function, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(function), config);
}
template <class Type_>
static inline cudaError_t cudaFuncSetAttribute(Type_* function, cudaFuncAttribute attribute,
                                               int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value);
}
template <class Type_>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Type_* function) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function));
}
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class Type_>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Type_ function,
                                                                        int threads,
                                                                        size_t shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(function), threads, shared_bytes);
}
template <class Type_>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, Type_ function, int threads, size_t shared_bytes, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(function), threads, shared_bytes, flags);
}
template <class Type_>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Type_* function,
                                                                    int blocks, int threads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(function),
                                                     blocks, threads);
}
/// Finds the block size, a multiple of the warp, with the most resident threads, and the smallest
/// such grid. `shared_bytes(threads)` is the dynamic shared memory of a block of that size.
template <class Shared_, class Type_>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* grid, int* block, Type_ function, Shared_ shared_bytes, int limit = 0,
    unsigned int flags = 0) {
  cudaFuncAttributes attributes;
  cudaError_t error = cudaFuncGetAttributes(&attributes, function);
  if (error != cudaSuccess) return error;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  int multiprocessors = 0, best_threads = 0;
  error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess) return error;
  for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, threads,
                                                                   shared_bytes(threads), flags);
    if (error != cudaSuccess) return error;
    if (blocks * threads > best_threads) {
      best_threads = blocks * threads;
      *block = threads;
      *grid = blocks * multiprocessors;
    }
  }
  return best_threads > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <class Shared_, class Type_>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block,
                                                                         Type_ function,
                                                                         Shared_ shared_bytes,
                                                                         int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function,
                                                                 shared_bytes, limit);
}
template <class Type_>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block,
                                                                      Type_ function,
                                                                      size_t shared_bytes = 0,
                                                                      int limit = 0,
                                                                      unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      grid, block, function, [shared_bytes](int) { return shared_bytes; }, limit, flags);
}
template <class Type_>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Type_ function,
                                                             size_t shared_bytes = 0,
                                                             int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_bytes, limit);
}

static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return cudaExtent{width, height, depth};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t x, size_t y) {
  return cudaPitchedPtr{pointer, pitch, x, y};
}

#endif
