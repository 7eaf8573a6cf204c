// SPDX-License-Identifier: Apache-2.0
// kmeans [points = 8192] [features = 16] [clusters = 5] [rounds = 3]: k-means; the device finds the
// nearest centre of each point, the host moves the centres.
//
// Stands for: K-means of Rodinia (with its transposed features; kmeans_uncoalesced has them as
// read). Memory: a thread a point, feature after feature: coalesced, each line used once a cluster
// (secondary misses and hits while it stays in L1D); centres are read by all lanes at once.
// In the papers: GU (docs/references.md).
// Measured (65536 16 5 3): coherent, primary-miss-predominant, type III.
#include "common/check.hpp"

// From one point after another to one feature after another.
__global__ void kmeans_transpose(const float* in, float* out, int points, int features) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  for (int f = 0; f < features; ++f) out[f * points + p] = in[p * features + f];
}

__global__ void kmeans_nearest(const float* feature, const float* centre, int* member, int points,
                               int features, int clusters) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  int best = 0;
  float least = 3.402823466e38f;
  for (int c = 0; c < clusters; ++c) {
    float sum = 0.0f;
    for (int f = 0; f < features; ++f) {
      const float d = feature[f * points + p] - centre[c * features + f];
      sum += d * d;
    }
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  member[p] = best;
}

int main(int argc, char** argv) {
  const int points = workload::size_argument(argc, argv, 1, 8192, 1, 1 << 24);
  const int features = workload::size_argument(argc, argv, 2, 16, 1, 256);
  const int clusters = workload::size_argument(argc, argv, 3, 5, 1, points);
  const int rounds = workload::size_argument(argc, argv, 4, 3);
  workload::no_more_arguments(argc, argv, 4);
  // Whole numbers: distances are exact, so host and device agree on ties.
  std::vector<float> data(std::size_t(points) * features);
  workload::Random random(1);
  for (float& v : data) v = static_cast<float>(random.below(64));
  const workload::DeviceArray<float> rows(data), columns(data.size());
  workload::DeviceArray<float> centres(std::size_t(clusters) * features);
  const workload::DeviceArray<int> member(points);

  constexpr unsigned kBlock = 256;
  const unsigned blocks = workload::blocks_for(points, kBlock);
  kmeans_transpose<<<blocks, kBlock>>>(rows, columns, points, features);
  std::vector<float> centre(data.begin(), data.begin() + std::size_t(clusters) * features);
  workload::Verdict verdict;
  for (int r = 0; r < rounds; ++r) {
    centres.upload(centre);
    kmeans_nearest<<<blocks, kBlock>>>(columns, centres, member, points, features, clusters);
    workload::finish_kernels();
    const auto got = member.download();

    std::vector<int> expected(points);
    for (int p = 0; p < points; ++p) {
      float least = 3.402823466e38f;
      for (int c = 0; c < clusters; ++c) {
        float sum = 0.0f;
        for (int f = 0; f < features; ++f) {
          const float d =
              data[std::size_t(p) * features + f] - centre[std::size_t(c) * features + f];
          sum += d * d;
        }
        if (sum < least) least = sum, expected[p] = c;
      }
    }
    verdict.equal("members", got, expected);

    std::vector<float> sum(centre.size());
    std::vector<int> count(clusters);
    for (int p = 0; p < points; ++p) {
      ++count[got[p]];
      for (int f = 0; f < features; ++f)
        sum[std::size_t(got[p]) * features + f] += data[std::size_t(p) * features + f];
    }
    for (int c = 0; c < clusters; ++c)
      for (int f = 0; f < features; ++f)
        if (count[c] > 0)
          centre[std::size_t(c) * features + f] =
              std::rint(sum[std::size_t(c) * features + f] / static_cast<float>(count[c]));
  }
  return verdict.done();
}
