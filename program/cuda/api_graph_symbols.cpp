// SPDX-License-Identifier: Apache-2.0
// Nodes that copy to and from variables of the device, which become those that copy memory.
#include "program/cuda/api.hpp"
#include "program/cuda/graph.hpp"

namespace {

using namespace warpmem::program::cuda;

/// Where bytes of a variable are.
cudaError_t place_in(const void* symbol, std::size_t bytes, std::size_t offset, char*& place) {
  return api_beside_kernels([&](Runtime&) {
    cudaError_t error = cudaSuccess;
    place = symbol_bytes(symbol, offset, bytes, error);
    return error;
  });
}

/// `use` takes the parameters of the copy.
template <class Use>
cudaError_t to_symbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                      cudaMemcpyKind kind, Use&& use) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return remember(cudaErrorInvalidMemcpyDirection);
  char* place = nullptr;
  const cudaError_t error = place_in(symbol, bytes, offset, place);
  return error != cudaSuccess ? error : use(linear_copy(place, from, bytes, kind));
}
template <class Use>
cudaError_t from_symbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, Use&& use) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return remember(cudaErrorInvalidMemcpyDirection);
  char* place = nullptr;
  const cudaError_t error = place_in(symbol, bytes, offset, place);
  return error != cudaSuccess ? error : use(linear_copy(to, place, bytes, kind));
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t count,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return to_symbol(symbol, from, bytes, offset, kind, [&](const cudaMemcpy3DParms& copy) {
    return cudaGraphAddMemcpyNode(node, graph, after, count, &copy);
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t count, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return from_symbol(to, symbol, bytes, offset, kind, [&](const cudaMemcpy3DParms& copy) {
    return cudaGraphAddMemcpyNode(node, graph, after, count, &copy);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return to_symbol(symbol, from, bytes, offset, kind, [&](const cudaMemcpy3DParms& copy) {
    return cudaGraphMemcpyNodeSetParams(node, &copy);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return from_symbol(to, symbol, bytes, offset, kind, [&](const cudaMemcpy3DParms& copy) {
    return cudaGraphMemcpyNodeSetParams(node, &copy);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return to_symbol(symbol, from, bytes, offset, kind, [&](const cudaMemcpy3DParms& copy) {
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &copy);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return from_symbol(to, symbol, bytes, offset, kind, [&](const cudaMemcpy3DParms& copy) {
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &copy);
  });
}

}  // extern "C"
