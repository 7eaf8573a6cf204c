// SPDX-License-Identifier: Apache-2.0
#include "program/cuda/capture.hpp"

#include <algorithm>
#include <utility>

namespace warpmem::program::cuda {
namespace {

// They are never destroyed, since static objects of the program may still ask.
std::vector<std::unique_ptr<Capture>>& captures() {
  static auto* const list = new std::vector<std::unique_ptr<Capture>>;
  return *list;
}

unsigned long long last_id = 0;

}  // namespace

cudaError_t Capture::add(cudaStream_t stream, Work work) {
  if (invalid) return cudaErrorStreamCaptureInvalidated;
  auto& tip = tips[stream];
  tip = {graph->add(std::move(work), tip)};
  return cudaSuccess;
}

Capture* capture_of(cudaStream_t stream) {
  for (const auto& capture : captures())
    if (capture->tips.count(stream) != 0) return capture.get();
  return nullptr;
}

Capture* capture_with(unsigned long long id) {
  for (const auto& capture : captures())
    if (capture->id == id) return capture.get();
  return nullptr;
}

Capture& begin_capture(cudaStream_t stream) {
  captures().push_back(std::make_unique<Capture>());
  Capture& capture = *captures().back();
  capture.origin = stream;
  capture.id = ++last_id;
  capture.tips[stream] = {};
  return capture;
}

std::unique_ptr<CUgraph_st> end_capture(Capture& capture) {
  std::unique_ptr<CUgraph_st> graph = std::move(capture.graph);
  const auto is = [&](const auto& other) { return other.get() == &capture; };
  captures().erase(std::find_if(captures().begin(), captures().end(), is));
  return graph;
}

cudaError_t refuse_in_capture(cudaStream_t stream) {
  Capture* const capture = capture_of(stream);
  if (capture == nullptr) return cudaSuccess;
  capture->invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t refuse_in_any_capture() {
  for (const auto& capture : captures()) capture->invalid = true;
  return captures().empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

cudaError_t refuse_beside_capture(cudaStream_t stream) {
  if (id_of(stream).handle != nullptr) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (const auto& capture : captures())
    for (const auto& [captured, tip] : capture->tips)
      if (id_of(captured).blocking) {
        capture->invalid = true;
        error = cudaErrorStreamCaptureImplicit;
      }
  return error;
}

}  // namespace warpmem::program::cuda
