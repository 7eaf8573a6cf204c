// SPDX-License-Identifier: Apache-2.0
// Streams: copies of pinned memory and kernels in slices, events between streams and to measure,
// priorities, functions of the host, queries.
#include <vector>

#include "check.h"

__global__ void scale(float* data, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= by;
}
static void CUDART_CB count(void* data) { ++*static_cast<int*>(data); }
static void CUDART_CB called(cudaStream_t, cudaError_t status, void* data) {
  if (status == cudaSuccess) *static_cast<int*>(data) += 10;
}

int main() {
  const int n = 4096, streams = 4, slice = n / streams;
  float *host, *device;
  OK(cudaMallocHost(reinterpret_cast<void**>(&host), n * sizeof(float)));
  OK(cudaMalloc(&device, n * sizeof(float)));
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  std::vector<cudaStream_t> stream(streams);
  for (int s = 0; s < streams; ++s)
    OK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
  cudaEvent_t begin, end, ready;
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  OK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  OK(cudaEventRecord(begin));
  int calls = 0;
  for (int s = 0; s < streams; ++s) {
    float* const part = device + s * slice;
    OK(cudaMemcpyAsync(part, host + s * slice, slice * sizeof(float), cudaMemcpyHostToDevice,
                       stream[s]));
    scale<<<slice / 128, 128, 0, stream[s]>>>(part, slice, 2.0f);
    OK(cudaMemcpyAsync(host + s * slice, part, slice * sizeof(float), cudaMemcpyDeviceToHost,
                       stream[s]));
    OK(cudaLaunchHostFunc(stream[s], count, &calls));
  }
  OK(cudaStreamAddCallback(stream[0], called, &calls, 0));
  OK(cudaEventRecord(ready, stream[0]));
  OK(cudaStreamWaitEvent(stream[1], ready, 0));
  scale<<<slice / 128, 128, 0, stream[1]>>>(device, slice, 3.0f);  // the slice of stream 0
  for (cudaStream_t s : stream) OK(cudaStreamSynchronize(s));
  OK(cudaEventRecord(end));
  OK(cudaEventSynchronize(end));
  OK(cudaEventQuery(end));
  OK(cudaStreamQuery(stream[2]));
  float milliseconds = -1;
  OK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 0);
  CHECK(calls == streams + 10);
  for (int i = 0; i < n; ++i) CHECK(host[i] == 2.0f * i);
  OK(cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDefault));
  for (int i = 0; i < n; ++i) CHECK(host[i] == (i < slice ? 6.0f : 2.0f) * i);
  int least, greatest;
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t first;
  OK(cudaStreamCreateWithPriority(&first, cudaStreamDefault, greatest));
  OK(cudaStreamDestroy(first));
  for (cudaStream_t s : stream) OK(cudaStreamDestroy(s));
  OK(cudaEventDestroy(ready));
  OK(cudaFreeHost(host));
  return finish();
}
