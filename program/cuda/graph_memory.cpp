// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/graph_memory.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "program/cuda/api.hpp"
#include "program/cuda/graph.hpp"

namespace warpmem::program::cuda {
namespace {

struct Books {
  std::unordered_set<std::uint64_t> nodes;        ///< addresses of nodes
  std::map<std::uint64_t, std::uint64_t> in_use;  ///< bytes by address
  GraphMemoryUse use;
};
// They are never destroyed, since static objects of the program may still free.
Books& books() {
  static auto* const the_books = new Books;
  return *the_books;
}

bool is_device(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice;
}

/// Has a node that has not been destroyed, or a launch, allocated at `pointer`?
bool is_graph_memory(const void* pointer) {
  const Addr address = address_of(pointer);
  return books().nodes.count(address) != 0 || books().in_use.count(address) != 0;
}

bool frees(const CUgraph_st& graph, const void* pointer) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [pointer](const auto& node) {
    const auto* const work = std::get_if<FreeWork>(&node->work);
    return work != nullptr && work->pointer == pointer;
  });
}

}  // namespace

GraphMemoryUse& graph_memory_use() { return books().use; }

GraphMemory::~GraphMemory() {
  books().nodes.erase(address_);
  Runtime::instance().memory().unreserve(address_);
}

cudaError_t reserve(Runtime& runtime, cudaMemAllocNodeParams& p, AllocWork& work) {
  p.dptr = nullptr;
  if (p.bytesize == 0 || p.poolProps.allocType != cudaMemAllocationTypePinned ||
      !is_device(p.poolProps.location) || (p.accessDescCount != 0 && p.accessDescs == nullptr))
    return cudaErrorInvalidValue;
  if (p.poolProps.handleTypes != cudaMemHandleTypeNone)
    return not_supported("cudaGraphAddMemAllocNode with a handle type");
  if (p.poolProps.location.id != 0) return cudaErrorInvalidDevice;
  for (std::size_t i = 0; i < p.accessDescCount; ++i) {
    const cudaMemAccessDesc& access = p.accessDescs[i];
    if (!is_device(access.location) || access.flags != cudaMemAccessFlagsProtReadWrite)
      return cudaErrorInvalidValue;
    if (access.location.id != 0) return cudaErrorInvalidDevice;
  }
  runtime.device();
  const Addr address = runtime.memory().reserve(p.bytesize);
  if (address == 0) return cudaErrorMemoryAllocation;
  p.dptr = pointer_to(address);
  cudaMemAllocNodeParams kept = p;
  kept.accessDescs = nullptr;  // they say what is so anyway
  kept.accessDescCount = 0;
  work.memory = std::make_shared<const GraphMemory>(address, kept);
  books().nodes.insert(address);
  return cudaSuccess;
}

cudaError_t run(Runtime& runtime, const AllocWork& work) {
  const Addr address = work.memory->address();
  const std::uint64_t bytes = work.memory->parameters().bytesize;
  // Kernels launched before may yet have to fault where this will be.
  runtime.run_launched();
  if (runtime.fault() != cudaSuccess) return runtime.fault();
  if (runtime.memory().find(address, 1) != nullptr) return cudaErrorInvalidValue;
  if (!runtime.allocate_reserved(address)) return cudaErrorMemoryAllocation;
  Books& b = books();
  b.in_use[address] = bytes;
  b.use.now += bytes;
  b.use.most_used = std::max(b.use.most_used, b.use.now);
  b.use.most_reserved = std::max(b.use.most_reserved, b.use.now);
  return cudaSuccess;
}

cudaError_t run(Runtime&, const FreeWork& work) {
  return books().in_use.count(address_of(work.pointer)) != 0 ? cudaFree(work.pointer)
                                                             : cudaErrorInvalidValue;
}

void returned_to_graphs(const void* pointer) {
  Books& b = books();
  const auto found = b.in_use.find(address_of(pointer));
  if (found == b.in_use.end()) return;
  b.use.now -= found->second;
  b.in_use.erase(found);
}

bool has_memory_nodes(const CUgraph_st& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    return std::holds_alternative<AllocWork>(node->work) ||
           std::holds_alternative<FreeWork>(node->work);
  });
}

cudaError_t make_free(const CUgraph_st& graph, void* pointer, FreeWork& work) {
  if (!is_graph_memory(pointer) || frees(graph, pointer)) return cudaErrorInvalidValue;
  work.pointer = pointer;
  return cudaSuccess;
}

bool still_has_memory(const CUgraph_st& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    const auto* const work = std::get_if<AllocWork>(&node->work);
    return work != nullptr && books().in_use.count(work->memory->address()) != 0;
  });
}

cudaError_t free_before_launch(Runtime& runtime, const CUgraph_st& graph) {
  for (const auto& node : graph.nodes) {
    const auto* const work = std::get_if<AllocWork>(&node->work);
    if (work == nullptr || books().in_use.count(work->memory->address()) == 0) continue;
    const cudaError_t error = run(runtime, FreeWork{pointer_to(work->memory->address())});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace warpmem::program::cuda
