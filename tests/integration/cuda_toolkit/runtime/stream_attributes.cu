// SPDX-License-Identifier: Apache-2.0
// Hints of a stream are given back as they were: which lines L2 should keep, how the host waits.
#include "check.h"

__global__ void increment(int* data) { ++data[threadIdx.x]; }

int main() {
  int* data = nullptr;
  OK(cudaMalloc(&data, 32 * sizeof(int)));
  OK(cudaMemset(data, 0, 32 * sizeof(int)));
  cudaStream_t stream, other;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -5));
  int least = 1, greatest = 1, priority = 1;  // the nearest that there is
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  OK(cudaStreamGetPriority(other, &priority));
  CHECK(priority <= least && priority >= greatest);
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = data;
  value.accessPolicyWindow.num_bytes = 32 * sizeof(int);
  value.accessPolicyWindow.hitRatio = 0.6f;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  increment<<<1, 32, 0, stream>>>(data);
  OK(cudaStreamCopyAttributes(other, stream));
  cudaStreamAttrValue got = {};
  OK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &got));
  CHECK(got.accessPolicyWindow.base_ptr == data && got.accessPolicyWindow.hitRatio == 0.6f);
  CHECK(got.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
  OK(cudaStreamGetAttribute(other, cudaStreamAttributeSynchronizationPolicy, &got));
  CHECK(got.syncPolicy == cudaSyncPolicyAuto);
  OK(cudaCtxResetPersistingL2Cache());
  OK(cudaStreamSynchronize(stream));
  int first = 0;
  OK(cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost));
  CHECK(first == 1);
  OK(cudaStreamDestroy(stream));
  EXPECT(cudaErrorInvalidResourceHandle,
         cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  cudaGetLastError();
  OK(cudaStreamDestroy(other));
  return finish();
}
