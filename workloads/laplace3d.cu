// SPDX-License-Identifier: Apache-2.0
// laplace3d [n = 48] [m = n] [depth = n] [steps = 2]: Jacobi iterations of the Laplace equation on
// an n x m x depth grid with fixed borders; a thread walks a column of cells in z.
//
// Stands for: LPS (3-D Laplace solver) of the GPGPU-Sim benchmarks.
// Memory: a block stages each plane in shared memory. Its first threads load the halo, so that a
// warp loads what lies beside another warp's cells: with rows that are no whole lines (n = 100),
// hits between warps; with n a multiple of 32, every line is loaded about once (primary misses).
// In the papers: KI (docs/references.md).
// Measured (128): un-coalesced, primary-miss-predominant, type 0.
#include <utility>

#include "common/check.hpp"

constexpr int kX = 32, kY = 4;

__global__ void laplace(const float* in, float* out, int n, int m, int depth) {
  __shared__ float plane[kY + 2][kX + 2];
  const int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const bool here = x < n && y < m;
  const bool inner = x > 0 && x < n - 1 && y > 0 && y < m - 1;
  // Cell `ring` of the block's border is this thread's: above, below, left, right, in turn.
  const int thread = threadIdx.y * kX + threadIdx.x;
  const int ring = thread < 2 * (kX + kY) ? thread : -1;
  const int side = (ring - 2 * kX) / kY;
  const int ring_x = ring < 2 * kX ? 1 + ring % kX : side * (kX + 1);
  const int ring_y = ring < 2 * kX ? ring / kX * (kY + 1) : 1 + (ring - 2 * kX) % kY;
  const int halo_x = blockIdx.x * kX + ring_x - 1, halo_y = blockIdx.y * kY + ring_y - 1;
  const bool on_grid = halo_x >= 0 && halo_x < n && halo_y >= 0 && halo_y < m;
  const int halo = halo_y * n + halo_x;
  float below = 0.0f, now = here ? in[y * n + x] : 0.0f;
  for (int z = 0; z < depth; ++z) {
    const int at = (z * m + y) * n + x;
    const float above = here && z + 1 < depth ? in[at + n * m] : 0.0f;
    plane[ty][tx] = now;
    if (ring >= 0 && on_grid) plane[ring_y][ring_x] = in[z * m * n + halo];
    __syncthreads();
    if (here)
      out[at] = inner && z > 0 && z < depth - 1
                    ? (1.0f / 6.0f) * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                                       plane[ty + 1][tx] + below + above)
                    : now;
    __syncthreads();
    below = now;
    now = above;
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 48, 3, 1024);
  const int m = workload::size_argument(argc, argv, 2, n, 3, 1024);
  const int depth = workload::size_argument(argc, argv, 3, n, 3, 1024);
  const int steps = workload::size_argument(argc, argv, 4, 2, 1, 1000);
  workload::no_more_arguments(argc, argv, 4);
  const auto start = workload::random_floats(std::size_t(n) * m * depth, 1);
  const workload::DeviceArray<float> a(start), b(start.size());

  const dim3 grid(workload::blocks_for(n, kX), workload::blocks_for(m, kY));
  for (int s = 0; s < steps; ++s)
    laplace<<<grid, dim3(kX, kY)>>>(s % 2 ? b : a, s % 2 ? a : b, n, m, depth);
  workload::finish_kernels();

  std::vector<double> now(start.begin(), start.end()), next(now);
  const auto at = [n, m](int z, int y, int x) { return (std::size_t(z) * m + y) * n + x; };
  for (int s = 0; s < steps; ++s) {
    for (int z = 1; z < depth - 1; ++z)
      for (int y = 1; y < m - 1; ++y)
        for (int x = 1; x < n - 1; ++x)
          next[at(z, y, x)] = (now[at(z + 1, y, x)] + now[at(z - 1, y, x)] + now[at(z, y + 1, x)] +
                               now[at(z, y - 1, x)] + now[at(z, y, x + 1)] + now[at(z, y, x - 1)]) /
                              6;
    std::swap(now, next);
  }
  workload::Verdict verdict;
  verdict.close("grid", steps % 2 ? b.download() : a.download(), now, 1e-5);
  return verdict.done();
}
