// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: the cluster, the block, tiles of a warp, the active lanes. Larger ones need a
// cooperative launch, which is not supported.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

namespace cooperative_groups {

class thread_block {
 public:
  __device__ void sync() const { __syncthreads(); }
  __device__ unsigned int size() const { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ unsigned int thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ dim3 thread_index() const { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
};
static __device__ __forceinline__ thread_block this_thread_block() { return thread_block(); }

/// The blocks of a cluster, or the block alone where there are none.
class cluster_group {
 public:
  static __device__ void barrier_arrive() {
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  }
  static __device__ void barrier_wait() {
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  }
  static __device__ void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static __device__ unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  static __device__ unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  static __device__ dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static __device__ dim3 dim_blocks() { return __clusterDim(); }
  static __device__ unsigned int thread_rank() {
    const thread_block block = this_thread_block();
    return block_rank() * block.size() + block.thread_rank();
  }
  static __device__ unsigned int num_threads() { return num_blocks() * this_thread_block().size(); }
  static __device__ unsigned int size() { return num_threads(); }
  template <class Type_>
  static __device__ Type_* map_shared_rank(Type_* address, int rank) {
    return static_cast<Type_*>(__cluster_map_shared_rank(address, rank));
  }
  static __device__ unsigned int query_shared_rank(const void* address) {
    return __cluster_query_shared_rank(address);
  }
};
static __device__ __forceinline__ cluster_group this_cluster() { return cluster_group(); }

/// A tile is kSize_ neighbouring lanes of a warp, a power of two up to 32.
template <unsigned int kSize_>
class thread_block_tile {
  static_assert(kSize_ > 0 && kSize_ <= 32 && (kSize_ & (kSize_ - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ void sync() const { __syncwarp(mask()); }
  __device__ unsigned int size() const { return kSize_; }
  __device__ unsigned int thread_rank() const {
    return this_thread_block().thread_rank() & (kSize_ - 1);
  }
  template <class Type_>
  __device__ Type_ shfl(Type_ value, int rank) const {
    return __shfl_sync(mask(), value, rank, kSize_);
  }
  template <class Type_>
  __device__ Type_ shfl_up(Type_ value, unsigned int by) const {
    return __shfl_up_sync(mask(), value, by, kSize_);
  }
  template <class Type_>
  __device__ Type_ shfl_down(Type_ value, unsigned int by) const {
    return __shfl_down_sync(mask(), value, by, kSize_);
  }
  template <class Type_>
  __device__ Type_ shfl_xor(Type_ value, unsigned int by) const {
    return __shfl_xor_sync(mask(), value, by, kSize_);
  }
  __device__ int any(int predicate) const { return ballot(predicate) != 0; }
  __device__ int all(int predicate) const { return ballot(predicate) == lanes(); }
  __device__ unsigned int ballot(int predicate) const {
    return (__ballot_sync(mask(), predicate) >> first()) & lanes();
  }

 private:
  static __device__ unsigned int lanes() { return 0xffffffffu >> (32 - kSize_); }
  static __device__ unsigned int first() {
    return this_thread_block().thread_rank() & 31 & ~(kSize_ - 1);
  }
  static __device__ unsigned int mask() { return lanes() << first(); }
};
template <unsigned int kSize_>
static __device__ __forceinline__ thread_block_tile<kSize_> tiled_partition(const thread_block&) {
  return thread_block_tile<kSize_>();
}

/// These are the lanes of the warp that execute together when the group is made.
class coalesced_group {
 public:
  __device__ explicit coalesced_group(unsigned int mask) : mask_(mask) {}
  __device__ void sync() const { __syncwarp(mask_); }
  __device__ unsigned int size() const { return __popc(mask_); }
  __device__ unsigned int thread_rank() const {
    const unsigned int lane = this_thread_block().thread_rank() & 31;
    return __popc(mask_ & ((1u << lane) - 1));
  }
  /// `rank` counts the lanes of the group.
  template <class Type_>
  __device__ Type_ shfl(Type_ value, int rank) const {
    unsigned int rest = mask_;
    for (int i = 0; i < rank; ++i) rest &= rest - 1;
    return __shfl_sync(mask_, value, __ffs(rest) - 1);
  }

 private:
  unsigned int mask_;
};
static __device__ __forceinline__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <class Group_>
static __device__ __forceinline__ void sync(const Group_& group) {
  group.sync();
}

}  // namespace cooperative_groups

#endif
