// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "program/cuda/api.hpp"

namespace warpmem::program::cuda {
namespace {

cudaError_t run_kernel(Runtime& runtime, const KernelWork& work, cudaStream_t stream) {
  const RegisteredKernel* const kernel = runtime.find_kernel(work.function);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  return runtime.launch(*kernel, work.shape, work.parameters, id_of(stream));
}

cudaError_t run_graph(Runtime& runtime, const CUgraph_st& graph, cudaStream_t stream) {
  for (const CUgraphNode_st* const node : graph.order()) {
    if (!node->enabled) continue;
    if (const cudaError_t error = run(runtime, node->work, stream); error != cudaSuccess)
      return error;
  }
  return cudaSuccess;
}

}  // namespace

cudaGraphNodeType type_of(const Work& work) {
  if (const auto* const call = std::get_if<CallWork>(&work)) return call->type;
  constexpr cudaGraphNodeType kTypes[] = {cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeKernel,
                                          cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
                                          cudaGraphNodeTypeHost,        cudaGraphNodeTypeGraph,
                                          cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
                                          cudaGraphNodeTypeMemAlloc,    cudaGraphNodeTypeMemFree};
  return kTypes[work.index()];
}

cudaError_t run(Runtime& runtime, const Work& work, cudaStream_t stream) {
  if (const auto* const kernel = std::get_if<KernelWork>(&work))
    return run_kernel(runtime, *kernel, stream);
  if (const auto* const copy = std::get_if<cudaMemcpy3DParms>(&work))
    return cudaMemcpy3DAsync(copy, stream);
  if (const auto* const fill = std::get_if<cudaMemsetParams>(&work))
    return fill_elements(*fill, stream);
  if (const auto* const host = std::get_if<cudaHostNodeParams>(&work))
    return cudaLaunchHostFunc(stream, host->fn, host->userData);
  if (const auto* const child = std::get_if<ChildWork>(&work))
    return run_graph(runtime, *child->graph, stream);
  if (const auto* const record = std::get_if<RecordWork>(&work))
    return cudaEventRecord(record->event, stream);
  if (const auto* const wait = std::get_if<WaitWork>(&work))
    return cudaStreamWaitEvent(stream, wait->event, 0);
  if (const auto* const alloc = std::get_if<AllocWork>(&work)) return run(runtime, *alloc);
  if (const auto* const release = std::get_if<FreeWork>(&work)) return run(runtime, *release);
  if (const auto* const call = std::get_if<CallWork>(&work)) return call->call();
  return cudaSuccess;
}

cudaMemcpy3DParms linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy{};
  copy.dstPtr = {to, bytes, bytes, 1};
  copy.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  copy.extent = {bytes, 1, 1};
  copy.kind = kind;
  return copy;
}

}  // namespace warpmem::program::cuda

using warpmem::program::cuda::Work;

CUgraph_st::CUgraph_st(const CUgraph_st& other) {
  std::unordered_map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : other.nodes) {
    CUgraphNode_st* const copy = copies[node.get()] = add(node->work, {});
    copy->original = node.get();
    copy->enabled = node->enabled;
  }
  for (const auto& node : other.nodes)
    for (const CUgraphNode_st* const before : node->after)
      copies[node.get()]->after.push_back(copies[before]);
}

CUgraphNode_st* CUgraph_st::add(Work work, std::vector<CUgraphNode_st*> after) {
  nodes.push_back(std::make_unique<CUgraphNode_st>());
  CUgraphNode_st& node = *nodes.back();
  node.graph = this;
  node.work = std::move(work);
  node.after = std::move(after);
  return &node;
}

std::size_t CUgraph_st::index_of(const CUgraphNode_st* node) const {
  const auto is = [&](const auto& other) { return other.get() == node; };
  return static_cast<std::size_t>(std::find_if(nodes.begin(), nodes.end(), is) - nodes.begin());
}

std::vector<const CUgraphNode_st*> CUgraph_st::order() const {
  std::unordered_map<const CUgraphNode_st*, bool> done;
  std::vector<const CUgraphNode_st*> result;
  const auto ready = [&](const CUgraphNode_st& node) {
    return std::all_of(node.after.begin(), node.after.end(),
                       [&](const CUgraphNode_st* before) { return done[before]; });
  };
  // Mostly nodes are made behind what they depend on, so one pass is enough.
  for (bool any = true; any && result.size() != nodes.size();) {
    any = false;
    for (const auto& node : nodes) {
      if (done[node.get()] || !ready(*node)) continue;
      done[node.get()] = any = true;
      result.push_back(node.get());
    }
  }
  return result;
}
