// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include <cstdio>
#include <vector>

#include "launchers.h"

int main() {
  const int n = 3000;
  std::vector<unsigned> keys(n), bins(BINS), starts(BINS);
  for (int i = 0; i < n; ++i) keys[i] = i * 2654435761u >> 7;
  void *d_keys, *d_bins, *d_starts;
  if (cudaMalloc(&d_keys, n * sizeof(unsigned)) != cudaSuccess) return 2;
  cudaMalloc(&d_bins, BINS * sizeof(unsigned));
  cudaMalloc(&d_starts, BINS * sizeof(unsigned));
  cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  launch_bins(static_cast<unsigned *>(d_keys), n, static_cast<unsigned *>(d_bins));
  launch_prefix(static_cast<unsigned *>(d_bins), static_cast<unsigned *>(d_starts));
  if (cudaGetLastError() != cudaSuccess) return 2;
  cudaMemcpy(starts.data(), d_starts, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (unsigned key : keys) ++bins[key % BINS];
  unsigned sum = 0, wrong = 0;
  for (int i = 0; i < BINS; sum += bins[i++]) wrong += starts[i] != sum;
  std::printf("%s\n", wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
