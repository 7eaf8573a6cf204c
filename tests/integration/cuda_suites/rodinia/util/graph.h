// SPDX-License-Identifier: Apache-2.0
#ifndef GRAPH_H
#define GRAPH_H
#ifdef __cplusplus
extern "C" {
#endif
struct graph {
  int nodes, edges;
  int *first; /* nodes + 1 */
  int *to, *cost;
};
struct graph *make_graph(int nodes, int degree, unsigned seed);
void free_graph(struct graph *g);
#ifdef __cplusplus
}
#endif
#endif
