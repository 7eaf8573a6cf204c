// SPDX-License-Identifier: Apache-2.0
// A graph made node by node: a diamond of kernels between copies, a fill, a host function and a
// graph within it; arguments and copies changed in the graph and in what was made of it.
#include <cuda_runtime.h>

#include <vector>

#include "check.h"

const int kN = 1000;

__global__ void scale(int* to, const int* from, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i] * factor;
}
__global__ void add(int* to, const int* a, const int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += a[i] + b[i];
}
static void count(void* calls) { ++*static_cast<int*>(calls); }

int main() {
  const size_t bytes = kN * sizeof(int);
  std::vector<int> in(kN), out(kN), other(kN);
  for (int i = 0; i < kN; ++i) in[i] = i, other[i] = 3 * i;
  int *source, *left, *right, *sum;
  OK(cudaMalloc(&source, bytes));
  OK(cudaMalloc(&left, bytes));
  OK(cudaMalloc(&right, bytes));
  OK(cudaMalloc(&sum, bytes));

  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t upload, fill, twice, thrice, join, download, host, child, last;
  OK(cudaGraphAddMemcpyNode1D(&upload, graph, nullptr, 0, source, in.data(), bytes,
                              cudaMemcpyHostToDevice));
  cudaMemsetParams zero = {};
  zero.dst = sum;
  zero.elementSize = 4;
  zero.value = 7;
  zero.width = kN;
  zero.height = 1;
  OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));

  int n = kN, factor = 2;
  void* scaling[] = {&left, &source, &factor, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)scale;
  kernel.gridDim = dim3((kN + 127) / 128);
  kernel.blockDim = dim3(128);
  kernel.kernelParams = scaling;
  OK(cudaGraphAddKernelNode(&twice, graph, &upload, 1, &kernel));
  factor = 3;
  scaling[0] = &right;
  OK(cudaGraphAddKernelNode(&thrice, graph, &upload, 1, &kernel));
  void* adding[] = {&sum, &left, &right, &n};
  cudaKernelNodeParams adder = kernel;
  adder.func = (void*)add;
  adder.kernelParams = adding;
  const cudaGraphNode_t before[] = {twice, thrice, fill};
  OK(cudaGraphAddKernelNode(&join, graph, before, 3, &adder));
  // Its place among the nodes is before what it waits for.
  OK(cudaGraphAddMemcpyNode1D(&download, graph, nullptr, 0, out.data(), sum, bytes,
                              cudaMemcpyDeviceToHost));
  OK(cudaGraphAddDependencies(graph, &join, &download, 1));
  int calls = 0;
  cudaHostNodeParams caller = {count, &calls};
  OK(cudaGraphAddHostNode(&host, graph, &download, 1, &caller));
  cudaGraph_t inner;
  OK(cudaGraphCreate(&inner, 0));
  cudaGraphNode_t again;
  OK(cudaGraphAddHostNode(&again, inner, nullptr, 0, &caller));
  OK(cudaGraphAddChildGraphNode(&child, graph, &host, 1, inner));
  OK(cudaGraphDestroy(inner));
  OK(cudaGraphAddEmptyNode(&last, graph, &child, 1));

  size_t number = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &number));
  CHECK(number == 9);
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &number));
  CHECK(number == 9);
  cudaGraphNode_t roots[4];
  number = 4;
  OK(cudaGraphGetRootNodes(graph, roots, &number));
  CHECK(number == 2 && roots[0] == upload && roots[1] == fill);
  OK(cudaGraphNodeGetDependencies(join, nullptr, &number));
  CHECK(number == 3);
  number = 4;
  OK(cudaGraphNodeGetDependentNodes(upload, roots, &number));
  CHECK(number == 2 && roots[0] == twice && roots[1] == thrice);
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(child, &type));
  CHECK(type == cudaGraphNodeTypeGraph);
  cudaKernelNodeParams got;
  OK(cudaGraphKernelNodeGetParams(thrice, &got));
  CHECK(got.func == (void*)scale && *(int*)got.kernelParams[2] == 3 && got.blockDim.x == 128);

  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  for (int launch = 1; launch <= 2; ++launch) {
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(calls == 2 * launch);
    for (int i = 0; i < kN; ++i) CHECK(out[i] == 5 * i + 7);
  }

  // What is set in the executable graph leaves the graph as it is.
  factor = 10;
  OK(cudaGraphExecKernelNodeSetParams(exec, thrice, &kernel));
  OK(cudaGraphExecMemcpyNodeSetParams1D(exec, upload, source, other.data(), bytes,
                                        cudaMemcpyHostToDevice));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < kN; ++i) CHECK(out[i] == 3 * i * 12 + 7);
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t wrong;
  zero.value = 1;
  OK(cudaGraphMemsetNodeSetParams(fill, &zero));
  OK(cudaGraphExecUpdate(exec, graph, &wrong, &result));
  CHECK(result == cudaGraphExecUpdateSuccess);
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < kN; ++i) CHECK(out[i] == 5 * i + 1);

  // A clone is a graph of its own; one that lost a node is of another form.
  cudaGraph_t clone;
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphDestroyNode(last));
  EXPECT(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, graph, &wrong, &result));
  CHECK(result == cudaGraphExecUpdateErrorTopologyChanged);
  OK(cudaGraphExecUpdate(exec, clone, &wrong, &result));

  EXPECT(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec, join, &zero));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&last, graph, &last, 1));  // is gone
  OK(cudaGraphAddDependencies(graph, &host, &upload, 1));
  cudaGraphExec_t circle;
  EXPECT(cudaErrorInvalidValue, cudaGraphInstantiate(&circle, graph, 0));
  OK(cudaGraphExecDestroy(exec));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(clone));
  EXPECT(cudaErrorInvalidValue, cudaGraphDestroy(clone));
  cudaGetLastError();
  return finish();
}
