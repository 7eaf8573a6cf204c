// SPDX-License-Identifier: Apache-2.0
// Handles of graphs and of executable graphs that programs hold.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "program/cuda/graph.hpp"

/// This is a copy of a graph, and where the nodes of the original are in it.
struct CUgraphExec_st {
  CUgraph_st graph;
  std::unordered_map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  std::shared_ptr<const void> alive = std::make_shared<char>();  ///< ends with it
  bool frees_on_launch = false;  ///< cudaGraphInstantiateFlagAutoFreeOnLaunch
  explicit CUgraphExec_st(const CUgraph_st& original) : graph(original) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      copies[original.nodes[i].get()] = graph.nodes[i].get();
  }
};

namespace warpmem::program::cuda {

// These are the handles given out. They are never destroyed.
std::unordered_set<const CUgraph_st*>& graphs();
std::unordered_set<const CUgraphExec_st*>& executables();

bool is_known(cudaGraph_t graph);
bool is_known(cudaGraphExec_t exec);
/// The handle is looked for in all graphs, since a stale one must not be followed.
bool is_known(cudaGraphNode_t node);
/// Returns whether all of these are nodes of the graph.
bool contains(const CUgraph_st& graph, const cudaGraphNode_t* nodes, std::size_t count);

}  // namespace warpmem::program::cuda
