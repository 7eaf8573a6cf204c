// SPDX-License-Identifier: Apache-2.0
#include "graph.h"

#include <stdlib.h>

struct graph *make_graph(int nodes, int degree, unsigned seed) {
  struct graph *g = malloc(sizeof *g); /* C: no cast */
  int new = 0;                         /* not a word of C++ */
  g->nodes = nodes;
  g->edges = nodes * degree;
  g->first = malloc((nodes + 1) * sizeof(int));
  g->to = malloc(g->edges * sizeof(int));
  g->cost = malloc(g->edges * sizeof(int));
  for (int n = 0; n < nodes; ++n) {
    g->first[n] = new;
    for (int d = 0; d < degree; ++d, ++new) {
      seed = seed * 1664525u + 1013904223u;
      g->to[new] = (int)(seed >> 8) % nodes;
      g->cost[new] = 1 + (int)(seed >> 28);
    }
  }
  g->first[nodes] = new;
  return g;
}

void free_graph(struct graph *g) {
  free(g->first);
  free(g->to);
  free(g->cost);
  free(g);
}
