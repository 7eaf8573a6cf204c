// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/graph_handles.hpp"

#include <algorithm>

#include "program/cuda/api.hpp"

namespace warpmem::program::cuda {

std::unordered_set<const CUgraph_st*>& graphs() {
  static auto* const the_set = new std::unordered_set<const CUgraph_st*>;
  return *the_set;
}
std::unordered_set<const CUgraphExec_st*>& executables() {
  static auto* const the_set = new std::unordered_set<const CUgraphExec_st*>;
  return *the_set;
}

bool is_known(cudaGraph_t graph) { return graphs().count(graph) != 0; }
bool is_known(cudaGraphExec_t exec) { return executables().count(exec) != 0; }
bool is_known(cudaGraphNode_t node) {
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

void give_out(std::unique_ptr<CUgraph_st> graph, cudaGraph_t& handle) {
  handle = graph.release();
  graphs().insert(handle);
}

}  // namespace warpmem::program::cuda
