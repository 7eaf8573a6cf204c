// SPDX-License-Identifier: Apache-2.0
// fdtd2d [n = 256] [m = n] [steps = 5]: finite differences of an electromagnetic field in time on
// an n x m grid, three launches a step.
//
// Stands for: FDTD-2D of PolyBench/GPU.
// Memory: coalesced streams over three fields, each read and written once a launch; little reuse
// within a launch (primary misses), much between launches.
// In the papers: GU, MR (docs/references.md).
// Measured (448 448 5): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void update_ey(float* ey, const float* hz, const float* source, int n, int m, int t) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  if (i == 0)
    ey[j] = source[t];
  else
    ey[i * m + j] -= 0.5f * (hz[i * m + j] - hz[(i - 1) * m + j]);
}

__global__ void update_ex(float* ex, const float* hz, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j >= 1 && j < m) ex[i * m + j] -= 0.5f * (hz[i * m + j] - hz[i * m + j - 1]);
}

__global__ void update_hz(float* hz, const float* ex, const float* ey, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n - 1 || j >= m - 1) return;
  hz[i * m + j] -= 0.7f * (ex[i * m + j + 1] - ex[i * m + j] + ey[(i + 1) * m + j] - ey[i * m + j]);
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 256, 2, 16384);
  const int m = workload::size_argument(argc, argv, 2, n, 2, 16384);
  const int steps = workload::size_argument(argc, argv, 3, 5, 1, 1000);
  workload::no_more_arguments(argc, argv, 3);
  const std::size_t size = std::size_t(n) * m;
  const auto ex0 = workload::random_floats(size, 1), ey0 = workload::random_floats(size, 2);
  const auto hz0 = workload::random_floats(size, 3), source = workload::random_floats(steps, 4);
  const workload::DeviceArray<float> dex(ex0), dey(ey0), dhz(hz0), dsource(source);

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(m, block.x), workload::blocks_for(n, block.y));
  for (int t = 0; t < steps; ++t) {
    update_ey<<<grid, block>>>(dey, dhz, dsource, n, m, t);
    update_ex<<<grid, block>>>(dex, dhz, n, m);
    update_hz<<<grid, block>>>(dhz, dex, dey, n, m);
  }
  workload::finish_kernels();

  std::vector<double> ex(ex0.begin(), ex0.end()), ey(ey0.begin(), ey0.end());
  std::vector<double> hz(hz0.begin(), hz0.end());
  const auto at = [m](int i, int j) { return std::size_t(i) * m + j; };
  for (int t = 0; t < steps; ++t) {
    for (int j = 0; j < m; ++j) ey[j] = source[t];
    for (int i = 1; i < n; ++i)
      for (int j = 0; j < m; ++j) ey[at(i, j)] -= 0.5 * (hz[at(i, j)] - hz[at(i - 1, j)]);
    for (int i = 0; i < n; ++i)
      for (int j = 1; j < m; ++j) ex[at(i, j)] -= 0.5 * (hz[at(i, j)] - hz[at(i, j - 1)]);
    for (int i = 0; i < n - 1; ++i)
      for (int j = 0; j < m - 1; ++j)
        hz[at(i, j)] -= 0.7 * (ex[at(i, j + 1)] - ex[at(i, j)] + ey[at(i + 1, j)] - ey[at(i, j)]);
  }
  workload::Verdict verdict;
  verdict.close("ex", dex.download(), ex, 1e-4);
  verdict.close("ey", dey.download(), ey, 1e-4);
  verdict.close("hz", dhz.download(), hz, 1e-4);
  return verdict.done();
}
