// SPDX-License-Identifier: Apache-2.0
// Graphs of operations on the device: what nodes do, and their order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "program/cuda/graph_memory.hpp"
#include "program/cuda/include/cuda_runtime_api.h"
#include "program/cuda/runtime.hpp"

namespace warpmem::program::cuda {

struct KernelWork {
  const void* function = nullptr;  ///< the stub of the kernel
  Runtime::LaunchShape shape;
  std::vector<std::uint8_t> parameters;
  std::vector<void*> places;  ///< of each parameter in them, for who asks for the arguments
};
/// This is a copy or a fill that was captured in another form than that of a node.
struct CallWork {
  cudaGraphNodeType type = cudaGraphNodeTypeMemcpy;
  std::function<cudaError_t()> call;
};
struct ChildWork {
  std::shared_ptr<const CUgraph_st> graph;  ///< a copy of its own
};
struct RecordWork {
  cudaEvent_t event = nullptr;
};
struct WaitWork {
  cudaEvent_t event = nullptr;
};
using Work = std::variant<std::monostate, KernelWork, cudaMemcpy3DParms, cudaMemsetParams,
                          cudaHostNodeParams, ChildWork, RecordWork, WaitWork, AllocWork, FreeWork,
                          CallWork>;

cudaGraphNodeType type_of(const Work& work);
/// Does the work, in the stream.
cudaError_t run(Runtime& runtime, const Work& work, cudaStream_t stream);
/// The copy of `bytes` on end.
cudaMemcpy3DParms linear_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

}  // namespace warpmem::program::cuda

struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  warpmem::program::cuda::Work work;
  std::vector<CUgraphNode_st*> after;        ///< nodes that it depends on
  const CUgraphNode_st* original = nullptr;  ///< of a copied graph: what it is a copy of
  bool enabled = true;                       ///< otherwise it does nothing
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  ///< in the order of their making

  /// Its executable graph, of which there is one at a time when nodes allocate or free.
  std::weak_ptr<const void> executable;

  CUgraph_st() = default;
  CUgraph_st(const CUgraph_st& other);
  CUgraph_st& operator=(const CUgraph_st&) = delete;
  CUgraphNode_st* add(warpmem::program::cuda::Work work, std::vector<CUgraphNode_st*> after);
  std::size_t index_of(const CUgraphNode_st* node) const;
  /// Returns the nodes, each behind those that it depends on, otherwise in the order of their
  /// making; fewer than there are when some wait for each other.
  std::vector<const CUgraphNode_st*> order() const;
};
