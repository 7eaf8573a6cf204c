// SPDX-License-Identifier: Apache-2.0
// A program whose host side is parallel, by OpenMP and by threads, and which is called with options
// for the host's compiler in each of their spellings.
#include <omp.h>

#include <cstdio>
#include <thread>
#include <vector>

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

int main() {
  std::vector<int> all(4 * 64);
#pragma omp parallel for
  for (int i = 0; i < static_cast<int>(all.size()); ++i) all[i] = i;
  bool good = omp_get_max_threads() >= 1 && omp_get_wtime() > 0;
#if !defined(FROM_XCOMPILER) || FROM_OPTIONS != 3
  good = false;
#endif
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      int* device;
      int* const mine = all.data() + t * 64;
      cudaMalloc(&device, 64 * sizeof(int));
      cudaMemcpy(device, mine, 64 * sizeof(int), cudaMemcpyHostToDevice);
      twice<<<1, 64>>>(device);
      cudaMemcpy(mine, device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
      cudaFree(device);
      right[t] = mine[63] == 2 * (t * 64 + 63);
    });
  for (std::thread& t : threads) t.join();
  for (int r : right) good = good && r;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) good = good && all[i] == 2 * i;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
