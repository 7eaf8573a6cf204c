// SPDX-License-Identifier: Apache-2.0
// C++03 and its habits: a macro between literals, > > of templates, options for the host alone.
#include <stdio.h>

#include <vector>

#define SEPARATOR "-"
static const char kText[] = "a" SEPARATOR "b";

#ifndef ON_BOTH
#error "-Xcompiler is for the preprocessor of both parts"
#endif

template <typename T>
struct Pair {
  T first, second;
};

__global__ void sum(const Pair<Pair<int>>* in, int* out) {
  const Pair<Pair<int>> v = in[threadIdx.x];
  out[threadIdx.x] = v.first.first + v.first.second + v.second.first + v.second.second;
}

int main() {
  std::vector<Pair<Pair<int>>> in(32);
  for (int i = 0; i < 32; ++i) in[i].first.first = in[i].second.second = i;
  Pair<Pair<int>>* device_in;
  int *device_out, out[32];
  cudaMalloc(&device_in, 32 * sizeof in[0]);
  cudaMalloc(&device_out, sizeof out);
  cudaMemcpy(device_in, &in[0], 32 * sizeof in[0], cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(device_in, device_out);
  cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
  bool good = sizeof kText == 4;
#ifndef ON_HOST
  good = false;
#endif
  for (int i = 0; i < 32; ++i) good = good && out[i] == 2 * i;
  puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
