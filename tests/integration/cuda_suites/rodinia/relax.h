// SPDX-License-Identifier: Apache-2.0
#ifndef RELAX_H
#define RELAX_H
#include "graph.h"
void run_relax(const struct graph *g, int source, int *distance);
int check_distances(const struct graph *g, int source, const int *distance);
#endif
