// SPDX-License-Identifier: Apache-2.0
// knn [records = 65536] [k = 10]: distances of all places to one; the host picks the k nearest.
//
// Stands for: Nearest Neighbor (NN) of Rodinia.
// Memory: one stream of pairs in (two lines a warp), one of distances out; no reuse. Coalesced,
// primary misses.
// In the papers: GU (docs/references.md).
// Measured (4194304): coherent, primary-miss-predominant, type 0.
#include <algorithm>

#include "common/check.hpp"

struct Place {
  float latitude, longitude;
};

__global__ void knn_distance(const Place* places, float* distance, int n, float latitude,
                             float longitude) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = latitude - places[i].latitude, b = longitude - places[i].longitude;
  distance[i] = sqrtf(a * a + b * b);
}

static std::vector<int> nearest(const std::vector<float>& distance, int k) {
  std::vector<int> order(distance.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int a, int b) {
    return distance[a] != distance[b] ? distance[a] < distance[b] : a < b;
  });
  order.resize(k);
  return order;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 65536);
  const int k = workload::size_argument(argc, argv, 2, n < 10 ? n : 10, 1, n);
  workload::no_more_arguments(argc, argv, 2);
  constexpr float kLatitude = 30.0f, kLongitude = 90.0f;
  workload::Random random(1);
  std::vector<Place> places(n);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) {
    // Steps of 1/8: the sums of squares are exact.
    places[i] = {static_cast<float>(random.below(720)) / 8,
                 static_cast<float>(random.below(1440)) / 8};
    const float a = kLatitude - places[i].latitude, b = kLongitude - places[i].longitude;
    expected[i] = std::sqrt(a * a + b * b);
  }
  const workload::DeviceArray<Place> dplaces(places);
  const workload::DeviceArray<float> distance(n);
  knn_distance<<<workload::blocks_for(n, 256), 256>>>(dplaces, distance, n, kLatitude, kLongitude);
  workload::finish_kernels();
  workload::Verdict verdict;
  const auto got = distance.download();
  verdict.close("distance", got, expected, 1e-6);
  verdict.equal("nearest", nearest(got, k), nearest(expected, k));
  return verdict.done();
}
