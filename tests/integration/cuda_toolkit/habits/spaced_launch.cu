// SPDX-License-Identifier: Apache-2.0
// Launches as people write them: brackets apart, over several lines, out of macros, of templates
// with several arguments, with a stream, and shifts that are none.
#include <stdio.h>

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

__global__ void put(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
template <int A, typename T, bool kAdd>
__global__ void change(T* out) {
  T& v = out[blockIdx.x * blockDim.x + threadIdx.x];
  v = kAdd ? v + A : v << 2 >> 1;
}

// clang-format off
static void run(int* out, cudaStream_t stream) {
  dim3 g(2), b(32);
  put << <g, b>> >(out, 1 << 3);
  change<3, int, true>  <<< g, b >>>  (out);
  change
    <(1 << 2), int, true>
    <<<
      g,
      dim3(b.x, 1),
      0,
      stream
    >>>(
      out
    );
  change<0, int, false> << < dim3(64 >> 5), 32, 0, stream >> > (out);
  LAUNCH((change<5, int, true>), g, b, out);
}
// clang-format on

int main() {
  int *out, host[64];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc((void**)&out, sizeof host);
  run(out, stream);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 64; ++i) good = good && host[i] == (8 + 3 + 4) * 2 + 5;
  puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
