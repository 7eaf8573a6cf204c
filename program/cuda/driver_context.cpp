// SPDX-License-Identifier: Apache-2.0
// cuInit, devices and contexts of the driver API. There is one device, whose memory all contexts
// share; a context is a name under which memory and modules are given back together.
#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "program/cuda/driver.hpp"

struct CUctx_st {
  unsigned flags = 0;
};

namespace {

using namespace warpmem::program::cuda;

bool initialised = false;

struct Contexts {
  CUctx_st primary;
  unsigned retained = 0;  ///< times the primary one has been asked for
  std::unordered_set<CUcontext> live;
};
Contexts& contexts() {
  static auto* const all = new Contexts;
  return *all;
}
std::vector<CUcontext>& stack() {
  static thread_local std::vector<CUcontext> the_stack;
  return the_stack;
}

bool valid(CUcontext context) {
  return context == &contexts().primary || contexts().live.count(context) != 0;
}

/// Does `body`, which returns a CUresult, alone and with an API that is initialised.
template <class Body>
CUresult driver(Body&& body) {
  const std::lock_guard<std::recursive_mutex> lock(api_mutex());
  return initialized() ? body() : CUDA_ERROR_NOT_INITIALIZED;
}
template <class Body>
CUresult of_device(CUdevice device, Body&& body) {
  return driver([&] { return device == 0 ? body() : CUDA_ERROR_INVALID_DEVICE; });
}

}  // namespace

namespace warpmem::program::cuda {

bool initialized() { return initialised || Runtime::instance().has_device(); }

void need_context() {
  if (stack().empty()) stack().push_back(&contexts().primary);
}

CUcontext current_context() {
  if (!stack().empty()) return stack().back();
  return Runtime::instance().has_device() && !initialised ? &contexts().primary : nullptr;
}

}  // namespace warpmem::program::cuda

extern "C" {

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = api([](Runtime& runtime) {
    runtime.device();
    return cudaSuccess;
  });
  if (error == cudaSuccess) initialised = true;
  return result_of(error);
}

CUresult cuDriverGetVersion(int* version) { return result_of(cudaDriverGetVersion(version)); }

CUresult cuDeviceGetCount(int* count) {
  return initialized_call([&] { return cudaGetDeviceCount(count); });
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return of_device(ordinal, [&] {
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *device = ordinal;
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  return of_device(device, [&] {
    if (name == nullptr || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
    const std::string& own = Runtime::instance().device().properties().name;
    const auto length = std::min(own.size(), static_cast<std::size_t>(bytes) - 1);
    std::memcpy(name, own.data(), length);
    name[length] = '\0';
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  return of_device(device, [&] {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *bytes = Runtime::instance().memory().capacity();
    return CUDA_SUCCESS;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return initialized_call([&] {
    return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult result =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  return result != CUDA_SUCCESS
             ? result
             : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetPCIBusId(char* id, int bytes, CUdevice device) {
  return initialized_call([&] { return cudaDeviceGetPCIBusId(id, bytes, device); });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return initialized_call([&] { return cudaDeviceCanAccessPeer(can, device, peer); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return of_device(device, [&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    ++contexts().retained;
    *context = &contexts().primary;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return of_device(device, [&] {
    if (contexts().retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--contexts().retained == 0) {
      unload_modules_of(&contexts().primary);
      free_memory_of(&contexts().primary);
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return of_device(device, [&] {
    contexts().primary.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  return of_device(device, [&] {
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = contexts().primary.flags;
    *active = contexts().retained != 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return of_device(device, [&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *context = new CUctx_st{flags};
    contexts().live.insert(*context);
    stack().push_back(*context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxDestroy(CUcontext context) {
  return driver([&] {
    if (contexts().live.erase(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
    unload_modules_of(context);
    free_memory_of(context);
    if (!stack().empty() && stack().back() == context) stack().pop_back();
    delete context;
    return CUDA_SUCCESS;
  });
}
CUresult cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }

CUresult cuCtxPushCurrent(CUcontext context) {
  return driver([&] {
    if (!valid(context)) return CUDA_ERROR_INVALID_CONTEXT;
    stack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  return driver([&] {
    if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context != nullptr) *context = stack().back();
    stack().pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return driver([&] {
    if (context != nullptr && !valid(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack().empty()) stack().pop_back();
    if (context != nullptr) stack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  return driver([&] {
    if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *context = current_context();
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context([&] { return cudaGetDevice(device); });
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  return in_context([&] {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = current_context()->flags;
    return cudaSuccess;
  });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  return driver([&] {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!valid(context)) return CUDA_ERROR_INVALID_CONTEXT;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
  });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return in_context([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return in_context([&] {
    return value == nullptr ? cudaErrorInvalidValue
                            : cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit));
  });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxSynchronize(void) {
  return in_context([] { return cudaDeviceSynchronize(); });
}

}  // extern "C"
