// SPDX-License-Identifier: Apache-2.0
// Graphs: made, looked at, made executable, changed as a whole and launched.
#include <algorithm>

#include "program/cuda/api.hpp"
#include "program/cuda/capture.hpp"
#include "program/cuda/graph_handles.hpp"

namespace {

using namespace warpmem::program::cuda;

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

cudaError_t instantiate(cudaGraphExec_t* exec, cudaGraph_t graph, bool frees_on_launch) {
  if (exec == nullptr || !is_known(graph)) return cudaErrorInvalidValue;
  if (has_memory_nodes(*graph) && !graph->executable.expired()) return cudaErrorNotSupported;
  if (graph->order().size() != graph->nodes.size()) return cudaErrorInvalidValue;  // a circle
  *exec = new CUgraphExec_st(*graph);
  (*exec)->frees_on_launch = frees_on_launch;
  graph->executable = (*exec)->alive;
  executables().insert(*exec);
  return cudaSuccess;
}

/// The executable's copy of a node that may be disabled, or nullptr.
CUgraphNode_st* switchable(cudaGraphExec_t exec, cudaGraphNode_t node) {
  if (!is_known(exec)) return nullptr;
  const auto copy = exec->copies.find(node);
  if (copy == exec->copies.end()) return nullptr;
  const cudaGraphNodeType type = type_of(copy->second->work);
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
                 type == cudaGraphNodeTypeMemset
             ? copy->second
             : nullptr;
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
  if (has_memory_nodes(graph)) return cudaGraphExecUpdateErrorNotSupported;
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
    if (clone == nullptr || !is_known(graph)) return cudaErrorInvalidValue;
    if (has_memory_nodes(*graph)) return cudaErrorNotSupported;
    give_out(std::make_unique<CUgraph_st>(*graph), *clone);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_known(graph) || !contains(*graph, from, count) || !contains(*graph, to, count))
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
    if (!is_known(graph) || !contains(*graph, from, count) || !contains(*graph, to, count))
      return cudaErrorInvalidValue;
    if (has_memory_nodes(*graph)) return cudaErrorNotSupported;
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
    if (!is_known(node)) return cudaErrorInvalidValue;
    CUgraph_st& graph = *node->graph;
    if (has_memory_nodes(graph)) return cudaErrorNotSupported;
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
    if (!is_known(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes) found.push_back(node.get());
    return give(found, nodes, count);
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_known(graph)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes)
      if (node->after.empty()) found.push_back(node.get());
    return give(found, nodes, count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_known(graph) || count == nullptr || (from == nullptr) != (to == nullptr))
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
    if (type == nullptr || !is_known(node)) return cudaErrorInvalidValue;
    *type = type_of(node->work);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    return is_known(node) ? give(node->after, nodes, count) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_known(node)) return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> found;
    for (const auto& other : node->graph->nodes)
      if (std::count(other->after.begin(), other->after.end(), node) != 0)
        found.push_back(other.get());
    return give(found, nodes, count);
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return api_beside_kernels([&](Runtime&) {
    if ((flags & ~static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch)) != 0)
      return cudaErrorInvalidValue;
    return instantiate(exec, graph, flags != 0);
  });
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

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return api_beside_kernels([&](Runtime&) {
    if (found == nullptr || !is_known(original) || !is_known(clone)) return cudaErrorInvalidValue;
    const auto is = [original](const auto& node) { return node->original == original; };
    const auto node = std::find_if(clone->nodes.begin(), clone->nodes.end(), is);
    if (node == clone->nodes.end()) return cudaErrorInvalidValue;
    *found = node->get();
    return cudaSuccess;
  });
}

// Nodes of an executable graph that are disabled do nothing; there are kernels, copies and fills
// among them.
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled) {
  return api_beside_kernels([&](Runtime&) {
    CUgraphNode_st* const copy = switchable(exec, node);
    if (copy == nullptr) return cudaErrorInvalidValue;
    copy->enabled = enabled != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  return api_beside_kernels([&](Runtime&) {
    const CUgraphNode_st* const copy = switchable(exec, node);
    if (copy == nullptr || enabled == nullptr) return cudaErrorInvalidValue;
    *enabled = copy->enabled ? 1 : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error,
                                cudaGraphExecUpdateResult* result) {
  return api_beside_kernels([&](Runtime&) {
    if (result == nullptr || !is_known(exec) || !is_known(graph)) return cudaErrorInvalidValue;
    cudaGraphNode_t wrong = nullptr;
    *result = update(*exec, *graph, wrong);
    if (error != nullptr) *error = wrong;
    return *result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return api_beside_kernels([&](Runtime&) {
    return is_known(exec) && is_stream(stream) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (!is_known(exec)) return cudaErrorInvalidValue;
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (capture_of(stream) != nullptr && has_memory_nodes(exec->graph))
      return cudaErrorNotSupported;
    if (still_has_memory(exec->graph)) {
      if (!exec->frees_on_launch) return cudaErrorInvalidValue;
      const cudaError_t error = free_before_launch(runtime, exec->graph);
      if (error != cudaSuccess) return error;
    }
    const ChildWork work{std::make_shared<const CUgraph_st>(exec->graph)};
    if (Capture* const capture = capture_of(stream)) return capture->add(stream, work);
    return run(runtime, work, stream);
  });
}

}  // extern "C"
