// SPDX-License-Identifier: Apache-2.0
// Graphs that allocate and free: by nodes and by captured calls, what outlives the launch, the
// device's figures, and what such graphs do not allow.
#include <cuda_runtime.h>

#include <vector>

#include "check.h"

const int kN = 2048;
const size_t kBytes = kN * sizeof(int);

__global__ void fill(int* to, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += value + i;  // memory is given zeroed
}
__global__ void twice(int* to, const int* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2 * from[i];
}

static unsigned long long figure(cudaGraphMemAttributeType attribute) {
  unsigned long long value = ~0ull;
  OK(cudaDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}
static cudaMemAllocNodeParams request(size_t bytes) {
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  return p;
}
static cudaKernelNodeParams kernel(void* function, void** arguments) {
  cudaKernelNodeParams p = {};
  p.func = function;
  p.gridDim = dim3(kN / 256);
  p.blockDim = dim3(256);
  p.kernelParams = arguments;
  return p;
}

/// A temporary of the graph's own.
static void nodes(int* out, cudaStream_t stream) {
  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t allocate, first, second, release;
  cudaMemAllocNodeParams wanted = request(kBytes);
  OK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &wanted));
  CHECK(wanted.dptr != nullptr);
  int value = 5, n = kN;
  void *filling[] = {&wanted.dptr, &value, &n}, *doubling[] = {&out, &wanted.dptr, &n};
  const cudaKernelNodeParams a = kernel((void*)fill, filling), b = kernel((void*)twice, doubling);
  OK(cudaGraphAddKernelNode(&first, graph, &allocate, 1, &a));
  OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &b));
  OK(cudaGraphAddMemFreeNode(&release, graph, &second, 1, wanted.dptr));
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(allocate, &type));
  CHECK(type == cudaGraphNodeTypeMemAlloc);
  OK(cudaGraphNodeGetType(release, &type));
  CHECK(type == cudaGraphNodeTypeMemFree);
  cudaMemAllocNodeParams got;
  OK(cudaGraphMemAllocNodeGetParams(allocate, &got));
  CHECK(got.dptr == wanted.dptr && got.bytesize == kBytes);
  void* freed = nullptr;
  OK(cudaGraphMemFreeNodeGetParams(release, &freed));
  CHECK(freed == wanted.dptr);

  cudaGraphExec_t exec, other;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<int> host(kN);
  for (int launch = 0; launch < 3; ++launch) {
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaMemcpyAsync(host.data(), out, kBytes, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < kN; ++i) CHECK(host[i] == 2 * (5 + i));
    CHECK(figure(cudaGraphMemAttrUsedMemCurrent) == 0);
    CHECK(figure(cudaGraphMemAttrUsedMemHigh) == kBytes);
  }

  // Such a graph is executable once at a time, and is neither copied nor taken apart.
  EXPECT(cudaErrorNotSupported, cudaGraphInstantiate(&other, graph, 0));
  cudaGraph_t clone;
  EXPECT(cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  EXPECT(cudaErrorNotSupported, cudaGraphDestroyNode(second));
  EXPECT(cudaErrorNotSupported, cudaGraphRemoveDependencies(graph, &first, &second, 1));
  cudaGraph_t outer;
  cudaGraphNode_t child;
  OK(cudaGraphCreate(&outer, 0));
  EXPECT(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  cudaGraphExecUpdateResult result;
  EXPECT(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, graph, nullptr, &result));
  CHECK(result == cudaGraphExecUpdateErrorNotSupported);
  EXPECT(cudaErrorInvalidValue,
         cudaGraphAddMemFreeNode(&release, graph, &second, 1, wanted.dptr));  // twice
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&release, graph, &second, 1, out));
  wanted = request(0);
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &wanted));
  wanted = request(16);
  wanted.poolProps.location.id = 1;
  EXPECT(cudaErrorInvalidDevice, cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &wanted));
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphInstantiate(&other, graph, 0));
  OK(cudaGraphExecDestroy(other));
  OK(cudaGraphDestroy(outer));
  OK(cudaGraphDestroy(graph));
}

/// Captured, and freed after the launch: by the stream, by another graph, by the next launch.
static void captured(int* out, cudaStream_t stream) {
  int* temporary = nullptr;
  cudaGraph_t graph, releasing;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMallocAsync(&temporary, kBytes, stream));
  fill<<<kN / 256, 256, 0, stream>>>(temporary, 9, kN);
  twice<<<kN / 256, 256, 0, stream>>>(out, temporary, kN);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync(out, stream));  // is no graph's
  OK(cudaFreeAsync(temporary, stream));
  OK(cudaStreamEndCapture(stream, &releasing));

  cudaGraphExec_t exec, release;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphInstantiate(&release, releasing, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(release, stream));  // not there yet
  std::vector<int> host(kN);
  const auto look = [&](const int* at, int factor) {
    OK(cudaMemcpy(host.data(), at, kBytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kN; ++i) CHECK(host[i] == factor * (9 + i));
  };
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  look(out, 2);
  look(temporary, 1);
  CHECK(figure(cudaGraphMemAttrUsedMemCurrent) == kBytes);
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));  // is still there
  OK(cudaFreeAsync(temporary, stream));
  CHECK(figure(cudaGraphMemAttrUsedMemCurrent) == 0);
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaGraphLaunch(release, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(figure(cudaGraphMemAttrReservedMemCurrent) == 0);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int launch = 0; launch < 3; ++launch) OK(cudaGraphLaunch(exec, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(figure(cudaGraphMemAttrUsedMemCurrent) == kBytes);
  // What a launch has allocated outlives its graph.
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphExecDestroy(release));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(releasing));
  look(temporary, 1);
  OK(cudaFree(temporary));
  EXPECT(cudaErrorInvalidValue, cudaFree(temporary));
  unsigned long long zero = 0;
  OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CHECK(figure(cudaGraphMemAttrUsedMemHigh) == 0);
  EXPECT(cudaErrorInvalidValue,
         cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
  OK(cudaDeviceGraphMemTrim(0));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(1));
}

int main() {
  int* out;
  OK(cudaMalloc(&out, kBytes));
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  size_t before, after, total;
  OK(cudaMemGetInfo(&before, &total));
  nodes(out, stream);
  captured(out, stream);
  OK(cudaMemGetInfo(&after, &total));
  CHECK(before == after);
  cudaGetLastError();
  return finish();
}
