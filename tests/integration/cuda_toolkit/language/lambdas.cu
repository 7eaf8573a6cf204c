// SPDX-License-Identifier: Apache-2.0
// Lambdas of the host's code that run on the device, functors, and constexpr functions in kernels.
#include <algorithm>
#include <vector>

#include "check.h"

constexpr int square(int v) { return v * v; }

template <class F>
__global__ void for_each(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}
template <class F>
static void launch(int n, F f) {
  for_each<<<4, 64>>>(n, f);
}

template <int kShift>
struct Shifted {
  int* data;
  __device__ void operator()(int i) const { data[i] += square(kShift); }
};

int main() {
  const int n = 1000;
  int* data;
  OK(cudaMalloc(&data, n * sizeof(int)));
  int factor = 3;
  launch(n, [=] __device__(int i) { data[i] = factor * i; });
  launch(n, Shifted<5>{data});
  const auto inner = [] __host__ __device__(int v) { return v % 2 == 0; };
  launch(n, [=] __device__(int i) {
    if (inner(i)) data[i] = std::max(data[i], 100);
  });
  std::vector<int> host(n);
  OK(cudaMemcpy(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    int expected = 3 * i + 25;
    if (inner(i)) expected = std::max(expected, 100);
    CHECK(host[i] == expected);
  }
  return finish();
}
