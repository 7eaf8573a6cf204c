// SPDX-License-Identifier: Apache-2.0
// sssp [nodes = 4096] [degree = 6]: shortest paths from node 0 of a weighted random graph by
// Bellman-Ford over an active set, until nothing changes.
//
// Stands for: SSSP of LonestarGPU and Pannotia.
// Memory: edges, distances and flags at data-dependent addresses, atomic minimum on distances;
// un-coalesced, divergent, primary and secondary misses.
// In the papers: BU (docs/references.md).
// Measured (40960 6): un-coalesced, primary-miss-predominant, type 0.
#include "common/graph.hpp"

constexpr int kFar = 1 << 30;

__global__ void relax(const int* first, const int* target, const int* weight, int* distance,
                      const unsigned char* active, int* next_active, int* changed, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || !active[v]) return;
  const int d = distance[v];
  for (int e = first[v]; e < first[v + 1]; ++e) {
    const int through = d + weight[e];
    if (atomicMin(&distance[target[e]], through) > through) {
      atomicExch(&next_active[target[e]], 1);
      atomicExch(changed, 1);
    }
  }
}

__global__ void advance(unsigned char* active, int* next_active, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes) return;
  active[v] = static_cast<unsigned char>(next_active[v]);
  next_active[v] = 0;
}

int main(int argc, char** argv) {
  const int nodes = workload::size_argument(argc, argv, 1, 4096, 2, 1 << 24);
  const int degree = workload::size_argument(argc, argv, 2, 6, 1, 64);
  workload::no_more_arguments(argc, argv, 2);
  const workload::Graph g = workload::random_graph(nodes, degree, 1);
  std::vector<int> distance(nodes, kFar);
  distance[0] = 0;
  std::vector<unsigned char> start(nodes, 0);
  start[0] = 1;
  const workload::DeviceArray<int> first(g.first), target(g.target), weight(g.weight);
  const workload::DeviceArray<int> ddistance(distance);
  const workload::DeviceArray<unsigned char> active(start);
  workload::DeviceArray<int> next_active(nodes), changed(1);
  next_active.zero();

  constexpr unsigned kBlock = 128;
  const unsigned blocks = workload::blocks_for(nodes, kBlock);
  do {
    changed.zero();
    relax<<<blocks, kBlock>>>(first, target, weight, ddistance, active, next_active, changed,
                              nodes);
    advance<<<blocks, kBlock>>>(active, next_active, nodes);
    workload::finish_kernels();
  } while (changed.download()[0]);

  workload::Verdict verdict;
  verdict.equal("distance", ddistance.download(), workload::shortest_paths(g, kFar));
  return verdict.done();
}
