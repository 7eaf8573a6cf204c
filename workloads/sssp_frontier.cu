// SPDX-License-Identifier: Apache-2.0
// sssp_frontier [nodes = 4096] [degree = 6]: shortest paths from node 0 of a weighted random graph,
// with a list of the nodes whose distance has changed.
//
// Stands for: SSSP with a frontier, as today's graph libraries run it (sssp.cu looks at all nodes
// each time).
// Memory: a warp takes a node of the list and its lanes the edges: targets and weights are
// coalesced, distances at random addresses with atomic minima; whoever is first to lower a node's
// distance in a step appends it, one atomic addition a warp. The list is small at first and at the
// end, so the machine is often nearly empty.
// Measured (6144 6): coherent, primary-miss-predominant, type 0.
#include "common/graph.hpp"

constexpr int kFar = 1 << 30;
constexpr int kThreads = 128, kWarp = 32;

__global__ void relax(const int* first, const int* target, const int* weight, int* distance,
                      int* listed_in, const int* list, int listed, int* next, int* next_listed,
                      int step) {
  const int lane = threadIdx.x % kWarp;
  const int at = (blockIdx.x * kThreads + threadIdx.x) / kWarp;
  if (at >= listed) return;
  const int v = list[at], end = first[v + 1];
  const int d = distance[v];
  for (int begin = first[v]; begin < end; begin += kWarp) {
    const int e = begin + lane;
    int w = 0;
    bool append = false;
    if (e < end) {
      w = target[e];
      const int through = d + weight[e];
      append =
          atomicMin(&distance[w], through) > through && atomicExch(&listed_in[w], step) != step;
    }
    const unsigned who = __ballot_sync(0xffffffff, append);
    int place = 0;
    if (lane == 0 && who != 0) place = atomicAdd(next_listed, __popc(who));
    place = __shfl_sync(0xffffffff, place, 0) + __popc(who & ((1u << lane) - 1));
    if (append) next[place] = w;
  }
}

int main(int argc, char** argv) {
  const int nodes = workload::size_argument(argc, argv, 1, 4096, 2, 1 << 24);
  const int degree = workload::size_argument(argc, argv, 2, 6, 1, 64);
  workload::no_more_arguments(argc, argv, 2);
  const workload::Graph g = workload::random_graph(nodes, degree, 1);
  std::vector<int> start(nodes, kFar);
  start[0] = 0;
  const workload::DeviceArray<int> first(g.first), target(g.target), weight(g.weight);
  const workload::DeviceArray<int> distance(start), listed_in(nodes), one(nodes), other(nodes);
  workload::DeviceArray<int> next_listed(1);
  CHECK_CUDA(cudaMemset(listed_in, 0, nodes * sizeof(int)));
  CHECK_CUDA(cudaMemset(one, 0, sizeof(int)));  // the list holds node 0

  int listed = 1;
  for (int step = 1; listed > 0; ++step) {
    next_listed.zero();
    const bool odd = step % 2 != 0;
    relax<<<workload::blocks_for(listed, kThreads / kWarp), kThreads>>>(
        first, target, weight, distance, listed_in, odd ? one : other, listed, odd ? other : one,
        next_listed, step);
    workload::finish_kernels();
    listed = next_listed.download()[0];
  }

  workload::Verdict verdict;
  verdict.equal("distance", distance.download(), workload::shortest_paths(g, kFar));
  return verdict.done();
}
