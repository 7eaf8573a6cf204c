// SPDX-License-Identifier: Apache-2.0
// Names and texts of the error codes.
#include "program/cuda/include/cuda_runtime_api.h"

namespace {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};

#define WARPMEM_ERROR(code, text) \
  { code, #code, text }
constexpr ErrorText kErrors[] = {
    WARPMEM_ERROR(cudaSuccess, "no error"),
    WARPMEM_ERROR(cudaErrorInvalidValue, "invalid argument"),
    WARPMEM_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    WARPMEM_ERROR(cudaErrorInitializationError, "initialization error"),
    WARPMEM_ERROR(cudaErrorCudartUnloading, "the program is ending"),
    WARPMEM_ERROR(cudaErrorProfilerDisabled, "profiler disabled"),
    WARPMEM_ERROR(cudaErrorProfilerNotInitialized, "profiler not initialized"),
    WARPMEM_ERROR(cudaErrorProfilerAlreadyStarted, "profiler already started"),
    WARPMEM_ERROR(cudaErrorProfilerAlreadyStopped, "profiler already stopped"),
    WARPMEM_ERROR(cudaErrorInvalidConfiguration, "invalid launch configuration"),
    WARPMEM_ERROR(cudaErrorInvalidPitchValue, "invalid pitch"),
    WARPMEM_ERROR(cudaErrorInvalidSymbol, "no such device symbol"),
    WARPMEM_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    WARPMEM_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    WARPMEM_ERROR(cudaErrorInvalidTexture, "invalid texture"),
    WARPMEM_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound"),
    WARPMEM_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    WARPMEM_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction"),
    WARPMEM_ERROR(cudaErrorInsufficientDriver, "driver older than the runtime"),
    WARPMEM_ERROR(cudaErrorMissingConfiguration, "launch without a configuration"),
    WARPMEM_ERROR(cudaErrorPriorLaunchFailure, "an earlier launch failed"),
    WARPMEM_ERROR(cudaErrorInvalidDeviceFunction, "no such kernel"),
    WARPMEM_ERROR(cudaErrorNoDevice, "no device"),
    WARPMEM_ERROR(cudaErrorInvalidDevice, "no device of this number"),
    WARPMEM_ERROR(cudaErrorStartupFailure, "startup failure"),
    WARPMEM_ERROR(cudaErrorInvalidKernelImage, "invalid kernel image"),
    WARPMEM_ERROR(cudaErrorInvalidPtx, "invalid PTX"),
    WARPMEM_ERROR(cudaErrorSharedObjectSymbolNotFound, "symbol of a shared object not found"),
    WARPMEM_ERROR(cudaErrorInvalidResourceHandle, "invalid handle"),
    WARPMEM_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    WARPMEM_ERROR(cudaErrorNotReady, "not ready"),
    WARPMEM_ERROR(cudaErrorIllegalAddress, "access to an illegal address"),
    WARPMEM_ERROR(cudaErrorLaunchOutOfResources, "too many resources for a launch"),
    WARPMEM_ERROR(cudaErrorLaunchTimeout, "launch timed out"),
    WARPMEM_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access already enabled"),
    WARPMEM_ERROR(cudaErrorPeerAccessNotEnabled, "peer access not enabled"),
    WARPMEM_ERROR(cudaErrorSetOnActiveProcess, "the device is in use already"),
    WARPMEM_ERROR(cudaErrorAssert, "device assertion failed"),
    WARPMEM_ERROR(cudaErrorHostMemoryAlreadyRegistered, "host memory registered already"),
    WARPMEM_ERROR(cudaErrorHostMemoryNotRegistered, "host memory not registered"),
    WARPMEM_ERROR(cudaErrorLaunchFailure, "launch failure"),
    WARPMEM_ERROR(cudaErrorNotPermitted, "not permitted"),
    WARPMEM_ERROR(cudaErrorNotSupported, "not supported"),
    WARPMEM_ERROR(cudaErrorInvalidClusterSize, "no such cluster of blocks"),
    WARPMEM_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef WARPMEM_ERROR

const ErrorText* find(cudaError_t code) {
  for (const ErrorText& e : kErrors)
    if (e.code == code) return &e;
  return nullptr;
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* const e = find(error);
  return e ? e->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* const e = find(error);
  return e ? e->text : "unrecognized error code";
}

}  // extern "C"
