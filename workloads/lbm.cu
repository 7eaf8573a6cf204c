// SPDX-License-Identifier: Apache-2.0
// lbm [n = 32] [depth = 8] [steps = 2]: lattice Boltzmann flow, 19 velocities (D3Q19), on a
// periodic n x n x depth box; one cell a thread, distributions in separate arrays.
//
// Stands for: LBM of Parboil.
// Memory: 19 coalesced loads and 19 stores a cell that are shifted against each other by the
// velocities (misaligned stores touch two lines); no reuse: bandwidth-bound, primary misses.
// In the papers: DL, KI (docs/references.md).
// Measured (80 8 2): coherent, primary-miss-predominant, type 0.
#include <utility>

#include "common/check.hpp"

constexpr int kQ = 19;
struct Velocity {
  int x, y, z;
  float weight;
};
__constant__ Velocity velocity[kQ];

static std::vector<Velocity> velocities() {
  std::vector<Velocity> v;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const int moves = x * x + y * y + z * z;
        if (moves <= 2)
          v.push_back({x, y, z, moves == 0 ? 1 / 3.0f : moves == 1 ? 1 / 18.0f : 1 / 36.0f});
      }
  return v;
}

// Relaxes the distributions f of one cell towards equilibrium.
template <class T, class Q>
__device__ __host__ inline void collide(T* f, const Q* v) {
  const T omega = T(1.2);
  T density = 0, ux = 0, uy = 0, uz = 0;
  for (int q = 0; q < kQ; ++q) {
    density += f[q];
    ux += f[q] * v[q].x;
    uy += f[q] * v[q].y;
    uz += f[q] * v[q].z;
  }
  ux /= density;
  uy /= density;
  uz /= density;
  const T square = T(1.5) * (ux * ux + uy * uy + uz * uz);
  for (int q = 0; q < kQ; ++q) {
    const T along = ux * v[q].x + uy * v[q].y + uz * v[q].z;
    const T equilibrium = v[q].weight * density * (1 + 3 * along + T(4.5) * along * along - square);
    f[q] += omega * (equilibrium - f[q]);
  }
}

__global__ void stream_and_collide(const float* in, float* out, int n, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y, z = blockIdx.z;
  if (x >= n) return;
  const int cells = n * n * depth;
  float f[kQ];
  for (int q = 0; q < kQ; ++q) f[q] = in[q * cells + (z * n + y) * n + x];
  collide(f, velocity);
  for (int q = 0; q < kQ; ++q) {
    const int tx = (x + velocity[q].x + n) % n, ty = (y + velocity[q].y + n) % n;
    const int tz = (z + velocity[q].z + depth) % depth;
    out[q * cells + (tz * n + ty) * n + tx] = f[q];
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 32, 2, 512);
  const int depth = workload::size_argument(argc, argv, 2, 8, 2, 512);
  const int steps = workload::size_argument(argc, argv, 3, 2, 1, 1000);
  workload::no_more_arguments(argc, argv, 3);
  const std::size_t cells = std::size_t(n) * n * depth;
  const std::vector<Velocity> v = velocities();
  auto start = workload::random_floats(cells * kQ, 1, 0.9f, 1.1f);
  for (int q = 0; q < kQ; ++q)
    for (std::size_t c = 0; c < cells; ++c) start[q * cells + c] *= v[q].weight;
  const workload::DeviceArray<float> a(start), b(start.size());
  CHECK_CUDA(cudaMemcpyToSymbol(velocity, v.data(), sizeof(Velocity) * kQ));

  constexpr unsigned kBlock = 64;
  for (int s = 0; s < steps; ++s)
    stream_and_collide<<<dim3(workload::blocks_for(n, kBlock), n, depth), kBlock>>>(
        s % 2 ? b : a, s % 2 ? a : b, n, depth);
  workload::finish_kernels();

  std::vector<double> now(start.begin(), start.end()), next(now.size());
  for (int s = 0; s < steps; ++s) {
    for (int z = 0; z < depth; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          double f[kQ];
          for (int q = 0; q < kQ; ++q) f[q] = now[q * cells + (std::size_t(z) * n + y) * n + x];
          collide(f, v.data());
          for (int q = 0; q < kQ; ++q) {
            const int tx = (x + v[q].x + n) % n, ty = (y + v[q].y + n) % n;
            const int tz = (z + v[q].z + depth) % depth;
            next[q * cells + (std::size_t(tz) * n + ty) * n + tx] = f[q];
          }
        }
    std::swap(now, next);
  }
  workload::Verdict verdict;
  verdict.close("f", steps % 2 ? b.download() : a.download(), now, 1e-4, 0.01);
  return verdict.done();
}
