// SPDX-License-Identifier: Apache-2.0
// cutcp [n = 32] [atoms = 400]: the Coulomb potential of point charges on an n x n x n lattice,
// with a cutoff distance; charges are binned into cells and each block of lattice points reads the
// 27 cells around it.
//
// Stands for: CUTCP of Parboil.
// Memory: all lanes read the same atom (broadcast, coalesced); arithmetic dominates, few misses.
// In the papers: DL, KI (docs/references.md).
// Measured (80 400): coherent, secondary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kCell = 8;                 // lattice points along an edge of a cell
constexpr float kCutoff = float(kCell);  // in lattice points: neighbours in the 27 cells suffice

__device__ __host__ inline float potential(float dx, float dy, float dz, float charge) {
  const float r2 = dx * dx + dy * dy + dz * dz;
  if (r2 >= kCutoff * kCutoff || r2 == 0.0f) return 0.0f;
  const float s = 1.0f - r2 * (1.0f / (kCutoff * kCutoff));
  return charge * s * s / sqrtf(r2);
}

__global__ void lattice_potential(const float4* atom, const int* first, float* out, int n,
                                  int cells) {
  const int x = blockIdx.x * kCell + threadIdx.x, y = blockIdx.y * kCell + threadIdx.y;
  const int z = blockIdx.z * kCell + threadIdx.z;
  float sum = 0.0f;
  for (int cz = max(int(blockIdx.z) - 1, 0); cz <= min(int(blockIdx.z) + 1, cells - 1); ++cz)
    for (int cy = max(int(blockIdx.y) - 1, 0); cy <= min(int(blockIdx.y) + 1, cells - 1); ++cy)
      for (int cx = max(int(blockIdx.x) - 1, 0); cx <= min(int(blockIdx.x) + 1, cells - 1); ++cx) {
        const int c = (cz * cells + cy) * cells + cx;
        for (int k = first[c]; k < first[c + 1]; ++k) {
          const float4 a = atom[k];
          sum += potential(a.x - x, a.y - y, a.z - z, a.w);
        }
      }
  if (x < n && y < n && z < n) out[(z * n + y) * n + x] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 32, 1, 512);
  const int atoms = workload::size_argument(argc, argv, 2, 400, 1, 1 << 22);
  workload::no_more_arguments(argc, argv, 2);
  const int cells = (n + kCell - 1) / kCell;
  workload::Random random(1);
  std::vector<std::vector<float4>> cell(std::size_t(cells) * cells * cells);
  std::vector<float4> all;
  for (int i = 0; i < atoms; ++i) {
    const float4 a =
        make_float4(random.unit() * n, random.unit() * n, random.unit() * n, random.unit() * 2 - 1);
    const auto c = [](float v) { return static_cast<int>(v) / kCell; };
    cell[(std::size_t(c(a.z)) * cells + c(a.y)) * cells + c(a.x)].push_back(a);
    all.push_back(a);
  }
  std::vector<int> first(1, 0);
  std::vector<float4> sorted;
  for (const auto& c : cell) {
    sorted.insert(sorted.end(), c.begin(), c.end());
    first.push_back(static_cast<int>(sorted.size()));
  }
  const workload::DeviceArray<float4> datom(sorted);
  const workload::DeviceArray<int> dfirst(first);
  const workload::DeviceArray<float> dout(std::size_t(n) * n * n);

  lattice_potential<<<dim3(cells, cells, cells), dim3(kCell, kCell, kCell)>>>(datom, dfirst, dout,
                                                                              n, cells);
  workload::finish_kernels();

  std::vector<double> expected(dout.size());
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        for (const float4& a : all)
          expected[(std::size_t(z) * n + y) * n + x] += potential(a.x - x, a.y - y, a.z - z, a.w);
  workload::Verdict verdict;
  verdict.close("potential", dout.download(), expected, 1e-4);
  return verdict.done();
}
