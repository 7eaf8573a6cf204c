// SPDX-License-Identifier: Apache-2.0
// kmeans_uncoalesced [points = 4096] [features = 32] [clusters = 5]: one assignment step of k-means
// with the features of a point side by side in memory, a thread a point.
//
// Stands for: KM of the papers on memory divergence (Rodinia's kmeans without its transpose).
// Memory: lanes read at a stride of a point (32 lines a load) and return to each line for 32
// iterations and again for each cluster: secondary misses, thrashing in a small L1D.
// In the papers: BU, KI (docs/references.md).
// Measured (12288 32 5): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void assign(const float* point, const float* centre, int* nearest, int points,
                       int features, int clusters) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  int best = 0;
  float best_distance = 3.4e38f;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0.0f;
    for (int f = 0; f < features; ++f) {
      const float d = point[p * features + f] - centre[c * features + f];
      distance = fmaf(d, d, distance);
    }
    if (distance < best_distance) best_distance = distance, best = c;
  }
  nearest[p] = best;
}

int main(int argc, char** argv) {
  const int points = workload::size_argument(argc, argv, 1, 4096, 1, 1 << 22);
  const int features = workload::size_argument(argc, argv, 2, 32, 1, 256);
  const int clusters = workload::size_argument(argc, argv, 3, 5, 1, 256);
  workload::no_more_arguments(argc, argv, 3);
  const auto point = workload::random_floats(std::size_t(points) * features, 1);
  const auto centre = workload::random_floats(std::size_t(clusters) * features, 2);
  const workload::DeviceArray<float> dpoint(point), dcentre(centre);
  const workload::DeviceArray<int> dnearest(points);

  constexpr unsigned kBlock = 256;
  assign<<<workload::blocks_for(points, kBlock), kBlock>>>(dpoint, dcentre, dnearest, points,
                                                           features, clusters);
  workload::finish_kernels();

  std::vector<int> expected(points);
  for (int p = 0; p < points; ++p) {
    float best = 3.4e38f;
    for (int c = 0; c < clusters; ++c) {
      float distance = 0.0f;  // the same operations in the same order: equal to the last bit
      for (int f = 0; f < features; ++f) {
        const float d =
            point[std::size_t(p) * features + f] - centre[std::size_t(c) * features + f];
        distance = std::fma(d, d, distance);
      }
      if (distance < best) best = distance, expected[p] = c;
    }
  }
  workload::Verdict verdict;
  verdict.equal("nearest", dnearest.download(), expected);
  return verdict.done();
}
