// SPDX-License-Identifier: Apache-2.0
// Work of two streams captured into a graph, which is launched many times as iterative solvers do;
// what a capture does not allow.
#include <cuda_runtime.h>

#include <vector>

#include "check.h"

const int kN = 512;

__global__ void step(float* to, const float* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? from[i - 1] : 0, right = i + 1 < n ? from[i + 1] : 0;
  to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
}
__global__ void tick(int* counter) { ++*counter; }

static void on_host(std::vector<float>& field) {
  std::vector<float> next(kN);
  for (int i = 0; i < kN; ++i) {
    const float left = i > 0 ? field[i - 1] : 0, right = i + 1 < kN ? field[i + 1] : 0;
    next[i] = 0.25f * left + 0.5f * field[i] + 0.25f * right;
  }
  field = next;
}

int main() {
  std::vector<float> field(kN), got(kN);
  for (int i = 0; i < kN; ++i) field[i] = i % 13;
  float *a, *b;
  int *counter, counted = 0;
  OK(cudaMalloc(&a, kN * sizeof(float)));
  OK(cudaMalloc(&b, kN * sizeof(float)));
  OK(cudaMalloc(&counter, sizeof(int)));
  OK(cudaMemset(counter, 0, sizeof(int)));
  OK(cudaMemcpy(a, field.data(), kN * sizeof(float), cudaMemcpyHostToDevice));
  cudaStream_t stream, side;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  cudaEvent_t fork, join;
  OK(cudaEventCreate(&fork));
  OK(cudaEventCreate(&join));

  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusNone);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(side, fork, 0));
  step<<<kN / 128, 128, 0, stream>>>(b, a, kN);
  step<<<kN / 128, 128, 0, stream>>>(a, b, kN);
  tick<<<1, 1, 0, side>>>(counter);
  OK(cudaMemcpyAsync(&counted, counter, sizeof(int), cudaMemcpyDeviceToHost, side));
  OK(cudaEventRecord(join, side));
  OK(cudaStreamWaitEvent(stream, join, 0));
  OK(cudaMemcpyAsync(got.data(), a, kN * sizeof(float), cudaMemcpyDeviceToHost, stream));
  OK(cudaStreamIsCapturing(side, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph;
  OK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 5);
  CHECK(counted == 0);  // nothing has run so far

  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 10; ++i) {
    OK(cudaGraphLaunch(exec, stream));
    on_host(field), on_host(field);
  }
  OK(cudaStreamSynchronize(stream));
  CHECK(counted == 10);
  for (int i = 0; i < kN; ++i) CHECK(got[i] == field[i]);
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));

  // To wait for a capture spoils it; a stream that does not come back leaves it unjoined.
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  CHECK(graph == nullptr);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OK(cudaEventRecord(fork, stream));
  EXPECT(cudaErrorCapturedEvent, cudaEventSynchronize(fork));
  OK(cudaStreamWaitEvent(side, fork, 0));
  tick<<<1, 1, 0, side>>>(counter);
  EXPECT(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(side, &graph));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OK(cudaEventRecord(fork, stream));
  OK(cudaStreamWaitEvent(side, fork, 0));
  tick<<<1, 1, 0, side>>>(counter);
  EXPECT(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream, &graph));
  EXPECT(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  EXPECT(cudaErrorStreamCaptureUnsupported,
         cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed));

  // The legacy stream would wait for a blocking stream that is captured.
  cudaStream_t blocking;
  OK(cudaStreamCreate(&blocking));
  OK(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal));
  tick<<<1, 1>>>(counter);
  EXPECT(cudaErrorStreamCaptureImplicit, cudaGetLastError());
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(blocking, &graph));
  OK(cudaMemcpy(&counted, counter, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(counted == 10);
  cudaGetLastError();
  return finish();
}
