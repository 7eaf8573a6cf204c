// SPDX-License-Identifier: Apache-2.0
// stencil [n = 64] [depth = n] [steps = 2]: a 7-point Jacobi stencil on an n x n x depth grid; each
// thread walks a column of cells in z.
//
// Stands for: STENCIL of Parboil.
// Memory: coalesced loads of three planes, two of them kept in registers; neighbours in x and y hit
// in L1D; streaming otherwise (primary misses).
// In the papers: DL, KI (docs/references.md).
// Measured (112 112 2): coherent, primary-miss-predominant, type 0.
#include <utility>

#include "common/check.hpp"

constexpr float kCentre = 1.0f / 6.0f, kSide = 1.0f / 36.0f;

__global__ void jacobi(const float* in, float* out, int n, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int plane = n * n;
  int at = y * n + x + plane;
  float below = in[at - plane], here = in[at];
  for (int z = 1; z < depth - 1; ++z, at += plane) {
    const float above = in[at + plane];
    out[at] = kSide * (above + below + in[at - n] + in[at + n] + in[at - 1] + in[at + 1]) -
              kCentre * here;
    below = here;
    here = above;
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 64, 3, 1024);
  const int depth = workload::size_argument(argc, argv, 2, n, 3, 1024);
  const int steps = workload::size_argument(argc, argv, 3, 2, 1, 1000);
  workload::no_more_arguments(argc, argv, 3);
  const auto start = workload::random_floats(std::size_t(n) * n * depth, 1);
  const workload::DeviceArray<float> a(start), b(start);

  const dim3 block(32, 4);
  const dim3 grid(workload::blocks_for(n, block.x), workload::blocks_for(n, block.y));
  for (int s = 0; s < steps; ++s) jacobi<<<grid, block>>>(s % 2 ? b : a, s % 2 ? a : b, n, depth);
  workload::finish_kernels();

  std::vector<double> now(start.begin(), start.end()), next(now);
  const auto at = [n](int z, int y, int x) { return (std::size_t(z) * n + y) * n + x; };
  for (int s = 0; s < steps; ++s) {
    for (int z = 1; z < depth - 1; ++z)
      for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x)
          next[at(z, y, x)] =
              kSide * (now[at(z + 1, y, x)] + now[at(z - 1, y, x)] + now[at(z, y + 1, x)] +
                       now[at(z, y - 1, x)] + now[at(z, y, x + 1)] + now[at(z, y, x - 1)]) -
              kCentre * now[at(z, y, x)];
    std::swap(now, next);
  }
  workload::Verdict verdict;
  verdict.close("grid", steps % 2 ? b.download() : a.download(), now, 1e-5);
  return verdict.done();
}
