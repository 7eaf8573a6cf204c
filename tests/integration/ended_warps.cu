// SPDX-License-Identifier: Apache-2.0
// Seven warps each bring a line, load it once more for nobody, and end. The eighth then only
// misses.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kWarps = 8, kRounds = 200;
constexpr int kLine = 32;  // words
constexpr int kMissed = kWarps * kLine;

__global__ void end_early(const unsigned* in, unsigned* out) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  if (warp != 0) {
    const unsigned* const word = in + warp * kLine + lane;
    if (*word != 0) out[threadIdx.x] = 1;  // never; but it waits for the line
    unsigned nobody_asks;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(nobody_asks) : "l"(word));
    return;
  }
  unsigned sum = 0;
  for (int i = 0; i < kRounds; ++i) sum += in[kMissed + (i * 32 + lane) * kLine];
  out[lane] = sum;
}

int main() {
  unsigned *in, *out;
  const size_t bytes = (kMissed + size_t(kRounds) * 32 * kLine) * sizeof(unsigned);
  if (cudaMalloc(&in, bytes) != cudaSuccess) return 1;
  if (cudaMalloc(&out, kWarps * 32 * sizeof(unsigned)) != cudaSuccess) return 1;
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 1, kWarps * 32 * sizeof(unsigned));
  end_early<<<1, kWarps * 32>>>(in, out);
  unsigned result[32];
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  bool right = true;
  for (const unsigned sum : result) right = right && sum == 0;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
