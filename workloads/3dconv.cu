// SPDX-License-Identifier: Apache-2.0
// 3dconv [n = 64]: an 11-point convolution of an n x n x n volume; the border stays zero. A launch
// a plane, as the benchmark has it.
//
// Stands for: 3DCONV of PolyBench/GPU.
// Memory: coalesced loads of three planes; the planes are reused by the next launches through L2.
// In the papers: GU, MR (docs/references.md).
// Measured (112): coherent, primary-miss-predominant (no fails), type 0.
#include "common/check.hpp"

struct Tap {
  int z, y, x;
  float weight;
};
__constant__ Tap taps[11];
static const Tap kTaps[11] = {{-1, -1, -1, 2.0f}, {-1, -1, 1, 4.0f}, {-1, 0, 0, -1.0f},
                              {-1, 1, -1, 5.0f},  {-1, 1, 1, 0.5f},  {0, -1, 0, -3.0f},
                              {0, 0, 0, 6.0f},    {0, 1, 0, -2.0f},  {1, -1, -1, 1.5f},
                              {1, 0, 0, 0.25f},   {1, 1, 1, -4.0f}};

__global__ void convolve_plane(const float* in, float* out, int n, int z) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float sum = 0.0f;
  for (int t = 0; t < 11; ++t)
    sum += taps[t].weight * in[((z + taps[t].z) * n + y + taps[t].y) * n + x + taps[t].x];
  out[(z * n + y) * n + x] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 64, 1, 1024);
  workload::no_more_arguments(argc, argv, 1);
  const auto in = workload::random_floats(std::size_t(n) * n * n, 1);
  workload::DeviceArray<float> din(in), dout(in.size());
  dout.zero();
  CHECK_CUDA(cudaMemcpyToSymbol(taps, kTaps, sizeof kTaps));

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(n, block.x), workload::blocks_for(n, block.y));
  for (int z = 1; z < n - 1; ++z) convolve_plane<<<grid, block>>>(din, dout, n, z);
  workload::finish_kernels();

  std::vector<double> expected(in.size());
  const auto at = [n](int z, int y, int x) { return (std::size_t(z) * n + y) * n + x; };
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
      for (int x = 1; x < n - 1; ++x)
        for (const Tap& t : kTaps)
          expected[at(z, y, x)] += double(t.weight) * in[at(z + t.z, y + t.y, x + t.x)];
  workload::Verdict verdict;
  verdict.close("out", dout.download(), expected, 1e-5);
  return verdict.done();
}
