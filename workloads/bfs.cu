// SPDX-License-Identifier: Apache-2.0
// bfs [nodes = 16384] [degree = 6]: hops of every node from node 0 of a random graph, a pair of
// launches a level.
//
// Stands for: BFS of Rodinia (and of UVMBench).
// Memory: edge lists and node states are read through data-dependent addresses, loop counts differ
// between lanes; un-coalesced, mostly primary misses.
// In the papers: DL, GU, MR, BU, KI (docs/references.md).
// Measured (49152 6): un-coalesced, primary-miss-predominant, type 0.
#include <queue>

#include "common/graph.hpp"

// Nodes of the frontier look at their neighbours.
__global__ void bfs_visit(const int* first, const int* target, const unsigned char* frontier,
                          unsigned char* next, const unsigned char* visited, int* hops, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || !frontier[v]) return;
  const int h = hops[v] + 1;
  for (int e = first[v]; e < first[v + 1]; ++e) {
    const int w = target[e];
    if (visited[w]) continue;
    hops[w] = h;  // every writer of this level writes the same
    next[w] = 1;
  }
}

// What they found becomes the frontier.
__global__ void bfs_advance(unsigned char* frontier, unsigned char* next, unsigned char* visited,
                            int* more, int nodes) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes) return;
  frontier[v] = next[v];
  if (!next[v]) return;
  visited[v] = 1;
  next[v] = 0;
  *more = 1;
}

static std::vector<int> reference(const workload::Graph& g) {
  std::vector<int> hops(g.nodes(), -1);
  std::queue<int> open;
  hops[0] = 0;
  for (open.push(0); !open.empty(); open.pop()) {
    const int v = open.front();
    for (int e = g.first[v]; e < g.first[v + 1]; ++e) {
      if (hops[g.target[e]] >= 0) continue;
      hops[g.target[e]] = hops[v] + 1;
      open.push(g.target[e]);
    }
  }
  return hops;
}

int main(int argc, char** argv) {
  const int nodes = workload::size_argument(argc, argv, 1, 16384, 2, 1 << 24);
  const int degree = workload::size_argument(argc, argv, 2, 6, 1, 64);
  workload::no_more_arguments(argc, argv, 2);
  const workload::Graph g = workload::random_graph(nodes, degree, 1);
  std::vector<unsigned char> start(nodes, 0);
  start[0] = 1;
  std::vector<int> hops(nodes, -1);
  hops[0] = 0;
  const workload::DeviceArray<int> first(g.first), target(g.target), dhops(hops);
  const workload::DeviceArray<unsigned char> frontier(start), visited(start);
  workload::DeviceArray<unsigned char> next(nodes);
  workload::DeviceArray<int> more(1);
  next.zero();

  constexpr unsigned kBlock = 256;
  const unsigned blocks = workload::blocks_for(nodes, kBlock);
  int go_on = 1;
  while (go_on) {
    more.zero();
    bfs_visit<<<blocks, kBlock>>>(first, target, frontier, next, visited, dhops, nodes);
    bfs_advance<<<blocks, kBlock>>>(frontier, next, visited, more, nodes);
    workload::finish_kernels();
    go_on = more.download()[0];
  }

  workload::Verdict verdict;
  verdict.equal("hops", dhops.download(), reference(g));
  return verdict.done();
}
