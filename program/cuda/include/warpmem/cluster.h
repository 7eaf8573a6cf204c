// SPDX-License-Identifier: Apache-2.0
// The functions of thread-block clusters, as nvcc has them for sm_90. The asm statements stand for
// any architecture.
#ifndef WARPMEM_CLUSTER_H
#define WARPMEM_CLUSTER_H

#define WARPMEM_CLUSTER_REGISTER(name, special)           \
  static __device__ __forceinline__ unsigned int name() { \
    unsigned int value;                                   \
    asm("mov.u32 %0, %%" special ";" : "=r"(value));      \
    return value;                                         \
  }
#define WARPMEM_CLUSTER_DIM(name, special)                                                  \
  WARPMEM_CLUSTER_REGISTER(warpmem_##special##_x, #special ".x")                            \
  WARPMEM_CLUSTER_REGISTER(warpmem_##special##_y, #special ".y")                            \
  WARPMEM_CLUSTER_REGISTER(warpmem_##special##_z, #special ".z")                            \
  static __device__ __forceinline__ dim3 name() {                                           \
    return dim3(warpmem_##special##_x(), warpmem_##special##_y(), warpmem_##special##_z()); \
  }
WARPMEM_CLUSTER_DIM(__clusterIdx, clusterid)
WARPMEM_CLUSTER_DIM(__clusterGridDimInClusters, nclusterid)
WARPMEM_CLUSTER_DIM(__clusterRelativeBlockIdx, cluster_ctaid)
WARPMEM_CLUSTER_DIM(__clusterDim, cluster_nctaid)
WARPMEM_CLUSTER_REGISTER(__clusterRelativeBlockRank, "cluster_ctarank")
WARPMEM_CLUSTER_REGISTER(__clusterSizeInBlocks, "cluster_nctarank")
#undef WARPMEM_CLUSTER_DIM
#undef WARPMEM_CLUSTER_REGISTER

static __device__ __forceinline__ unsigned int __clusterDimIsSpecified() {
  unsigned int value;
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(value));
  return value;
}
static __device__ __forceinline__ void __cluster_barrier_arrive() {
  asm volatile("barrier.cluster.arrive;" ::: "memory");
}
static __device__ __forceinline__ void __cluster_barrier_arrive_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}
static __device__ __forceinline__ void __cluster_barrier_wait() {
  asm volatile("barrier.cluster.wait;" ::: "memory");
}
static __device__ __forceinline__ unsigned int __cluster_query_shared_rank(const void* address) {
  unsigned int rank;
  asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(address));
  return rank;
}
static __device__ __forceinline__ void* __cluster_map_shared_rank(const void* address,
                                                                  unsigned int rank) {
  void* mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
  return mapped;
}

#endif
