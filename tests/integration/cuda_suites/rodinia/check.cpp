// SPDX-License-Identifier: Apache-2.0
// This is Bellman-Ford on the host.
#include <climits>
#include <vector>

#include "relax.h"

int check_distances(const graph *g, int source, const int *distance) {
  std::vector<int> d(g->nodes, INT_MAX);
  d[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int n = 0; n < g->nodes; ++n)
      for (int e = g->first[n]; d[n] != INT_MAX && e < g->first[n + 1]; ++e)
        if (d[n] + g->cost[e] < d[g->to[e]]) {
          d[g->to[e]] = d[n] + g->cost[e];
          changed = true;
        }
  }
  int wrong = 0;
  for (int n = 0; n < g->nodes; ++n) wrong += d[n] != distance[n];
  return wrong;
}
