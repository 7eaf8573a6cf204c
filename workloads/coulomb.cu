// SPDX-License-Identifier: Apache-2.0
// coulomb [n = 512] [atoms = 256]: the electrostatic potential of point charges on an n x n plane
// of a grid, by direct summation; a thread has eight points of a row, 16 apart, and a block of 16 x
// 8 threads 128 x 8 of them.
//
// Stands for: CP (Coulombic potential) of the GPGPU-Sim benchmarks.
// Memory: the atoms are constants, which all lanes read alike; each point is loaded once, added to
// and stored, coalesced. Reciprocal square roots dominate.
// In the papers: KI (docs/references.md).
// Measured (512 128): coherent, primary-miss-predominant (no fails), type I.
#include <algorithm>

#include "common/check.hpp"

constexpr int kX = 16, kY = 8, kPoints = 8;
constexpr int kMostAtoms = 2048;  // constants of 32 KiB
constexpr float kSpacing = 0.1f;

// A charge, and the square of its distance from the plane.
struct Atom {
  float x, y, z2, charge;
};

__constant__ Atom atom[kMostAtoms];

__global__ void coulomb(float* energy, int n, int atoms) {
  const int x = blockIdx.x * kX * kPoints + threadIdx.x, y = blockIdx.y * kY + threadIdx.y;
  const float first = kSpacing * x, height = kSpacing * y;
  float sum[kPoints] = {};
  for (int a = 0; a < atoms; ++a) {
    const float dy = height - atom[a].y;
    const float across = dy * dy + atom[a].z2;
    float dx = first - atom[a].x;
#pragma unroll
    for (int p = 0; p < kPoints; ++p) {
      sum[p] += atom[a].charge / sqrtf(dx * dx + across);
      dx += kSpacing * kX;
    }
  }
#pragma unroll
  for (int p = 0; p < kPoints; ++p)
    if (x + p * kX < n && y < n) energy[y * n + x + p * kX] += sum[p];
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 512, 1, 8192);
  const int atoms = workload::size_argument(argc, argv, 2, 256, 1, kMostAtoms);
  workload::no_more_arguments(argc, argv, 2);
  const auto numbers = workload::random_floats(4 * static_cast<std::size_t>(atoms), 1);
  std::vector<Atom> all(atoms);
  for (int a = 0; a < atoms; ++a) {
    const float* const r = numbers.data() + 4 * a;
    const float z = 0.5f + r[2];  // no point is an atom
    all[a] = {kSpacing * n * r[0], kSpacing * n * r[1], z * z, r[3] - 0.5f};
  }
  CHECK_CUDA(cudaMemcpyToSymbol(atom, all.data(), all.size() * sizeof(Atom)));
  const auto before = workload::random_floats(static_cast<std::size_t>(n) * n, 2);
  const workload::DeviceArray<float> energy(before);

  const dim3 grid(workload::blocks_for(n, kX * kPoints), workload::blocks_for(n, kY));
  coulomb<<<grid, dim3(kX, kY)>>>(energy, n, atoms);
  workload::finish_kernels();

  std::vector<double> expected(before.begin(), before.end());
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      for (const Atom& a : all) {
        const double dx = double(kSpacing) * x - a.x, dy = double(kSpacing) * y - a.y;
        expected[static_cast<std::size_t>(y) * n + x] +=
            a.charge / std::sqrt(dx * dx + dy * dy + a.z2);
      }
  workload::Verdict verdict;
  verdict.close("energy", energy.download(), expected, 1e-3);
  return verdict.done();
}
