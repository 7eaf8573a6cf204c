// SPDX-License-Identifier: Apache-2.0
#include <cuda.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "relax.h"
#include "relax_kernel.cu"

static void check_error(const char *what) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(-1);
}

void run_relax(const struct graph *g, int source, int *distance) {
  int *d_first, *d_to, *d_cost, *d_distance, *d_changed;
  cudaMalloc((void **)&d_first, (g->nodes + 1) * sizeof(int));
  cudaMalloc((void **)&d_to, g->edges * sizeof(int));
  cudaMalloc((void **)&d_cost, g->edges * sizeof(int));
  cudaMalloc((void **)&d_distance, g->nodes * sizeof(int));
  cudaMalloc((void **)&d_changed, sizeof(int));
  cudaMemcpy(d_first, g->first, (g->nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_to, g->to, g->edges * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_cost, g->cost, g->edges * sizeof(int), cudaMemcpyHostToDevice);
  for (int n = 0; n < g->nodes; n++) distance[n] = INT_MAX;
  distance[source] = 0;
  cudaMemcpy(d_distance, distance, g->nodes * sizeof(int), cudaMemcpyHostToDevice);
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaBindTexture(0, &t_cost, d_cost, &channels, g->edges * sizeof(int));
  check_error("set-up");

  dim3 grid((g->nodes + BLOCK_SIZE - 1) / BLOCK_SIZE, 1, 1);
  dim3 threads(BLOCK_SIZE, 1, 1);
  int changed, rounds = 0;
  do {
    changed = 0;
    cudaMemcpy(d_changed, &changed, sizeof(int), cudaMemcpyHostToDevice);
    relax<<<grid, threads, 0>>>(d_first, d_to, d_distance, d_changed, g->nodes);
    cudaThreadSynchronize();
    check_error("relax");
    cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    rounds++;
  } while (changed && rounds < g->nodes);
  cudaMemcpy(distance, d_distance, g->nodes * sizeof(int), cudaMemcpyDeviceToHost);
  cudaUnbindTexture(t_cost);
  cudaFree(d_first), cudaFree(d_to), cudaFree(d_cost), cudaFree(d_distance), cudaFree(d_changed);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s NODES\n", argv[0]);
    return 1;
  }
  struct graph *g = make_graph(atoi(argv[1]), 3, 7);
  int *distance = (int *)malloc(g->nodes * sizeof(int));
  run_relax(g, 0, distance);
  const int wrong = check_distances(g, 0, distance);
  printf("%s\n", wrong ? "FAIL" : "PASS");
  free(distance);
  free_graph(g);
  return wrong != 0;
}
