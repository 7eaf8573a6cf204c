// SPDX-License-Identifier: Apache-2.0
// srad [n = 128] [steps = 2] [unshared = 0]: speckle-reducing anisotropic diffusion of an n x n
// image, two launches a step; the host computes the statistics of a corner between them.
//
// Stands for: SRAD (v2) of Rodinia.
// Memory: tiles of 16 x 16 in shared memory, halos straight from global memory (single columns:
// un-coalesced); four derivative arrays are written by the first kernel and read by the second.
// Primary misses.
// unshared 1: all neighbours straight from global memory (MR 5.6).
// In the papers: DL, GU, MR, KI (docs/references.md).
// Measured (448 2): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kTile = 16;
constexpr float kLambda = 0.5f;

struct Derivatives {
  float north, south, west, east, coefficient;
};

__host__ __device__ Derivatives derive(float c, float n, float s, float w, float e, float q0) {
  Derivatives d;
  d.north = n - c;
  d.south = s - c;
  d.west = w - c;
  d.east = e - c;
  const float g2 =
      (d.north * d.north + d.south * d.south + d.west * d.west + d.east * d.east) / (c * c);
  const float l = (d.north + d.south + d.west + d.east) / c;
  const float numerator = 0.5f * g2 - (1.0f / 16.0f) * (l * l);
  const float denominator = 1.0f + 0.25f * l;
  const float q = numerator / (denominator * denominator);
  const float k = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  d.coefficient = k < 0.0f ? 0.0f : k > 1.0f ? 1.0f : k;
  return d;
}

__global__ void srad_coefficients(const float* image, float* north, float* south, float* west,
                                  float* east, float* coefficient, int n, float q0) {
  __shared__ float tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kTile + tx, y = blockIdx.y * kTile + ty;
  const int at = y * n + x;
  tile[ty][tx] = image[at];
  // The image goes on at its edges.
  float above = 0, below = 0, left = 0, right = 0;
  if (ty == 0) above = image[y == 0 ? at : at - n];
  if (ty == kTile - 1) below = image[y == n - 1 ? at : at + n];
  if (tx == 0) left = image[x == 0 ? at : at - 1];
  if (tx == kTile - 1) right = image[x == n - 1 ? at : at + 1];
  __syncthreads();
  if (ty > 0) above = tile[ty - 1][tx];
  if (ty < kTile - 1) below = tile[ty + 1][tx];
  if (tx > 0) left = tile[ty][tx - 1];
  if (tx < kTile - 1) right = tile[ty][tx + 1];
  const Derivatives d = derive(tile[ty][tx], above, below, left, right, q0);
  north[at] = d.north;
  south[at] = d.south;
  west[at] = d.west;
  east[at] = d.east;
  coefficient[at] = d.coefficient;
}

__global__ void srad_coefficients_unshared(const float* image, float* north, float* south,
                                           float* west, float* east, float* coefficient, int n,
                                           float q0) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int at = y * n + x;
  const Derivatives d =
      derive(image[at], image[y == 0 ? at : at - n], image[y == n - 1 ? at : at + n],
             image[x == 0 ? at : at - 1], image[x == n - 1 ? at : at + 1], q0);
  north[at] = d.north;
  south[at] = d.south;
  west[at] = d.west;
  east[at] = d.east;
  coefficient[at] = d.coefficient;
}

__global__ void srad_update(const float* north, const float* south, const float* west,
                            const float* east, const float* coefficient, float* image, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int at = y * n + x;
  const float here = coefficient[at];
  const float below = y == n - 1 ? here : coefficient[at + n];
  const float right = x == n - 1 ? here : coefficient[at + 1];
  const float divergence =
      here * north[at] + below * south[at] + here * west[at] + right * east[at];
  image[at] += 0.25f * kLambda * divergence;
}

/// Variance over squared mean of a corner without features.
static float speckle(const std::vector<float>& image, int n) {
  double sum = 0, square = 0;
  for (int y = 0; y < kTile; ++y)
    for (int x = 0; x < kTile; ++x) {
      const double v = image[std::size_t(y) * n + x];
      sum += v;
      square += v * v;
    }
  const double count = kTile * kTile, mean = sum / count;
  return static_cast<float>((square / count - mean * mean) / (mean * mean));
}

int main(int argc, char** argv) {
  const int n = (workload::size_argument(argc, argv, 1, 128, 1, 16384) + kTile - 1) / kTile * kTile;
  const int steps = workload::size_argument(argc, argv, 2, 2);
  const bool unshared = workload::size_argument(argc, argv, 3, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 3);
  const auto coefficients = unshared ? srad_coefficients_unshared : srad_coefficients;
  const std::size_t points = std::size_t(n) * n;
  auto reference = workload::random_floats(points, 1, 1.0f, 2.7f);
  const workload::DeviceArray<float> image(reference), north(points), south(points), west(points),
      east(points), coefficient(points);

  std::vector<Derivatives> d(points);
  const dim3 block(kTile, kTile), grid(n / kTile, n / kTile);
  for (int s = 0; s < steps; ++s) {
    const float q0 = speckle(image.download(), n);
    coefficients<<<grid, block>>>(image, north, south, west, east, coefficient, n, q0);
    srad_update<<<grid, block>>>(north, south, west, east, coefficient, image, n);

    const auto at = [n](int y, int x) {
      return std::size_t(y < 0 ? 0 : y >= n ? n - 1 : y) * n + (x < 0 ? 0 : x >= n ? n - 1 : x);
    };
    const float q = speckle(reference, n);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        d[at(y, x)] = derive(reference[at(y, x)], reference[at(y - 1, x)], reference[at(y + 1, x)],
                             reference[at(y, x - 1)], reference[at(y, x + 1)], q);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const Derivatives& here = d[at(y, x)];
        reference[at(y, x)] +=
            0.25f * kLambda *
            (here.coefficient * here.north + d[at(y + 1, x)].coefficient * here.south +
             here.coefficient * here.west + d[at(y, x + 1)].coefficient * here.east);
      }
  }
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.close("image", image.download(), reference, 1e-4);
  return verdict.done();
}
