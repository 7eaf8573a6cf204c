// SPDX-License-Identifier: Apache-2.0
// streamcluster [points = 8192] [dimensions = 16] [centres = 8] [structures = 0]: the gain of
// opening a point as a new centre, for several candidates; a thread a point. With `structures` the
// points are an array of structures and each thread reads the candidate from memory, as Rodinia's
// did before it used shared memory.
//
// Stands for: Streamcluster (pgain) of Rodinia.
// Memory: coordinates are stored one dimension after another (coalesced, streamed once a
// candidate); each thread adds into its own row of a work array by its centre's number
// (un-coalesced). With `structures` a point's cost, weight and centre are 32 B apart from the next
// point's (8 lines a load), and all warps read the candidate's coordinates, a line a dimension.
// In the papers: DL, GU, KI (docs/references.md).
// Measured (131072 16 8): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr int kMostDimensions = 64;  // in shared memory

// work has centres + 1 values a point: what is saved at each centre, and what the move itself
// saves.
__global__ void streamcluster_gain(const float* coordinate, const float* cost, const int* centre_of,
                                   float* work, int candidate, int points, int dimensions,
                                   int centres) {
  __shared__ float there[kMostDimensions];
  for (int d = threadIdx.x; d < dimensions; d += blockDim.x)
    there[d] = coordinate[d * points + candidate];
  __syncthreads();
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  float distance = 0.0f;
  for (int d = 0; d < dimensions; ++d) {
    const float t = coordinate[d * points + p] - there[d];
    distance += t * t;
  }
  const float difference = distance - cost[p];
  float* const row = work + p * (centres + 1);
  if (difference < 0.0f)
    row[centres] += difference;
  else
    row[centre_of[p]] += difference;
}

/// As Rodinia lays it out.
struct alignas(32) Point {
  float weight;
  int assign;  // the point that is its centre
  float cost;
};

/// `number` is that of a point's centre.
__global__ void streamcluster_gain_structures(const float* coordinate, const Point* point,
                                              const int* number, float* work, int candidate,
                                              int points, int dimensions, int centres) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= points) return;
  float distance = 0.0f;
  for (int d = 0; d < dimensions; ++d) {
    const float t = coordinate[d * points + p] - coordinate[d * points + candidate];
    distance += t * t;
  }
  const float difference = distance * point[p].weight - point[p].cost;
  float* const row = work + p * (centres + 1);
  if (difference < 0.0f)
    row[centres] += difference;
  else
    row[number[point[p].assign]] += difference;
}

int main(int argc, char** argv) {
  const bool structures = workload::size_argument(argc, argv, 4, 0, 0, 1) != 0;
  const int centres = workload::size_argument(argc, argv, 3, 8, 1, 64);
  const int dimensions =
      workload::size_argument(argc, argv, 2, 16, 1, structures ? 256 : kMostDimensions);
  const int points =
      workload::size_argument(argc, argv, 1, 8192, structures ? centres : 1, 1 << 22);
  workload::no_more_arguments(argc, argv, 4);
  constexpr int kCandidates = 4;
  // Whole numbers: distances and sums are exact.
  workload::Random random(1);
  std::vector<float> coordinate(std::size_t(points) * dimensions), cost(points);
  std::vector<int> centre_of(points);
  for (float& c : coordinate) c = static_cast<float>(random.below(16));
  for (int p = 0; p < points; ++p) {
    cost[p] = static_cast<float>(random.below(80 * dimensions));
    centre_of[p] = static_cast<int>(random.below(centres));
  }
  const workload::DeviceArray<float> dcoordinate(coordinate), dcost(cost);
  const workload::DeviceArray<int> dcentre(centre_of);
  workload::DeviceArray<float> work(std::size_t(points) * (centres + 1));
  work.zero();
  // Centres are spread over the points.
  const int apart = points / centres;
  std::vector<Point> point(structures ? points : 1);
  std::vector<int> number(structures ? points : 1);
  for (int p = 0; structures && p < points; ++p)
    point[p] = Point{1.0f, centre_of[p] * apart, cost[p]};
  for (int c = 0; structures && c < centres; ++c) number[c * apart] = c;
  const workload::DeviceArray<Point> dpoint(point);
  const workload::DeviceArray<int> dnumber(number);

  std::vector<float> expected(work.size());
  constexpr unsigned kBlock = 256;
  for (int c = 0; c < kCandidates; ++c) {
    const int candidate = static_cast<int>(random.below(points));
    const unsigned blocks = workload::blocks_for(points, kBlock);
    if (structures)
      streamcluster_gain_structures<<<blocks, kBlock>>>(dcoordinate, dpoint, dnumber, work,
                                                        candidate, points, dimensions, centres);
    else
      streamcluster_gain<<<blocks, kBlock>>>(dcoordinate, dcost, dcentre, work, candidate, points,
                                             dimensions, centres);
    for (int p = 0; p < points; ++p) {
      float distance = 0;
      for (int d = 0; d < dimensions; ++d) {
        const float t = coordinate[std::size_t(d) * points + p] -
                        coordinate[std::size_t(d) * points + candidate];
        distance += t * t;
      }
      const float difference = distance - cost[p];
      expected[std::size_t(p) * (centres + 1) + (difference < 0 ? centres : centre_of[p])] +=
          difference;
    }
  }
  workload::finish_kernels();
  workload::Verdict verdict;
  verdict.close("gain", work.download(), expected, 0);
  return verdict.done();
}
