// SPDX-License-Identifier: Apache-2.0
// Names and texts of the error codes.
#include "program/cuda/include/cuda_runtime_api.h"
#include "program/cuda/runtime.hpp"

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
    WARPMEM_ERROR(cudaErrorAddressOfConstant, "address of a constant"),
    WARPMEM_ERROR(cudaErrorTextureFetchFailed, "texture fetch failed"),
    WARPMEM_ERROR(cudaErrorTextureNotBound, "texture not bound"),
    WARPMEM_ERROR(cudaErrorSynchronizationError, "synchronization error"),
    WARPMEM_ERROR(cudaErrorInvalidFilterSetting, "invalid filter setting"),
    WARPMEM_ERROR(cudaErrorInvalidNormSetting, "invalid normalisation setting"),
    WARPMEM_ERROR(cudaErrorMixedDeviceExecution, "mixed device execution"),
    WARPMEM_ERROR(cudaErrorNotYetImplemented, "not yet implemented"),
    WARPMEM_ERROR(cudaErrorMemoryValueTooLarge, "memory value too large"),
    WARPMEM_ERROR(cudaErrorStubLibrary, "stub library"),
    WARPMEM_ERROR(cudaErrorInsufficientDriver, "driver older than the runtime"),
    WARPMEM_ERROR(cudaErrorCallRequiresNewerDriver, "the call needs a newer driver"),
    WARPMEM_ERROR(cudaErrorInvalidSurface, "invalid surface"),
    WARPMEM_ERROR(cudaErrorDuplicateVariableName, "two variables of one name"),
    WARPMEM_ERROR(cudaErrorDuplicateTextureName, "two textures of one name"),
    WARPMEM_ERROR(cudaErrorDuplicateSurfaceName, "two surfaces of one name"),
    WARPMEM_ERROR(cudaErrorDevicesUnavailable, "devices are busy or unavailable"),
    WARPMEM_ERROR(cudaErrorIncompatibleDriverContext, "incompatible driver context"),
    WARPMEM_ERROR(cudaErrorMissingConfiguration, "launch without a configuration"),
    WARPMEM_ERROR(cudaErrorPriorLaunchFailure, "an earlier launch failed"),
    WARPMEM_ERROR(cudaErrorLaunchMaxDepthExceeded, "launches nest too deep"),
    WARPMEM_ERROR(cudaErrorLaunchFileScopedTex, "a launched kernel uses a texture of its file"),
    WARPMEM_ERROR(cudaErrorLaunchFileScopedSurf, "a launched kernel uses a surface of its file"),
    WARPMEM_ERROR(cudaErrorSyncDepthExceeded, "synchronization nests too deep"),
    WARPMEM_ERROR(cudaErrorLaunchPendingCountExceeded, "too many launches are pending"),
    WARPMEM_ERROR(cudaErrorInvalidDeviceFunction, "no such kernel"),
    WARPMEM_ERROR(cudaErrorNoDevice, "no device"),
    WARPMEM_ERROR(cudaErrorInvalidDevice, "no device of this number"),
    WARPMEM_ERROR(cudaErrorDeviceNotLicensed, "device not licensed"),
    WARPMEM_ERROR(cudaErrorSoftwareValidityNotEstablished, "software validity not established"),
    WARPMEM_ERROR(cudaErrorStartupFailure, "startup failure"),
    WARPMEM_ERROR(cudaErrorInvalidKernelImage, "invalid kernel image"),
    WARPMEM_ERROR(cudaErrorDeviceUninitialized, "no context"),
    WARPMEM_ERROR(cudaErrorMapBufferObjectFailed, "mapping of a buffer object failed"),
    WARPMEM_ERROR(cudaErrorUnmapBufferObjectFailed, "unmapping of a buffer object failed"),
    WARPMEM_ERROR(cudaErrorArrayIsMapped, "array is mapped"),
    WARPMEM_ERROR(cudaErrorAlreadyMapped, "mapped already"),
    WARPMEM_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image for this device"),
    WARPMEM_ERROR(cudaErrorAlreadyAcquired, "acquired already"),
    WARPMEM_ERROR(cudaErrorNotMapped, "not mapped"),
    WARPMEM_ERROR(cudaErrorNotMappedAsArray, "not mapped as an array"),
    WARPMEM_ERROR(cudaErrorNotMappedAsPointer, "not mapped as a pointer"),
    WARPMEM_ERROR(cudaErrorECCUncorrectable, "uncorrectable memory error"),
    WARPMEM_ERROR(cudaErrorUnsupportedLimit, "no such limit"),
    WARPMEM_ERROR(cudaErrorDeviceAlreadyInUse, "device in use"),
    WARPMEM_ERROR(cudaErrorPeerAccessUnsupported, "peer access is not supported"),
    WARPMEM_ERROR(cudaErrorInvalidPtx, "invalid PTX"),
    WARPMEM_ERROR(cudaErrorInvalidGraphicsContext, "invalid graphics context"),
    WARPMEM_ERROR(cudaErrorNvlinkUncorrectable, "uncorrectable link error"),
    WARPMEM_ERROR(cudaErrorJitCompilerNotFound, "no PTX compiler"),
    WARPMEM_ERROR(cudaErrorUnsupportedPtxVersion, "unsupported PTX version"),
    WARPMEM_ERROR(cudaErrorJitCompilationDisabled, "PTX compilation disabled"),
    WARPMEM_ERROR(cudaErrorUnsupportedExecAffinity, "execution affinity is not supported"),
    WARPMEM_ERROR(cudaErrorInvalidSource, "invalid device source"),
    WARPMEM_ERROR(cudaErrorFileNotFound, "file not found"),
    WARPMEM_ERROR(cudaErrorSharedObjectSymbolNotFound, "symbol of a shared object not found"),
    WARPMEM_ERROR(cudaErrorSharedObjectInitFailed, "initialisation of a shared object failed"),
    WARPMEM_ERROR(cudaErrorOperatingSystem, "call of the operating system failed"),
    WARPMEM_ERROR(cudaErrorInvalidResourceHandle, "invalid handle"),
    WARPMEM_ERROR(cudaErrorIllegalState, "illegal state"),
    WARPMEM_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    WARPMEM_ERROR(cudaErrorNotReady, "not ready"),
    WARPMEM_ERROR(cudaErrorIllegalAddress, "access to an illegal address"),
    WARPMEM_ERROR(cudaErrorLaunchOutOfResources, "too many resources for a launch"),
    WARPMEM_ERROR(cudaErrorLaunchTimeout, "launch timed out"),
    WARPMEM_ERROR(cudaErrorLaunchIncompatibleTexturing, "incompatible texturing mode"),
    WARPMEM_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access already enabled"),
    WARPMEM_ERROR(cudaErrorPeerAccessNotEnabled, "peer access not enabled"),
    WARPMEM_ERROR(cudaErrorSetOnActiveProcess, "the device is in use already"),
    WARPMEM_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    WARPMEM_ERROR(cudaErrorAssert, "device assertion failed"),
    WARPMEM_ERROR(cudaErrorTooManyPeers, "too many peers"),
    WARPMEM_ERROR(cudaErrorHostMemoryAlreadyRegistered, "host memory registered already"),
    WARPMEM_ERROR(cudaErrorHostMemoryNotRegistered, "host memory not registered"),
    WARPMEM_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    WARPMEM_ERROR(cudaErrorIllegalInstruction, "illegal instruction"),
    WARPMEM_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    WARPMEM_ERROR(cudaErrorInvalidAddressSpace, "operation in the wrong address space"),
    WARPMEM_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    WARPMEM_ERROR(cudaErrorLaunchFailure, "launch failure"),
    WARPMEM_ERROR(cudaErrorCooperativeLaunchTooLarge,
                  "a cooperative launch has more blocks than fit at a time"),
    WARPMEM_ERROR(cudaErrorNotPermitted, "not permitted"),
    WARPMEM_ERROR(cudaErrorNotSupported, "not supported"),
    WARPMEM_ERROR(cudaErrorSystemNotReady, "system not ready"),
    WARPMEM_ERROR(cudaErrorSystemDriverMismatch, "driver and system do not match"),
    WARPMEM_ERROR(cudaErrorCompatNotSupportedOnDevice, "compatibility not supported on the device"),
    WARPMEM_ERROR(cudaErrorMpsConnectionFailed, "no connection to the server of processes"),
    WARPMEM_ERROR(cudaErrorMpsRpcFailure, "call to the server of processes failed"),
    WARPMEM_ERROR(cudaErrorMpsServerNotReady, "server of processes is not ready"),
    WARPMEM_ERROR(cudaErrorMpsMaxClientsReached, "server of processes has all its clients"),
    WARPMEM_ERROR(cudaErrorMpsMaxConnectionsReached, "server of processes has all its connections"),
    WARPMEM_ERROR(cudaErrorStreamCaptureUnsupported, "operation not permitted in a capture"),
    WARPMEM_ERROR(cudaErrorStreamCaptureInvalidated, "capture invalidated"),
    WARPMEM_ERROR(cudaErrorStreamCaptureMerge, "captures would merge"),
    WARPMEM_ERROR(cudaErrorStreamCaptureUnmatched, "capture not of this stream"),
    WARPMEM_ERROR(cudaErrorStreamCaptureUnjoined, "work of the capture is not joined"),
    WARPMEM_ERROR(cudaErrorStreamCaptureIsolation, "dependency across captures"),
    WARPMEM_ERROR(cudaErrorStreamCaptureImplicit, "implicit dependency on a capture"),
    WARPMEM_ERROR(cudaErrorCapturedEvent, "event of a capture"),
    WARPMEM_ERROR(cudaErrorStreamCaptureWrongThread, "capture of another thread"),
    WARPMEM_ERROR(cudaErrorTimeout, "timeout"),
    WARPMEM_ERROR(cudaErrorGraphExecUpdateFailure, "graph cannot be updated"),
    WARPMEM_ERROR(cudaErrorExternalDevice, "failure of an external device"),
    WARPMEM_ERROR(cudaErrorInvalidClusterSize, "no such cluster of blocks"),
    WARPMEM_ERROR(cudaErrorUnknown, "unknown error"),
    WARPMEM_ERROR(cudaErrorApiFailureBase, "failure of the API"),
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
  warpmem::program::cuda::Runtime::instance().fault_was_read(error);
  const ErrorText* const e = find(error);
  return e ? e->name : "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  warpmem::program::cuda::Runtime::instance().fault_was_read(error);
  const ErrorText* const e = find(error);
  return e ? e->text : "unrecognized error code";
}

}  // extern "C"
