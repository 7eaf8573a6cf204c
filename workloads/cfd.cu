// SPDX-License-Identifier: Apache-2.0
// cfd [cells = 8192] [steps = 2] [scatter = 100] [window = 0]: an Euler solver on an unstructured
// grid: step factors, fluxes over four faces a cell, time step. Of the faces that do not join close
// numbers, `scatter` percent lead anywhere, the others to the next row of cells (numbering by
// rows). With a window every face leads to one of as many cells before or behind.
//
// Stands for: CFD Solver (euler3d) of Rodinia.
// Memory: variables are stored one after another, so own cells are coalesced; the neighbours' five
// variables are read through an index list: un-coalesced where the numbering jumps. Primary misses
// with secondary ones between faces.
// In the papers: DL, KI (docs/references.md).
// Measured (49152 2): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kFaces = 4;
constexpr int kBlock = 128;
constexpr float kGamma = 1.4f;
enum { kDensity, kMomentumX, kMomentumY, kMomentumZ, kEnergy, kVariables };
constexpr int kWall = -1, kFarField = -2;

struct Flow {
  float v[kVariables];
};

__host__ __device__ float pressure_of(const Flow& f) {
  const float square = f.v[kMomentumX] * f.v[kMomentumX] + f.v[kMomentumY] * f.v[kMomentumY] +
                       f.v[kMomentumZ] * f.v[kMomentumZ];
  return (kGamma - 1.0f) * (f.v[kEnergy] - 0.5f * square / f.v[kDensity]);
}

/// Speed of the flow plus that of sound.
__host__ __device__ float wave_speed(const Flow& f) {
  const float square = f.v[kMomentumX] * f.v[kMomentumX] + f.v[kMomentumY] * f.v[kMomentumY] +
                       f.v[kMomentumZ] * f.v[kMomentumZ];
  return sqrtf(square) / f.v[kDensity] + sqrtf(kGamma * pressure_of(f) / f.v[kDensity]);
}

/// Adds the flux of `f` through a face with normal (nx, ny, nz) to `sum`, with weight `w`.
__host__ __device__ void add_flux(const Flow& f, float nx, float ny, float nz, float w, Flow& sum) {
  const float p = pressure_of(f), r = 1.0f / f.v[kDensity];
  const float through = r * (f.v[kMomentumX] * nx + f.v[kMomentumY] * ny + f.v[kMomentumZ] * nz);
  sum.v[kDensity] += w * through * f.v[kDensity];
  sum.v[kMomentumX] += w * (through * f.v[kMomentumX] + p * nx);
  sum.v[kMomentumY] += w * (through * f.v[kMomentumY] + p * ny);
  sum.v[kMomentumZ] += w * (through * f.v[kMomentumZ] + p * nz);
  sum.v[kEnergy] += w * through * (f.v[kEnergy] + p);
}

__host__ __device__ Flow load(const float* variables, int i, int cells) {
  Flow f;
  for (int k = 0; k < kVariables; ++k) f.v[k] = variables[k * cells + i];
  return f;
}

/// The flux balance of cell i.
__host__ __device__ Flow balance(int i, const int* neighbours, const float* normals,
                                 const float* variables, const Flow& far, int cells) {
  const Flow own = load(variables, i, cells);
  const float own_speed = wave_speed(own);
  Flow sum = {};
  for (int face = 0; face < kFaces; ++face) {
    const int nb = neighbours[face * cells + i];
    const float nx = normals[(face * 3 + 0) * cells + i];
    const float ny = normals[(face * 3 + 1) * cells + i];
    const float nz = normals[(face * 3 + 2) * cells + i];
    if (nb == kWall) {
      const float p = pressure_of(own);
      sum.v[kMomentumX] += nx * p;
      sum.v[kMomentumY] += ny * p;
      sum.v[kMomentumZ] += nz * p;
      continue;
    }
    const Flow other = nb == kFarField ? far : load(variables, nb, cells);
    add_flux(own, nx, ny, nz, 0.5f, sum);
    add_flux(other, nx, ny, nz, 0.5f, sum);
    // Artificial viscosity
    const float area = sqrtf(nx * nx + ny * ny + nz * nz);
    const float viscosity = 0.2f * area * 0.5f * (own_speed + wave_speed(other));
    for (int k = 0; k < kVariables; ++k) sum.v[k] += viscosity * (own.v[k] - other.v[k]);
  }
  return sum;
}

__global__ void cfd_step_factor(const float* variables, const float* areas, float* factors,
                                int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) factors[i] = 0.05f / (sqrtf(areas[i]) * wave_speed(load(variables, i, cells)));
}

__global__ void cfd_flux(const int* neighbours, const float* normals, const float* variables,
                         float* fluxes, Flow far, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  const Flow sum = balance(i, neighbours, normals, variables, far, cells);
  for (int k = 0; k < kVariables; ++k) fluxes[k * cells + i] = sum.v[k];
}

__global__ void cfd_time_step(const float* old, float* variables, const float* factors,
                              const float* fluxes, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  for (int k = 0; k < kVariables; ++k)
    variables[k * cells + i] = old[k * cells + i] - factors[i] * fluxes[k * cells + i];
}

int main(int argc, char** argv) {
  const int cells = workload::size_argument(argc, argv, 1, 8192, 2, 1 << 24);
  const int steps = workload::size_argument(argc, argv, 2, 2);
  const int scatter = workload::size_argument(argc, argv, 3, 100, 0, 100);
  const int window = workload::size_argument(argc, argv, 4, 0, 0, cells - 1);
  workload::no_more_arguments(argc, argv, 4);
  workload::Random random(1);
  const int row = std::max(8, int(std::sqrt(cells)));
  const auto scattered = [scatter](workload::Random& r) {
    return scatter == 100 || int(r.below(100)) < scatter;
  };
  const Flow far = {{1.4f, 1.2f, 0.1f, 0.0f, 3.0f}};
  std::vector<int> neighbours(std::size_t(kFaces) * cells);
  for (int i = 0; i < cells; ++i)
    for (int face = 0; face < kFaces; ++face) {
      // Two faces to nearby cells, two across the grid or to the next row of cells; some at the
      // boundary.
      int jump = 1 + int(random.below(4));
      if (face >= 2)
        jump = scattered(random) ? int(random.below(cells)) : row + int(random.below(8)) - 4;
      if (window != 0) jump = 1 + int(random.below(window));
      int nb = (i + (face % 2 == 0 ? jump : cells - jump % cells)) % cells;
      if (random.below(64) == 0) nb = random.below(2) == 0 ? kWall : kFarField;
      neighbours[std::size_t(face) * cells + i] = nb;
    }
  const auto normals = workload::random_floats(std::size_t(kFaces) * 3 * cells, 2, -0.5f, 0.5f);
  const auto areas = workload::random_floats(cells, 3, 0.5f, 1.5f);
  std::vector<float> start(std::size_t(kVariables) * cells);
  for (int k = 0; k < kVariables; ++k)
    for (int i = 0; i < cells; ++i)
      start[std::size_t(k) * cells + i] = far.v[k] * (0.9f + 0.2f * random.unit());
  const workload::DeviceArray<int> dnb(neighbours);
  const workload::DeviceArray<float> dnormals(normals), dareas(areas), old(start), now(start),
      fluxes(start.size()), factors(cells);

  const unsigned blocks = workload::blocks_for(cells, kBlock);
  for (int s = 0; s < steps; ++s) {
    CHECK_CUDA(cudaMemcpy(old, now, start.size() * sizeof(float), cudaMemcpyDeviceToDevice));
    cfd_step_factor<<<blocks, kBlock>>>(old, dareas, factors, cells);
    cfd_flux<<<blocks, kBlock>>>(dnb, dnormals, old, fluxes, far, cells);
    cfd_time_step<<<blocks, kBlock>>>(old, now, factors, fluxes, cells);
  }
  workload::finish_kernels();

  std::vector<float> before, after = start;
  for (int s = 0; s < steps; ++s) {
    before = after;
    for (int i = 0; i < cells; ++i) {
      const Flow sum = balance(i, neighbours.data(), normals.data(), before.data(), far, cells);
      const float factor =
          0.05f / (std::sqrt(areas[i]) * wave_speed(load(before.data(), i, cells)));
      for (int k = 0; k < kVariables; ++k)
        after[std::size_t(k) * cells + i] = before[std::size_t(k) * cells + i] - factor * sum.v[k];
    }
  }
  workload::Verdict verdict;
  verdict.close("variables", now.download(), after, 1e-4);
  return verdict.done();
}
