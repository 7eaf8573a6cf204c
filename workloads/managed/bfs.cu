// SPDX-License-Identifier: Apache-2.0
// bfs [kib = 1024] [form = 0]: hops of every node from node 0 of a random graph that takes about
// kib KiB, a launch a level; the host looks after each whether there was a further one.
//
// Pages: a level reads the edge lists of its nodes and, in no order, the states of their targets;
// most pages are used in several levels. One page goes to the host and back between launches.
#include <queue>

#include "../common/graph.hpp"
#include "managed.hpp"

__global__ void visit(const int* first, const int* target, int* hops, int* found, int nodes,
                      int level) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= nodes || hops[v] != level) return;
  for (int e = first[v]; e < first[v + 1]; ++e)
    if (atomicCAS(&hops[target[e]], -1, level + 1) == -1) *found = level + 1;
}

int main(int argc, char** argv) {
  constexpr int kDegree = 8;
  const int kib = workload::size_argument(argc, argv, 1, 1024, 1, 1 << 20);
  const workload::Form form = workload::form_argument(argc, argv, 2);
  workload::no_more_arguments(argc, argv, 2);
  const int nodes = kib * 1024 / (4 * (kDegree + 2)) + 2;
  const workload::Graph g = workload::random_graph(nodes, kDegree, 1);
  std::vector<int> hops(nodes, -1);
  hops[0] = 0;
  const workload::SharedArray<int> first(g.first, form), target(g.target, form), dhops(hops, form);
  const workload::SharedArray<int> found(1, 0, form);

  constexpr unsigned kBlock = 128;
  for (int level = 0; found.read(0) == level; ++level) {
    visit<<<workload::blocks_for(nodes, kBlock), kBlock>>>(first, target, dhops, found, nodes,
                                                           level);
    workload::finish_kernels();
  }

  std::queue<int> open;
  for (open.push(0); !open.empty(); open.pop()) {
    const int v = open.front();
    for (int e = g.first[v]; e < g.first[v + 1]; ++e) {
      if (hops[g.target[e]] >= 0) continue;
      hops[g.target[e]] = hops[v] + 1;
      open.push(g.target[e]);
    }
  }
  workload::Verdict verdict;
  verdict.equal("hops", dhops.read(), hops);
  return verdict.done();
}
