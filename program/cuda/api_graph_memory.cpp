// SPDX-License-Identifier: Apache-2.0
// Memory of graphs: nodes that allocate and free it, and what the device says of it.
#include "program/cuda/api.hpp"
#include "program/cuda/graph_handles.hpp"

namespace {

using namespace warpmem::program::cuda;

/// Returns where the value of an attribute is, or nullptr. Nothing is kept once it is freed, so
/// that what is reserved is what is in use.
std::uint64_t* value_of(cudaGraphMemAttributeType attribute) {
  GraphMemoryUse& use = graph_memory_use();
  switch (attribute) {
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
      return &use.now;
    case cudaGraphMemAttrUsedMemHigh:
      return &use.most_used;
    case cudaGraphMemAttrReservedMemHigh:
      return &use.most_reserved;
  }
  return nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* parameters) {
  return api_beside_kernels([&](Runtime&) {
    if (parameters == nullptr || !is_known(node)) return cudaErrorInvalidValue;
    const auto* const work = std::get_if<AllocWork>(&node->work);
    if (work == nullptr) return cudaErrorInvalidValue;
    *parameters = work->memory->parameters();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  return api_beside_kernels([&](Runtime&) {
    if (pointer == nullptr || !is_known(node)) return cudaErrorInvalidValue;
    const auto* const work = std::get_if<FreeWork>(&node->work);
    if (work == nullptr) return cudaErrorInvalidValue;
    *static_cast<void**>(pointer) = work->pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api([&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    const std::uint64_t* const from = value_of(attribute);
    if (from == nullptr || value == nullptr) return cudaErrorInvalidValue;
    *static_cast<std::uint64_t*>(value) = *from;
    return cudaSuccess;
  });
}

// A high-water mark can be set to 0: it begins again with what is in use.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  return api([&](Runtime&) {
    if (device != 0) return cudaErrorInvalidDevice;
    std::uint64_t* const mark = value_of(attribute);
    if (mark == nullptr || mark == &graph_memory_use().now || value == nullptr ||
        *static_cast<const std::uint64_t*>(value) != 0)
      return cudaErrorInvalidValue;
    *mark = graph_memory_use().now;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

}  // extern "C"
