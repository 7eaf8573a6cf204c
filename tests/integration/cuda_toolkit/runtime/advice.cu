// SPDX-License-Identifier: Apache-2.0
// Advice on managed memory is given back, where all of a range has it.
#include <cuda_runtime.h>

#include "check.h"

int main() {
  const size_t half = 1 << 16;
  char *p;
  int value, devices[3];
  OK(cudaMallocManaged(&p, 2 * half));
  const auto ask = [&](cudaMemRangeAttribute what, size_t from, size_t bytes) {
    OK(cudaMemRangeGetAttribute(&value, sizeof value, what, p + from, bytes));
    return value;
  };
  CHECK(ask(cudaMemRangeAttributePreferredLocation, 0, half) == cudaInvalidDeviceId);
  OK(cudaMemAdvise(p, half, cudaMemAdviseSetPreferredLocation, 0));
  OK(cudaMemAdvise(p + half, half, cudaMemAdviseSetReadMostly, 0));
  OK(cudaMemAdvise(p, 2 * half, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
  OK(cudaMemPrefetchAsync(p, half, 0));
  CHECK(ask(cudaMemRangeAttributePreferredLocation, 0, half) == 0);
  CHECK(ask(cudaMemRangeAttributePreferredLocation, 100, 2 * half - 100) == cudaInvalidDeviceId);
  CHECK(ask(cudaMemRangeAttributeReadMostly, half, half) == 1);
  CHECK(ask(cudaMemRangeAttributeReadMostly, 0, 2 * half) == 0);
  CHECK(ask(cudaMemRangeAttributeLastPrefetchLocation, 10, 10) == 0);
  OK(cudaMemRangeGetAttribute(devices, sizeof devices, cudaMemRangeAttributeAccessedBy, p, half));
  CHECK(devices[0] == cudaCpuDeviceId && devices[1] == cudaInvalidDeviceId);
  CHECK(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, p, half) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemAdvise(p, half, static_cast<cudaMemoryAdvise>(7), 0) == cudaErrorInvalidValue);
  cudaGetLastError();
  OK(cudaMemAdvise(p, half, cudaMemAdviseUnsetPreferredLocation, 0));
  CHECK(ask(cudaMemRangeAttributePreferredLocation, 0, half) == cudaInvalidDeviceId);
  OK(cudaFree(p));
  return finish();
}
