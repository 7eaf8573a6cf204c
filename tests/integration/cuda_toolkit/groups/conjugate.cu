// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients in one cooperative kernel, as the samples have it: sums over the grid between
// barriers. The matrix is the second difference, so the solution is known.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ void add_to(double* sum, double value, const cg::thread_block& block) {
  const auto warp = cg::tiled_partition<32>(block);
  value = cg::reduce(warp, value, cg::plus<double>());
  if (warp.thread_rank() == 0) atomicAdd(sum, value);
}

__global__ void solve(int n, const double* b, double* x, double* r, double* p, double* sums,
                      int steps) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const int i = static_cast<int>(grid.thread_rank());
  x[i] = 0;
  r[i] = p[i] = b[i];
  add_to(&sums[0], r[i] * r[i], block);
  for (int step = 0; step < steps; ++step) {
    grid.sync();
    const double old = sums[2 * step];
    if (old < 1e-20) break;
    const double q = 2 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
    add_to(&sums[2 * step + 1], p[i] * q, block);
    grid.sync();
    const double alpha = old / sums[2 * step + 1];
    x[i] += alpha * p[i];
    r[i] -= alpha * q;
    add_to(&sums[2 * step + 2], r[i] * r[i], block);
    grid.sync();
    p[i] = r[i] + sums[2 * step + 2] / old * p[i];
  }
}

int main() {
  int n = 256, steps = 300;
  std::vector<double> b(n), x(n);
  for (int i = 0; i < n; ++i) {
    const auto solution = [&](int k) { return k < 0 || k >= n ? 0.0 : std::sin(0.1 * k); };
    b[i] = 2 * solution(i) - solution(i - 1) - solution(i + 1);
  }
  double* device[5];
  for (double*& place : device) {
    cudaMalloc(&place, 1024 * sizeof(double));
    cudaMemset(place, 0, 1024 * sizeof(double));
  }
  cudaMemcpy(device[0], b.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  void* arguments[] = {&n, &device[0], &device[1], &device[2], &device[3], &device[4], &steps};
  if (cudaLaunchCooperativeKernel((void*)solve, 4, n / 4, arguments) != cudaSuccess) return 2;
  cudaMemcpy(x.data(), device[1], n * sizeof(double), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(x[i] - std::sin(0.1 * i)));
  std::puts(worst < 1e-6 ? "PASS" : "FAIL");
  return worst < 1e-6 ? 0 : 1;
}
