// SPDX-License-Identifier: Apache-2.0
// Memory that nodes of graphs allocate and free. Its address is fixed when the node is made, and
// device memory is there from the launch that allocates it to whatever frees it: a node of the same
// or another graph, cudaFreeAsync or cudaFree.
#pragma once

#include <cstdint>
#include <memory>

#include "program/cuda/include/cuda_runtime_api.h"

struct CUgraph_st;

namespace warpmem::program::cuda {

class Runtime;

/// An address that an allocating node holds; its executables and clones of its work share it.
class GraphMemory {
 public:
  /// `address` is reserved; it is given back with the last node that knows it.
  GraphMemory(std::uint64_t address, const cudaMemAllocNodeParams& parameters)
      : address_(address), parameters_(parameters) {}
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  std::uint64_t address() const { return address_; }
  const cudaMemAllocNodeParams& parameters() const { return parameters_; }

 private:
  std::uint64_t address_;
  cudaMemAllocNodeParams parameters_;
};

struct AllocWork {
  std::shared_ptr<const GraphMemory> memory;
};
struct FreeWork {
  void* pointer = nullptr;
};

/// Bytes that graphs have allocated and nothing has freed, and the high-water marks of
/// cudaDeviceGetGraphMemAttribute.
struct GraphMemoryUse {
  std::uint64_t now = 0, most_used = 0, most_reserved = 0;
};
GraphMemoryUse& graph_memory_use();

/// Reserves an address for a node that allocates; the pool of the parameters must be of the device.
cudaError_t reserve(Runtime& runtime, cudaMemAllocNodeParams& parameters, AllocWork& work);
/// A node of the graph for what another node, of any graph, allocates; an error when `pointer` is
/// none of those, or a node of this graph frees it already.
cudaError_t make_free(const CUgraph_st& graph, void* pointer, FreeWork& work);
cudaError_t run(Runtime& runtime, const AllocWork& work);
cudaError_t run(Runtime& runtime, const FreeWork& work);
/// Says that memory has been released, which may be that of a graph.
void returned_to_graphs(const void* pointer);

/// Does the graph allocate or free? No graph within another does.
bool has_memory_nodes(const CUgraph_st& graph);
/// Have its nodes allocated in an earlier launch what nothing has freed?
bool still_has_memory(const CUgraph_st& graph);
/// Frees that.
cudaError_t free_before_launch(Runtime& runtime, const CUgraph_st& graph);

}  // namespace warpmem::program::cuda
