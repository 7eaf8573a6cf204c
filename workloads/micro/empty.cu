// SPDX-License-Identifier: Apache-2.0
// Blocks of one warp that do nothing: what a launch takes, and how fast blocks begin.
//
// arguments: [BLOCKS [blocks of a cluster, 1 or 4]] (1, 1)
#include "../common/check.hpp"

__global__ void empty() {}
__global__ void __cluster_dims__(4) empty_clusters() {}

int main(int argc, char** argv) {
  const int blocks = workload::size_argument(argc, argv, 1, 1);
  const bool clusters = workload::size_argument(argc, argv, 2, 1, 1, 4) > 1;
  workload::no_more_arguments(argc, argv, 2);
  if (clusters)
    empty_clusters<<<blocks, 32>>>();
  else
    empty<<<blocks, 32>>>();
  workload::finish_kernels();
  return workload::Verdict().done();
}
