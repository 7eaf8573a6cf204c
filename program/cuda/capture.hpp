// SPDX-License-Identifier: Apache-2.0
// Captures of streams: their operations become nodes of a graph instead of being done.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "program/cuda/api.hpp"
#include "program/cuda/graph.hpp"

namespace warpmem::program::cuda {

/// This is a stream, and those that joined it, whose operations become nodes.
struct Capture {
  cudaStream_t origin = nullptr;
  unsigned long long id = 0;
  bool invalid = false;
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
  /// By stream: the nodes that its next operation depends on.
  std::map<cudaStream_t, std::vector<CUgraphNode_st*>> tips;

  /// Returns what the call that is captured returns.
  cudaError_t add(cudaStream_t stream, Work work);
};

Capture& begin_capture(cudaStream_t stream);
/// Ends it and returns what was captured.
std::unique_ptr<CUgraph_st> end_capture(Capture& capture);
/// Returns the capture that the stream is part of, or nullptr.
Capture* capture_of(cudaStream_t stream);
/// Returns the capture with that number, or nullptr when it has ended.
Capture* capture_with(unsigned long long id);
/// Each returns an error for what a capture does not allow, which it spoils, else cudaSuccess: to
/// wait for the stream, to wait for all, to use the legacy stream beside a capture that waits for
/// it.
cudaError_t refuse_in_capture(cudaStream_t stream);
cudaError_t refuse_in_any_capture();
cudaError_t refuse_beside_capture(cudaStream_t stream);

/// Does `call` behind what the stream has been given, or makes it a node.
template <class Call>
cudaError_t in_stream(cudaStream_t stream, Call call,
                      cudaGraphNodeType type = cudaGraphNodeTypeMemcpy) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (Capture* const capture = capture_of(stream))
      return capture->add(stream, CallWork{type, call});
    return call();
  });
}

}  // namespace warpmem::program::cuda
