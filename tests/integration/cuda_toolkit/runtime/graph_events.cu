// SPDX-License-Identifier: Apache-2.0
// Events within graphs: one that a graph records and another stream waits for, one that a graph
// waits for, both exchanged later; the time between two of them.
#include "check.h"

__global__ void work(int* data, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = data[i] * 3 + by;
}

int main() {
  const int n = 512;
  int *data, host[n], number = n, one = 1;
  OK(cudaMalloc(&data, sizeof host));
  OK(cudaMemset(data, 0, sizeof host));
  cudaEvent_t begin, end, other, got;
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  OK(cudaEventCreate(&other));
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreate(&second));

  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t waits, starts, kernel, ends;
  OK(cudaGraphAddEventWaitNode(&waits, graph, nullptr, 0, other));
  OK(cudaGraphAddEventRecordNode(&starts, graph, &waits, 1, begin));
  void* arguments[] = {&data, &number, &one};
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)work;
  parameters.gridDim = dim3(n / 128);
  parameters.blockDim = dim3(128);
  parameters.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&kernel, graph, &starts, 1, &parameters));
  OK(cudaGraphAddEventRecordNode(&ends, graph, &kernel, 1, end));
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(ends, &type));
  CHECK(type == cudaGraphNodeTypeEventRecord);
  OK(cudaGraphNodeGetType(waits, &type));
  CHECK(type == cudaGraphNodeTypeWaitEvent);
  OK(cudaGraphEventRecordNodeGetEvent(starts, &got));
  CHECK(got == begin);
  EXPECT(cudaErrorInvalidValue, cudaGraphEventWaitNodeGetEvent(starts, &got));
  EXPECT(cudaErrorInvalidValue, cudaGraphEventRecordNodeSetEvent(waits, begin));

  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  work<<<n / 128, 128, 0, second>>>(data, n, 2);  // 2
  OK(cudaEventRecord(other, second));
  OK(cudaGraphLaunch(exec, first));  // 7
  OK(cudaStreamWaitEvent(second, end, 0));
  work<<<n / 128, 128, 0, second>>>(data, n, 0);  // 21
  OK(cudaStreamSynchronize(second));
  OK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  for (int v : host) CHECK(v == 21);
  float between = -1, none = -1;
  OK(cudaEventElapsedTime(&between, begin, end));
  CHECK(between >= 0);

  // The executable records another event, and the graph keeps its own.
  cudaEvent_t later;
  OK(cudaEventCreate(&later));
  OK(cudaGraphExecEventRecordNodeSetEvent(exec, ends, later));
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&none, begin, later));
  cudaGetLastError();
  OK(cudaGraphLaunch(exec, first));
  OK(cudaStreamSynchronize(first));
  OK(cudaEventElapsedTime(&between, begin, later));
  CHECK(between >= 0);
  OK(cudaGraphEventRecordNodeGetEvent(ends, &got));
  CHECK(got == end);
  OK(cudaEventDestroy(later));
  EXPECT(cudaErrorInvalidValue, cudaGraphExecEventRecordNodeSetEvent(exec, ends, later));
  cudaGetLastError();
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
  return finish();
}
