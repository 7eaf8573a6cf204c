// SPDX-License-Identifier: Apache-2.0
// A random directed graph in compressed sparse rows: node v's edges are target[first[v]] ..
// target[first[v + 1] - 1].
#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "check.hpp"

namespace workload {

struct Graph {
  std::vector<int> first;   ///< nodes + 1
  std::vector<int> target;  ///< edges
  std::vector<int> weight;  ///< edges, 1..kMostWeight
  static constexpr int kMostWeight = 10;
  int nodes() const { return static_cast<int>(first.size()) - 1; }
  int edges() const { return static_cast<int>(target.size()); }
};

/// Degrees are uneven (1 to 2 * `degree` - 1, some eight times that), targets uniform, and node v
/// has an edge to v + 1, so that all nodes can be reached from node 0.
inline Graph random_graph(int nodes, int degree, std::uint64_t seed) {
  Random random(seed);
  Graph g;
  g.first.reserve(nodes + 1);
  for (int v = 0; v < nodes; ++v) {
    g.first.push_back(g.edges());
    int edges = 1 + static_cast<int>(random.below(2 * degree - 1));
    if (random.below(64) == 0) edges *= 8;
    g.target.push_back((v + 1) % nodes);
    for (int e = 1; e < edges; ++e) g.target.push_back(static_cast<int>(random.below(nodes)));
  }
  g.first.push_back(g.edges());
  for (int e = 0; e < g.edges(); ++e)
    g.weight.push_back(1 + static_cast<int>(random.below(Graph::kMostWeight)));
  return g;
}

/// Lengths of the shortest paths from node 0 (Dijkstra), `far` where there is none.
inline std::vector<int> shortest_paths(const Graph& g, int far) {
  std::vector<int> distance(g.nodes(), far);
  using Entry = std::pair<int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> open;
  open.push({distance[0] = 0, 0});
  while (!open.empty()) {
    const int d = open.top().first, v = open.top().second;
    open.pop();
    if (d > distance[v]) continue;
    for (int e = g.first[v]; e < g.first[v + 1]; ++e)
      if (d + g.weight[e] < distance[g.target[e]])
        open.push({distance[g.target[e]] = d + g.weight[e], g.target[e]});
  }
  return distance;
}

}  // namespace workload
