// SPDX-License-Identifier: Apache-2.0
// Nodes that copy to and from variables of the device; nodes found in a clone, and disabled ones.
#include <cuda_runtime.h>

#include "check.h"

const int kN = 64;
__constant__ int factors[kN];
__device__ int products[kN];

__global__ void multiply(int by) { products[threadIdx.x] = factors[threadIdx.x] * by; }

int main() {
  int in[kN], other[kN], out[kN], tail[kN];
  for (int i = 0; i < kN; ++i) in[i] = i + 1, other[i] = 100 - i, out[i] = tail[i] = -1;
  const size_t bytes = sizeof in, half = bytes / 2;
  cudaGraph_t graph, clone;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t upload, product, download, found;
  OK(cudaGraphAddMemcpyNodeToSymbol(&upload, graph, nullptr, 0, factors, in, bytes, 0,
                                    cudaMemcpyHostToDevice));
  int by = 3;
  void* arguments[] = {&by};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)multiply;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(kN);
  kernel.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&product, graph, &upload, 1, &kernel));
  OK(cudaGraphAddMemcpyNodeFromSymbol(&download, graph, &product, 1, out, products, bytes, 0,
                                      cudaMemcpyDeviceToHost));
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphNodeFindInClone(&found, product, clone));
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(found, &type));
  CHECK(found != product && type == cudaGraphNodeTypeKernel);
  EXPECT(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&found, found, clone));

  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  const auto launch = [&] {
    OK(cudaGraphLaunch(exec, nullptr));
    OK(cudaDeviceSynchronize());
  };
  launch();
  for (int i = 0; i < kN; ++i) CHECK(out[i] == 3 * in[i]);

  // The second half from another array, into another one.
  OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, upload, factors, other, half, half,
                                              cudaMemcpyHostToDevice));
  OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, download, tail, products, half, half,
                                                cudaMemcpyDeviceToHost));
  launch();
  for (int i = 0; i < kN / 2; ++i) {
    CHECK(tail[i] == 3 * other[i]);
    CHECK(tail[kN / 2 + i] == -1);
    CHECK(out[i] == 3 * in[i]);
  }

  // A disabled kernel leaves what there is.
  unsigned enabled = 7;
  OK(cudaGraphNodeGetEnabled(exec, product, &enabled));
  CHECK(enabled == 1);
  OK(cudaGraphNodeSetEnabled(exec, product, 0));
  OK(cudaGraphNodeGetEnabled(exec, product, &enabled));
  CHECK(enabled == 0);
  OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, upload, factors, in, bytes, 0,
                                              cudaMemcpyHostToDevice));
  launch();
  for (int i = 0; i < kN / 2; ++i) CHECK(tail[i] == 3 * other[i]);
  OK(cudaGraphNodeSetEnabled(exec, product, 1));
  launch();
  for (int i = 0; i < kN / 2; ++i) CHECK(tail[i] == 3 * in[kN / 2 + i]);

  // In the graph itself, whose executable takes it over.
  OK(cudaGraphMemcpyNodeSetParamsToSymbol(upload, factors, other, bytes, 0,
                                          cudaMemcpyHostToDevice));
  OK(cudaGraphMemcpyNodeSetParamsFromSymbol(download, out, products, bytes, 0,
                                            cudaMemcpyDeviceToHost));
  cudaGraphExecUpdateResult result;
  OK(cudaGraphExecUpdate(exec, graph, nullptr, &result));
  launch();
  for (int i = 0; i < kN; ++i) CHECK(out[i] == 3 * other[i]);
  void* address;
  OK(cudaGetSymbolAddress(&address, products));
  OK(cudaGraphMemcpyNodeSetParams1D(download, tail, address, bytes, cudaMemcpyDeviceToHost));
  OK(cudaGraphExecUpdate(exec, graph, nullptr, &result));
  launch();
  for (int i = 0; i < kN; ++i) CHECK(tail[i] == 3 * other[i]);

  EXPECT(cudaErrorInvalidValue, cudaGraphMemcpyNodeSetParamsToSymbol(upload, factors, in, bytes, 4,
                                                                     cudaMemcpyHostToDevice));
  EXPECT(
      cudaErrorInvalidMemcpyDirection,
      cudaGraphMemcpyNodeSetParamsToSymbol(upload, factors, in, bytes, 0, cudaMemcpyDeviceToHost));
  EXPECT(cudaErrorInvalidSymbol,
         cudaGraphMemcpyNodeSetParamsToSymbol(upload, in, in, bytes, 0, cudaMemcpyHostToDevice));
  cudaGraphNode_t empty;
  OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec, empty, 0));  // is not in it
  cudaGetLastError();
  return finish();
}
