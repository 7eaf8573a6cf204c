// SPDX-License-Identifier: Apache-2.0
// Streams and events of the driver API, which are those of the runtime.
#include "program/cuda/driver.hpp"

using warpmem::program::cuda::in_context;

extern "C" {

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return in_context([&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return in_context([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return in_context([&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return in_context([&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return in_context([&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return in_context([&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return in_context([&] { return cudaLaunchHostFunc(stream, function, data); });
}

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return in_context([&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return in_context([&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return in_context([&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventSynchronize(CUevent event) {
  return in_context([&] { return cudaEventSynchronize(event); });
}
CUresult cuEventQuery(CUevent event) {
  return in_context([&] { return cudaEventQuery(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return in_context([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

}  // extern "C"
