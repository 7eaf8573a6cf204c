// SPDX-License-Identifier: Apache-2.0
// Nodes of graphs: what they do is given, read and changed, in a graph and in an executable one.
#include <algorithm>

#include "program/cuda/api.hpp"
#include "program/cuda/graph_handles.hpp"

namespace {

using namespace warpmem::program::cuda;
namespace ptx = warpmem::program::ptx;

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                std::size_t count, Work work) {
  if (node == nullptr || !is_known(graph) || !contains(*graph, after, count))
    return cudaErrorInvalidValue;
  std::vector<CUgraphNode_st*> dependencies;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::count(after, after + i, after[i]) != 0) return cudaErrorInvalidValue;
    dependencies.push_back(after[i]);
  }
  *node = graph->add(std::move(work), std::move(dependencies));
  return cudaSuccess;
}

/// Each returns an error, or makes the work of a node.
cudaError_t make(Runtime& runtime, const cudaKernelNodeParams* p, KernelWork& work) {
  if (p == nullptr || p->extra != nullptr) return cudaErrorInvalidValue;
  const RegisteredKernel* const kernel = runtime.find_kernel(p->func);
  const ptx::Entry* const entry = kernel != nullptr ? runtime.entry(*kernel) : nullptr;
  if (entry == nullptr) return cudaErrorInvalidDeviceFunction;
  if (p->kernelParams == nullptr && !entry->parameters.empty()) return cudaErrorInvalidValue;
  std::vector<std::uint8_t> bytes;
  if (!pack_parameters(*entry, p->kernelParams, bytes)) return cudaErrorInvalidValue;
  Runtime::LaunchShape shape;
  shape.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z};
  shape.block = {p->blockDim.x, p->blockDim.y, p->blockDim.z};
  shape.shared_bytes = p->sharedMemBytes;
  work = {p->func, shape, std::move(bytes), {}};
  return cudaSuccess;
}
cudaError_t make(Runtime&, const cudaMemcpy3DParms* p, cudaMemcpy3DParms& work) {
  if (p == nullptr) return cudaErrorInvalidValue;
  work = *p;
  return cudaSuccess;
}
cudaError_t make(Runtime&, const cudaMemsetParams* p, cudaMemsetParams& work) {
  if (p == nullptr || p->dst == nullptr || p->width == 0 || p->height == 0 ||
      (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return cudaErrorInvalidValue;
  work = *p;
  return cudaSuccess;
}
cudaError_t make(Runtime&, const cudaHostNodeParams* p, cudaHostNodeParams& work) {
  if (p == nullptr || p->fn == nullptr) return cudaErrorInvalidValue;
  work = *p;
  return cudaSuccess;
}

/// RecordWork or WaitWork.
template <class W>
cudaError_t make(Runtime&, const cudaEvent_t* p, W& work) {
  if (!is_event(*p)) return cudaErrorInvalidValue;
  work = {*p};
  return cudaSuccess;
}

template <class W, class Parameters>
cudaError_t add_made(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     std::size_t count, const Parameters* parameters) {
  return api_beside_kernels([&](Runtime& runtime) {
    W work{};
    const cudaError_t error = make(runtime, parameters, work);
    return error != cudaSuccess ? error : add(node, graph, after, count, Work(std::move(work)));
  });
}

/// Gives the node work of the kind that it has.
template <class W, class Parameters>
cudaError_t set(Runtime& runtime, CUgraphNode_st& node, const Parameters* parameters) {
  if (type_of(node.work) != type_of(Work(W{}))) return cudaErrorInvalidValue;
  W work{};
  if (const cudaError_t error = make(runtime, parameters, work); error != cudaSuccess) return error;
  // Of a captured kernel its cluster and the like stay.
  if constexpr (std::is_same_v<W, KernelWork>) {
    const Runtime::LaunchShape& before = std::get<KernelWork>(node.work).shape;
    work.shape.cluster = before.cluster;
    work.shape.cooperative = before.cooperative;
  }
  node.work = std::move(work);
  return cudaSuccess;
}
template <class W, class Parameters>
cudaError_t set_in_graph(cudaGraphNode_t node, const Parameters* parameters) {
  return api_beside_kernels([&](Runtime& runtime) {
    return is_known(node) ? set<W>(runtime, *node, parameters) : cudaErrorInvalidValue;
  });
}
template <class W, class Parameters>
cudaError_t set_in_executable(cudaGraphExec_t exec, cudaGraphNode_t node,
                              const Parameters* parameters) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (!is_known(exec)) return cudaErrorInvalidValue;
    const auto copy = exec->copies.find(node);
    return copy != exec->copies.end() ? set<W>(runtime, *copy->second, parameters)
                                      : cudaErrorInvalidValue;
  });
}

template <class Parameters>
cudaError_t get(cudaGraphNode_t node, Parameters* parameters) {
  return api_beside_kernels([&](Runtime&) {
    if (parameters == nullptr || !is_known(node)) return cudaErrorInvalidValue;
    const auto* const work = std::get_if<Parameters>(&node->work);
    if (work == nullptr) return cudaErrorInvalidValue;
    *parameters = *work;
    return cudaSuccess;
  });
}

template <class W>
cudaError_t get_event(cudaGraphNode_t node, cudaEvent_t* event) {
  W work;
  const cudaError_t error = get(node, &work);
  if (error != cudaSuccess || event == nullptr) return cudaErrorInvalidValue;
  *event = work.event;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  return add_made<KernelWork>(node, graph, after, count, parameters);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  return add_made<cudaMemcpy3DParms>(node, graph, after, count, parameters);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = linear_copy(to, from, bytes, kind);
  return cudaGraphAddMemcpyNode(node, graph, after, count, &parameters);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* parameters) {
  return add_made<cudaMemsetParams>(node, graph, after, count, parameters);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* parameters) {
  return add_made<cudaHostNodeParams>(node, graph, after, count, parameters);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, size_t count,
                                       cudaGraph_t child) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_known(child) || child->order().size() != child->nodes.size())
      return cudaErrorInvalidValue;
    if (has_memory_nodes(*child)) return cudaErrorNotSupported;
    return add(node, graph, after, count, ChildWork{std::make_shared<const CUgraph_st>(*child)});
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, size_t count) {
  return api_beside_kernels(
      [&](Runtime&) { return add(node, graph, after, count, std::monostate{}); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count,
                                        cudaEvent_t event) {
  return add_made<RecordWork>(node, graph, after, count, &event);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t count,
                                      cudaEvent_t event) {
  return add_made<WaitWork>(node, graph, after, count, &event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count,
                                     cudaMemAllocNodeParams* parameters) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    AllocWork work;
    cudaError_t error = reserve(runtime, *parameters, work);
    if (error == cudaSuccess) error = add(node, graph, after, count, std::move(work));
    if (error != cudaSuccess) parameters->dptr = nullptr;
    return error;
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, size_t count, void* pointer) {
  return api_beside_kernels([&](Runtime&) {
    FreeWork work;
    if (!is_known(graph)) return cudaErrorInvalidValue;
    const cudaError_t error = make_free(*graph, pointer, work);
    return error != cudaSuccess ? error : add(node, graph, after, count, work);
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (parameters == nullptr || !is_known(node)) return cudaErrorInvalidValue;
    auto* const work = std::get_if<KernelWork>(&node->work);
    if (work == nullptr) return cudaErrorInvalidValue;
    work->places.clear();
    for (const auto& p : runtime.entry(*runtime.find_kernel(work->function))->parameters)
      work->places.push_back(work->parameters.data() + p.offset);
    const auto plain = [](const auto& d) { return dim3{d.x, d.y, d.z}; };
    *parameters = {const_cast<void*>(work->function),
                   plain(work->shape.grid),
                   plain(work->shape.block),
                   static_cast<unsigned>(work->shape.shared_bytes),
                   work->places.data(),
                   nullptr};
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  return get(node, parameters);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  return get(node, parameters);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  return get(node, parameters);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<RecordWork>(node, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<WaitWork>(node, event);
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters) {
  return set_in_graph<KernelWork>(node, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms* parameters) {
  return set_in_graph<cudaMemcpy3DParms>(node, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = linear_copy(to, from, bytes, kind);
  return cudaGraphMemcpyNodeSetParams(node, &parameters);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return set_in_graph<cudaMemsetParams>(node, parameters);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return set_in_graph<cudaHostNodeParams>(node, parameters);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_in_graph<RecordWork>(node, &event);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return set_in_graph<WaitWork>(node, &event);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return set_in_executable<KernelWork>(exec, node, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return set_in_executable<cudaMemcpy3DParms>(exec, node, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  const cudaMemcpy3DParms parameters = linear_copy(to, from, bytes, kind);
  return cudaGraphExecMemcpyNodeSetParams(exec, node, &parameters);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return set_in_executable<cudaMemsetParams>(exec, node, parameters);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return set_in_executable<cudaHostNodeParams>(exec, node, parameters);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return set_in_executable<RecordWork>(exec, node, &event);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return set_in_executable<WaitWork>(exec, node, &event);
}

}  // extern "C"
