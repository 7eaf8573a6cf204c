// SPDX-License-Identifier: Apache-2.0
// Functions of the runtime API (up to CUDA 11) that warpmem does not have. A program that mentions
// them compiles and links; each returns cudaErrorNotSupported and says its name once.
#pragma once

#include "../driver_types.h"

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef struct CUexternalMemory_st* cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st* cudaExternalSemaphore_t;
typedef struct cudaIpcMemHandle {
  char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle {
  char reserved[64];
} cudaIpcEventHandle_t;
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};
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
  X(cudaBindSurfaceToArray) X(cudaBindTextureToMipmappedArray) X(cudaCtxResetPersistingL2Cache) \
  X(cudaDestroyExternalMemory) X(cudaDestroyExternalSemaphore) \
  X(cudaDeviceFlushGPUDirectRDMAWrites) X(cudaDeviceGetDefaultMemPool) \
  X(cudaDeviceGetGraphMemAttribute) X(cudaDeviceGetMemPool) X(cudaDeviceGetNvSciSyncAttributes) \
  X(cudaDeviceGetP2PAttribute) X(cudaDeviceGetTexture1DLinearMaxWidth) \
  X(cudaDeviceGraphMemTrim) X(cudaDeviceSetGraphMemAttribute) X(cudaDeviceSetMemPool) \
  X(cudaExternalMemoryGetMappedBuffer) X(cudaExternalMemoryGetMappedMipmappedArray) \
  X(cudaFreeMipmappedArray) X(cudaGLGetDevices) X(cudaGLMapBufferObject) \
  X(cudaGLRegisterBufferObject) X(cudaGLSetGLDevice) X(cudaGLUnmapBufferObject) \
  X(cudaGLUnregisterBufferObject) X(cudaGetDriverEntryPoint) X(cudaGetExportTable) \
  X(cudaGetFuncBySymbol) X(cudaGetMipmappedArrayLevel) X(cudaGetSurfaceObjectResourceDesc) \
  X(cudaGetSurfaceReference) X(cudaGetTextureObjectResourceDesc) \
  X(cudaGetTextureObjectResourceViewDesc) X(cudaGetTextureObjectTextureDesc) \
  X(cudaGraphAddChildGraphNode) X(cudaGraphAddDependencies) X(cudaGraphAddEmptyNode) \
  X(cudaGraphAddEventRecordNode) X(cudaGraphAddEventWaitNode) \
  X(cudaGraphAddExternalSemaphoresSignalNode) X(cudaGraphAddExternalSemaphoresWaitNode) \
  X(cudaGraphAddHostNode) X(cudaGraphAddKernelNode) X(cudaGraphAddMemAllocNode) \
  X(cudaGraphAddMemFreeNode) X(cudaGraphAddMemcpyNode) X(cudaGraphAddMemcpyNode1D) \
  X(cudaGraphAddMemcpyNodeFromSymbol) X(cudaGraphAddMemcpyNodeToSymbol) \
  X(cudaGraphAddMemsetNode) X(cudaGraphChildGraphNodeGetGraph) X(cudaGraphClone) \
  X(cudaGraphCreate) X(cudaGraphDebugDotPrint) X(cudaGraphDestroy) X(cudaGraphDestroyNode) \
  X(cudaGraphEventRecordNodeGetEvent) X(cudaGraphEventRecordNodeSetEvent) \
  X(cudaGraphEventWaitNodeGetEvent) X(cudaGraphEventWaitNodeSetEvent) \
  X(cudaGraphExecChildGraphNodeSetParams) X(cudaGraphExecDestroy) \
  X(cudaGraphExecEventRecordNodeSetEvent) X(cudaGraphExecEventWaitNodeSetEvent) \
  X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) \
  X(cudaGraphExecExternalSemaphoresWaitNodeSetParams) X(cudaGraphExecHostNodeSetParams) \
  X(cudaGraphExecKernelNodeSetParams) X(cudaGraphExecMemcpyNodeSetParams) \
  X(cudaGraphExecMemcpyNodeSetParams1D) X(cudaGraphExecMemcpyNodeSetParamsFromSymbol) \
  X(cudaGraphExecMemcpyNodeSetParamsToSymbol) X(cudaGraphExecMemsetNodeSetParams) \
  X(cudaGraphExecUpdate) X(cudaGraphExternalSemaphoresSignalNodeGetParams) \
  X(cudaGraphExternalSemaphoresSignalNodeSetParams) \
  X(cudaGraphExternalSemaphoresWaitNodeGetParams) \
  X(cudaGraphExternalSemaphoresWaitNodeSetParams) X(cudaGraphGetEdges) X(cudaGraphGetNodes) \
  X(cudaGraphGetRootNodes) X(cudaGraphHostNodeGetParams) X(cudaGraphHostNodeSetParams) \
  X(cudaGraphInstantiate) X(cudaGraphInstantiateWithFlags) X(cudaGraphKernelNodeCopyAttributes) \
  X(cudaGraphKernelNodeGetAttribute) X(cudaGraphKernelNodeGetParams) \
  X(cudaGraphKernelNodeSetAttribute) X(cudaGraphKernelNodeSetParams) X(cudaGraphLaunch) \
  X(cudaGraphMemAllocNodeGetParams) X(cudaGraphMemFreeNodeGetParams) \
  X(cudaGraphMemcpyNodeGetParams) X(cudaGraphMemcpyNodeSetParams) \
  X(cudaGraphMemcpyNodeSetParams1D) X(cudaGraphMemcpyNodeSetParamsFromSymbol) \
  X(cudaGraphMemcpyNodeSetParamsToSymbol) X(cudaGraphMemsetNodeGetParams) \
  X(cudaGraphMemsetNodeSetParams) X(cudaGraphNodeFindInClone) X(cudaGraphNodeGetDependencies) \
  X(cudaGraphNodeGetDependentNodes) X(cudaGraphNodeGetEnabled) X(cudaGraphNodeGetType) \
  X(cudaGraphNodeSetEnabled) X(cudaGraphReleaseUserObject) X(cudaGraphRemoveDependencies) \
  X(cudaGraphRetainUserObject) X(cudaGraphUpload) X(cudaGraphicsGLRegisterBuffer) \
  X(cudaGraphicsGLRegisterImage) X(cudaGraphicsMapResources) \
  X(cudaGraphicsResourceGetMappedMipmappedArray) X(cudaGraphicsResourceGetMappedPointer) \
  X(cudaGraphicsResourceSetMapFlags) X(cudaGraphicsSubResourceGetMappedArray) \
  X(cudaGraphicsUnmapResources) X(cudaGraphicsUnregisterResource) X(cudaImportExternalMemory) \
  X(cudaImportExternalSemaphore) X(cudaIpcCloseMemHandle) X(cudaIpcGetEventHandle) \
  X(cudaIpcGetMemHandle) X(cudaIpcOpenEventHandle) X(cudaIpcOpenMemHandle) \
  X(cudaLaunchCooperativeKernelMultiDevice) \
  X(cudaMallocFromPoolAsync) X(cudaMallocMipmappedArray) \
  X(cudaMemPoolCreate) X(cudaMemPoolDestroy) X(cudaMemPoolExportPointer) \
  X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolGetAccess) X(cudaMemPoolGetAttribute) \
  X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer) X(cudaMemPoolSetAccess) \
  X(cudaMemPoolSetAttribute) X(cudaMemPoolTrimTo) X(cudaMemRangeGetAttributes) \
  X(cudaMemcpy3DPeer) X(cudaMemcpy3DPeerAsync) X(cudaMipmappedArrayGetMemoryRequirements) \
  X(cudaMipmappedArrayGetSparseProperties) X(cudaOccupancyAvailableDynamicSMemPerBlock) \
  X(cudaOccupancyMaxActiveClusters) X(cudaOccupancyMaxPotentialClusterSize) \
  X(cudaSetDoubleForDevice) X(cudaSetDoubleForHost) X(cudaSignalExternalSemaphoresAsync) \
  X(cudaStreamBeginCapture) X(cudaStreamCopyAttributes) X(cudaStreamEndCapture) \
  X(cudaStreamGetAttribute) X(cudaStreamGetCaptureInfo) X(cudaStreamGetCaptureInfo_v2) \
  X(cudaStreamIsCapturing) X(cudaStreamSetAttribute) X(cudaStreamUpdateCaptureDependencies) \
  X(cudaThreadExchangeStreamCaptureMode) X(cudaUserObjectCreate) X(cudaUserObjectRelease) \
  X(cudaUserObjectRetain) X(cudaWaitExternalSemaphoresAsync)
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
