// SPDX-License-Identifier: Apache-2.0
// Functions of the runtime API (up to CUDA 12) that warpmem does not have. A program that mentions
// them compiles and links; each returns cudaErrorNotSupported and says its name once.
#pragma once

#include "../driver_types.h"

typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
typedef struct CUexternalMemory_st* cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st* cudaExternalSemaphore_t;
typedef struct cudaIpcMemHandle {
  char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle {
  char reserved[64];
} cudaIpcEventHandle_t;
enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone = 0,
  cudaGraphicsRegisterFlagsReadOnly = 1,
  cudaGraphicsRegisterFlagsWriteDiscard = 2
};
enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone = 0,
  cudaGraphicsMapFlagsReadOnly = 1,
  cudaGraphicsMapFlagsWriteDiscard = 2
};
#define cudaIpcMemLazyEnablePeerAccess 0x01

// clang-format off
#define WARPMEM_UNSUPPORTED(X) \
  X(cudaArrayGetMemoryRequirements) X(cudaArrayGetPlane) X(cudaArrayGetSparseProperties) \
  X(cudaBindTextureToMipmappedArray) \
  X(cudaDestroyExternalMemory) X(cudaDestroyExternalSemaphore) \
  X(cudaDeviceFlushGPUDirectRDMAWrites) X(cudaDeviceGetNvSciSyncAttributes) \
  \
  X(cudaExternalMemoryGetMappedBuffer) X(cudaExternalMemoryGetMappedMipmappedArray) \
  X(cudaGLGetDevices) X(cudaGLMapBufferObject) \
  X(cudaGLRegisterBufferObject) X(cudaGLSetGLDevice) X(cudaGLUnmapBufferObject) \
  X(cudaGLUnregisterBufferObject) X(cudaGetExportTable) X(cudaGetFuncBySymbol) \
  X(cudaGetSurfaceObjectResourceDesc) \
  X(cudaGetTextureObjectResourceDesc) X(cudaGetTextureObjectResourceViewDesc) \
  X(cudaGetTextureObjectTextureDesc) X(cudaGraphAddExternalSemaphoresSignalNode) \
  X(cudaGraphAddExternalSemaphoresWaitNode) X(cudaGraphChildGraphNodeGetGraph) \
  X(cudaGraphDebugDotPrint) X(cudaGraphExecChildGraphNodeSetParams) \
  X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) \
  X(cudaGraphExecExternalSemaphoresWaitNodeSetParams) \
  X(cudaGraphExternalSemaphoresSignalNodeGetParams) \
  X(cudaGraphExternalSemaphoresSignalNodeSetParams) \
  X(cudaGraphExternalSemaphoresWaitNodeGetParams) X(cudaGraphExternalSemaphoresWaitNodeSetParams) \
  X(cudaGraphKernelNodeCopyAttributes) X(cudaGraphKernelNodeGetAttribute) \
  X(cudaGraphKernelNodeSetAttribute) X(cudaGraphReleaseUserObject) X(cudaGraphRetainUserObject) \
  X(cudaGraphicsGLRegisterBuffer) X(cudaGraphicsGLRegisterImage) X(cudaGraphicsMapResources) \
  X(cudaGraphicsResourceGetMappedMipmappedArray) X(cudaGraphicsResourceGetMappedPointer) \
  X(cudaGraphicsResourceSetMapFlags) X(cudaGraphicsSubResourceGetMappedArray) \
  X(cudaGraphicsUnmapResources) X(cudaGraphicsUnregisterResource) X(cudaImportExternalMemory) \
  X(cudaImportExternalSemaphore) X(cudaIpcCloseMemHandle) X(cudaIpcGetEventHandle) \
  X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle) X(cudaIpcOpenMemHandle) \
  X(cudaLaunchCooperativeKernelMultiDevice) \
  X(cudaMemPoolExportPointer) X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolGetAccess) \
  X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer) X(cudaMemPoolSetAccess) \
  X(cudaMemRangeGetAttributes) \
  X(cudaMipmappedArrayGetMemoryRequirements) X(cudaMipmappedArrayGetSparseProperties) \
  X(cudaOccupancyMaxActiveClusters) \
  X(cudaOccupancyMaxPotentialClusterSize) X(cudaSetDoubleForDevice) X(cudaSetDoubleForHost) \
  X(cudaSignalExternalSemaphoresAsync) \
  X(cudaStreamGetCaptureInfo_v2) X(cudaStreamUpdateCaptureDependencies) \
  X(cudaUserObjectCreate) X(cudaUserObjectRelease) X(cudaUserObjectRetain) \
  X(cudaWaitExternalSemaphoresAsync) \
  X(cudaDeviceRegisterAsyncNotification) X(cudaDeviceUnregisterAsyncNotification) \
  X(cudaFuncGetName) X(cudaFuncGetParamInfo) X(cudaGetDriverEntryPointByVersion) \
  X(cudaGetKernel) X(cudaGraphAddDependencies_v2) X(cudaGraphAddNode) X(cudaGraphAddNode_v2) \
  X(cudaGraphConditionalHandleCreate) X(cudaGraphExecGetFlags) X(cudaGraphExecNodeSetParams) \
  X(cudaGraphGetEdges_v2) X(cudaGraphInstantiateWithParams) X(cudaGraphNodeSetParams) \
  X(cudaLibraryGetGlobal) X(cudaLibraryGetKernel) X(cudaLibraryLoadData) \
  X(cudaLibraryLoadFromFile) X(cudaLibraryUnload) X(cudaMemAdvise_v2) \
  X(cudaMemPrefetchAsync_v2) X(cudaMemcpyBatchAsync) X(cudaStreamBeginCaptureToGraph) \
  X(cudaStreamGetCaptureInfo_v3) X(cudaStreamGetDevice) X(cudaStreamGetId)
// clang-format on

#if defined(__cplusplus)
#define WARPMEM_DECLARE(name) cudaError_t name(...);
extern "C" {
#else
#define WARPMEM_DECLARE(name) cudaError_t name();
#endif
WARPMEM_UNSUPPORTED(WARPMEM_DECLARE)
#undef WARPMEM_DECLARE
#if defined(__cplusplus)
}
#endif
