// SPDX-License-Identifier: Apache-2.0
// hotspot3d [n = 64] [layers = 8] [steps = 2]: temperatures of a stack of layers, a thread a column
// of the stack.
//
// Stands for: HotSpot3D of Rodinia.
// Memory: seven loads a point; the planes above and below are the thread's own next and previous
// iteration, neighbours in the plane come from the same lines. Coalesced, secondary misses and
// hits.
// In the papers: GU (docs/references.md).
// Measured (384 8 2): coherent, primary-miss-predominant, type 0.
#include <utility>

#include "common/check.hpp"

struct Weights {
  float centre, west, east, north, south, below, above, power;
};

__global__ void hotspot3d(const float* power, const float* in, float* out, Weights w, int n,
                          int layers) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const int plane = n * n;
  int c = y * n + x;
  const int west = x == 0 ? 0 : -1, east = x == n - 1 ? 0 : 1;
  const int north = y == 0 ? 0 : -n, south = y == n - 1 ? 0 : n;
  for (int z = 0; z < layers; ++z, c += plane) {
    const int below = z == 0 ? 0 : -plane, above = z == layers - 1 ? 0 : plane;
    out[c] = w.centre * in[c] + w.west * in[c + west] + w.east * in[c + east] +
             w.north * in[c + north] + w.south * in[c + south] + w.below * in[c + below] +
             w.above * in[c + above] + w.power * power[c];
  }
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 64, 1, 4096);
  const int layers = workload::size_argument(argc, argv, 2, 8, 1, 256);
  const int steps = workload::size_argument(argc, argv, 3, 2);
  workload::no_more_arguments(argc, argv, 3);
  const std::size_t points = std::size_t(n) * n * layers;
  const Weights w = {0.3f, 0.1f, 0.12f, 0.11f, 0.13f, 0.1f, 0.14f, 0.05f};
  const auto start = workload::random_floats(points, 1, 70, 90),
             power = workload::random_floats(points, 2);
  workload::DeviceArray<float> dp(power), first(start), second(points);

  float* from = first;
  float* to = second;
  const dim3 block(32, 4), grid(workload::blocks_for(n, 32), workload::blocks_for(n, 4));
  for (int s = 0; s < steps; ++s) {
    hotspot3d<<<grid, block>>>(dp, from, to, w, n, layers);
    std::swap(from, to);
  }
  workload::finish_kernels();
  std::vector<float> got(points);
  CHECK_CUDA(cudaMemcpy(got.data(), from, points * sizeof(float), cudaMemcpyDeviceToHost));

  std::vector<double> now(start.begin(), start.end()), next(points);
  const auto clamp = [](int v, int end) { return v < 0 ? 0 : v >= end ? end - 1 : v; };
  for (int s = 0; s < steps; ++s) {
    for (int z = 0; z < layers; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
          const auto at = [&](int dz, int dy, int dx) {
            return now[(std::size_t(clamp(z + dz, layers)) * n + clamp(y + dy, n)) * n +
                       clamp(x + dx, n)];
          };
          const std::size_t c = (std::size_t(z) * n + y) * n + x;
          next[c] = w.centre * at(0, 0, 0) + w.west * at(0, 0, -1) + w.east * at(0, 0, 1) +
                    w.north * at(0, -1, 0) + w.south * at(0, 1, 0) + w.below * at(-1, 0, 0) +
                    w.above * at(1, 0, 0) + w.power * power[c];
        }
    now.swap(next);
  }
  workload::Verdict verdict;
  verdict.close("temperature", got, now, 1e-4);
  return verdict.done();
}
