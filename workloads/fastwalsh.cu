// SPDX-License-Identifier: Apache-2.0
// fastwalsh [log2n = 17]: the fast Walsh-Hadamard transform: radix-4 steps in global memory, then
// the last 2^10 elements in shared memory.
//
// Stands for: fastWalshTransform of the CUDA SDK samples.
// Memory: each wide step streams the array four lines a warp far apart (coalesced, no reuse within
// a launch); then shared memory.
// In the papers: DL, KI (docs/references.md).
// Measured (20): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kLog2Shared = 10;

__global__ void walsh_global(float* data, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = t & (stride - 1), i = ((t - low) << 2) + low;
  const float a = data[i], b = data[i + stride], c = data[i + 2 * stride], d = data[i + 3 * stride];
  const float ac = a + c, a_c = a - c, bd = b + d, b_d = b - d;
  data[i] = ac + bd;
  data[i + stride] = ac - bd;
  data[i + 2 * stride] = a_c + b_d;
  data[i + 3 * stride] = a_c - b_d;
}

__global__ void walsh_shared(float* data, int log2n) {
  __shared__ float s[1 << kLog2Shared];
  const int n = 1 << log2n, base = blockIdx.x << log2n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = data[base + i];
  for (int stride = n / 2; stride > 0; stride /= 2) {
    __syncthreads();
    for (int t = threadIdx.x; t < n / 2; t += blockDim.x) {
      const int low = t & (stride - 1), i = 2 * t - low;
      const float a = s[i], b = s[i + stride];
      s[i] = a + b;
      s[i + stride] = a - b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[base + i] = s[i];
}

int main(int argc, char** argv) {
  const int log2n = workload::size_argument(argc, argv, 1, 17, 2, 26);
  workload::no_more_arguments(argc, argv, 1);
  const std::size_t n = std::size_t(1) << log2n;
  const auto input = workload::random_floats(n, 1, -1, 1);
  const workload::DeviceArray<float> data(input);

  int left = log2n;
  for (; left > kLog2Shared; left -= 2) {
    const int block = 256;
    walsh_global<<<static_cast<unsigned>(n / 4 / block), block>>>(data, 1 << (left - 2));
  }
  walsh_shared<<<static_cast<unsigned>(n >> left), 256>>>(data, left);
  workload::finish_kernels();

  std::vector<double> expected(input.begin(), input.end());
  for (std::size_t stride = n / 2; stride > 0; stride /= 2)
    for (std::size_t i = 0; i < n; ++i)
      if ((i & stride) == 0) {
        const double a = expected[i], b = expected[i + stride];
        expected[i] = a + b;
        expected[i + stride] = a - b;
      }
  workload::Verdict verdict;
  verdict.close("transform", data.download(), expected, 1e-5, std::sqrt(double(n)));
  return verdict.done();
}
