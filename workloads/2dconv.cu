// SPDX-License-Identifier: Apache-2.0
// 2dconv [n = 1024] [m = n]: a 3 x 3 convolution of an n x m image; the border stays zero.
//
// Stands for: 2DCONV of PolyBench/GPU.
// Memory: nine coalesced loads a thread that overlap with those of the neighbours; short reuse, one
// store; primary-miss-predominant streaming.
// In the papers: GU, MR, BU (docs/references.md).
// Measured (1664): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

__constant__ float kernel_weights[9];
static const float kWeights[9] = {0.2f, -0.3f, 0.4f, -0.5f, 0.6f, -0.7f, -0.8f, -0.9f, 0.1f};

__global__ void convolve(const float* in, float* out, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= n - 1 || j >= m - 1) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += kernel_weights[(dy + 1) * 3 + dx + 1] * in[(i + dy) * m + j + dx];
  out[i * m + j] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1024, 1, 32768);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 32768);
  workload::no_more_arguments(argc, argv, 2);
  const auto in = workload::random_floats(std::size_t(n) * m, 1);
  workload::DeviceArray<float> din(in), dout(in.size());
  dout.zero();
  CHECK_CUDA(cudaMemcpyToSymbol(kernel_weights, kWeights, sizeof kWeights));

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(m, block.x), workload::blocks_for(n, block.y));
  convolve<<<grid, block>>>(din, dout, n, m);
  workload::finish_kernels();

  std::vector<double> expected(in.size());
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < m - 1; ++j)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          expected[std::size_t(i) * m + j] +=
              double(kWeights[(dy + 1) * 3 + dx + 1]) * in[std::size_t(i + dy) * m + j + dx];
  workload::Verdict verdict;
  verdict.close("out", dout.download(), expected, 1e-5);
  return verdict.done();
}
