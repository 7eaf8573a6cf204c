// SPDX-License-Identifier: Apache-2.0
// What begins, ends and asks about captures of streams.
#include <algorithm>
#include <unordered_set>

#include "program/cuda/api.hpp"
#include "program/cuda/capture.hpp"

namespace {

using namespace warpmem::program::cuda;

/// Have all streams that joined been waited for by the one that began?
bool joined(const Capture& capture) {
  std::vector<const CUgraphNode_st*> left;
  const auto& own = capture.tips.at(capture.origin);
  left.assign(own.begin(), own.end());
  std::unordered_set<const CUgraphNode_st*> before;
  while (!left.empty()) {
    const CUgraphNode_st* const node = left.back();
    left.pop_back();
    if (before.insert(node).second) left.insert(left.end(), node->after.begin(), node->after.end());
  }
  return std::all_of(capture.graph->nodes.begin(), capture.graph->nodes.end(),
                     [&](const auto& node) { return before.count(node.get()) != 0; });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    if (id_of(stream).handle == nullptr) return cudaErrorStreamCaptureUnsupported;
    if (capture_of(stream) != nullptr) return cudaErrorIllegalState;
    begin_capture(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (graph == nullptr) return cudaErrorInvalidValue;
    *graph = nullptr;
    Capture* const capture = capture_of(stream);
    if (capture == nullptr) return cudaErrorIllegalState;
    if (capture->origin != stream) {
      capture->invalid = true;
      return cudaErrorStreamCaptureUnmatched;
    }
    const cudaError_t error = capture->invalid    ? cudaErrorStreamCaptureInvalidated
                              : !joined(*capture) ? cudaErrorStreamCaptureUnjoined
                                                  : cudaSuccess;
    std::unique_ptr<CUgraph_st> captured = end_capture(*capture);
    if (error == cudaSuccess) give_out(std::move(captured), *graph);
    return error;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
  return api_beside_kernels([&](Runtime&) {
    if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (status == nullptr) return cudaErrorInvalidValue;
    const Capture* const capture = capture_of(stream);
    *status = capture == nullptr ? cudaStreamCaptureStatusNone
              : capture->invalid ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    if (id != nullptr && capture != nullptr) *id = capture->id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr);
}

// What modes tell apart are calls that might wait for a capture; here those are refused in each.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode now = cudaStreamCaptureModeGlobal;
  if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal ||
      *mode > cudaStreamCaptureModeRelaxed)
    return remember(cudaErrorInvalidValue);
  std::swap(now, *mode);
  return cudaSuccess;
}

}  // extern "C"
