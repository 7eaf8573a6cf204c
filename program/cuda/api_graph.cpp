// SPDX-License-Identifier: Apache-2.0
// Graphs made node by node, made executable, changed and launched.
#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "program/cuda/api.hpp"
#include "program/cuda/capture.hpp"
#include "program/cuda/graph.hpp"

/// This is a copy of a graph, and where the nodes of the original are in it.
struct CUgraphExec_st {
  CUgraph_st graph;
  std::unordered_map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  explicit CUgraphExec_st(const CUgraph_st& original) : graph(original) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      copies[original.nodes[i].get()] = graph.nodes[i].get();
  }
};

namespace {

using namespace warpmem::program::cuda;
namespace ptx = warpmem::program::ptx;

// These are the handles given out. They are never destroyed.
std::unordered_set<const CUgraph_st*>& graphs() {
  static auto* const the_set = new std::unordered_set<const CUgraph_st*>;
  return *the_set;
}
std::unordered_set<const CUgraphExec_st*>& executables() {
  static auto* const the_set = new std::unordered_set<const CUgraphExec_st*>;
  return *the_set;
}

bool valid(cudaGraph_t graph) { return graphs().count(graph) != 0; }
bool valid(cudaGraphExec_t exec) { return executables().count(exec) != 0; }
/// The handle is looked for in all graphs, since a stale one must not be followed.
bool valid(cudaGraphNode_t node) {
  return std::any_of(graphs().begin(), graphs().end(), [&](const CUgraph_st* graph) {
    return graph->index_of(node) != graph->nodes.size();
  });
}

bool contains(const CUgraph_st& graph, const cudaGraphNode_t* nodes, std::size_t count) {
  if (count != 0 && nodes == nullptr) return false;
  return std::all_of(nodes, nodes + count, [&](cudaGraphNode_t node) {
    return graph.index_of(node) != graph.nodes.size();
  });
}

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                std::size_t count, Work work) {
  if (node == nullptr || !valid(graph) || !contains(*graph, after, count))
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
    return valid(node) ? set<W>(runtime, *node, parameters) : cudaErrorInvalidValue;
  });
}
template <class W, class Parameters>
cudaError_t set_in_executable(cudaGraphExec_t exec, cudaGraphNode_t node,
                              const Parameters* parameters) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (!valid(exec)) return cudaErrorInvalidValue;
    const auto copy = exec->copies.find(node);
    return copy != exec->copies.end() ? set<W>(runtime, *copy->second, parameters)
                                      : cudaErrorInvalidValue;
  });
}

template <class Parameters>
cudaError_t get(cudaGraphNode_t node, Parameters* parameters) {
  return api_beside_kernels([&](Runtime&) {
    if (parameters == nullptr || !valid(node)) return cudaErrorInvalidValue;
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

/// Writes as many as there is room for, or only their number when there is no list.
template <class T>
cudaError_t give(const std::vector<T>& found, T* list, std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (list != nullptr) {
    std::copy_n(found.begin(), std::min(*count, found.size()), list);
    std::fill(list + std::min(*count, found.size()), list + *count, T{});
  }
  if (list == nullptr || *count > found.size()) *count = found.size();
  return cudaSuccess;
}

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph) {
  if (exec == nullptr || !valid(graph)) return cudaErrorInvalidValue;
  if (graph->order().size() != graph->nodes.size()) return cudaErrorInvalidValue;  // a circle
  *exec = new CUgraphExec_st(*graph);
  executables().insert(*exec);
  return cudaSuccess;
}

bool same_edges(const CUgraph_st& a, const CUgraph_st& b, std::size_t i) {
  const auto indices = [&](const CUgraph_st& graph) {
    std::vector<std::size_t> list;
    for (const CUgraphNode_st* const before : graph.nodes[i]->after)
      list.push_back(graph.index_of(before));
    std::sort(list.begin(), list.end());
    return list;
  };
  return indices(a) == indices(b);
}

/// Gives the executable the work of a graph of the same form.
cudaGraphExecUpdateResult update(CUgraphExec_st& exec, const CUgraph_st& graph,
                                 cudaGraphNode_t& wrong) {
  if (exec.graph.nodes.size() != graph.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    wrong = graph.nodes[i].get();
    if (type_of(exec.graph.nodes[i]->work) != type_of(graph.nodes[i]->work))
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (!same_edges(exec.graph, graph, i)) return cudaGraphExecUpdateErrorTopologyChanged;
  }
  wrong = nullptr;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    exec.graph.nodes[i]->work = graph.nodes[i]->work;
  return cudaGraphExecUpdateSuccess;
}

}  // namespace

namespace warpmem::program::cuda {

void give_out(std::unique_ptr<CUgraph_st> graph, cudaGraph_t& handle) {
  handle = graph.release();
  graphs().insert(handle);
}

}  // namespace warpmem::program::cuda

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return api_beside_kernels([&](Runtime&) {
    if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
    give_out(std::make_unique<CUgraph_st>(), *graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api_beside_kernels([&](Runtime&) {
    if (graphs().erase(graph) == 0) return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return api_beside_kernels([&](Runtime&) {
    if (clone == nullptr || !valid(graph)) return cudaErrorInvalidValue;
    give_out(std::make_unique<CUgraph_st>(*graph), *clone);
    return cudaSuccess;
  });
}

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
    if (!valid(child) || child->order().size() != child->nodes.size()) return cudaErrorInvalidValue;
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

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(graph) || !contains(*graph, from, count) || !contains(*graph, to, count))
      return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      auto& after = to[i]->after;
      if (from[i] == to[i] || std::count(after.begin(), after.end(), from[i]) != 0)
        return cudaErrorInvalidValue;
      after.push_back(from[i]);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(graph) || !contains(*graph, from, count) || !contains(*graph, to, count))
      return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      auto& after = to[i]->after;
      const auto edge = std::find(after.begin(), after.end(), from[i]);
      if (edge == after.end()) return cudaErrorInvalidValue;
      after.erase(edge);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(node)) return cudaErrorInvalidValue;
    CUgraph_st& graph = *node->graph;
    for (const auto& other : graph.nodes) {
      auto& after = other->after;
      after.erase(std::remove(after.begin(), after.end(), node), after.end());
    }
    graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(graph.index_of(node)));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes) found.push_back(node.get());
    return give(found, nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes)
      if (node->after.empty()) found.push_back(node.get());
    return give(found, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(graph) || count == nullptr || (from == nullptr) != (to == nullptr))
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> begins, ends;
    for (const auto& node : graph->nodes)
      for (CUgraphNode_st* const before : node->after) {
        begins.push_back(before);
        ends.push_back(node.get());
      }
    std::size_t room = *count;
    give(begins, from, &room);
    return give(ends, to, count);
  });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api_beside_kernels([&](Runtime&) {
    if (type == nullptr || !valid(node)) return cudaErrorInvalidValue;
    *type = type_of(node->work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    return valid(node) ? give(node->after, nodes, count) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    if (!valid(node)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& other : node->graph->nodes)
      if (std::count(other->after.begin(), other->after.end(), node) != 0)
        found.push_back(other.get());
    return give(found, nodes, count);
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (parameters == nullptr || !valid(node)) return cudaErrorInvalidValue;
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

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return api_beside_kernels(
      [&](Runtime&) { return flags == 0 ? instantiate(exec, graph) : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error,
                                 char* log, size_t log_bytes) {
  if (error != nullptr) *error = nullptr;
  if (log != nullptr && log_bytes != 0) *log = '\0';
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api_beside_kernels([&](Runtime&) {
    if (executables().erase(exec) == 0) return cudaErrorInvalidValue;
    delete exec;
    return cudaSuccess;
  });
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

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error,
                                cudaGraphExecUpdateResult* result) {
  return api_beside_kernels([&](Runtime&) {
    if (result == nullptr || !valid(exec) || !valid(graph)) return cudaErrorInvalidValue;
    cudaGraphNode_t wrong = nullptr;
    *result = update(*exec, *graph, wrong);
    if (error != nullptr) *error = wrong;
    return *result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return api_beside_kernels([&](Runtime&) {
    return valid(exec) && is_stream(stream) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (!valid(exec)) return cudaErrorInvalidValue;
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    const ChildWork work{std::make_shared<const CUgraph_st>(exec->graph)};
    if (Capture* const capture = capture_of(stream)) return capture->add(stream, work);
    return run(runtime, work, stream);
  });
}

}  // extern "C"
