// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: the grid, the cluster, the block, tiles of a warp, the active lanes. Groups
// of several devices, and tiles larger than a warp, are not there.
#pragma once
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__CUDA__)

#include "warpmem/group_lanes.h"

namespace cooperative_groups {

/// A group whose kind is known when the program runs: the block, or lanes of a warp.
class thread_group {
 public:
  /// Lanes of the own warp; none: the block.
  __device__ explicit thread_group(unsigned int lanes = 0) : lanes_(lanes) {}
  __device__ unsigned int num_threads() const {
    return lanes_ != 0 ? __popc(lanes_) : warpmem_groups::block_threads();
  }
  __device__ unsigned int size() const { return num_threads(); }
  __device__ unsigned int thread_rank() const {
    return lanes_ != 0 ? warpmem_groups::rank_in(lanes_) : warpmem_groups::rank_in_block();
  }
  __device__ void sync() const {
    if (lanes_ != 0)
      __syncwarp(lanes_);
    else
      __syncthreads();
  }
  __device__ bool is_valid() const { return true; }

 protected:
  unsigned int lanes_;
};

/// The threads of a block.
class thread_block : public thread_group {
 public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned int num_threads() { return warpmem_groups::block_threads(); }
  static __device__ unsigned int size() { return num_threads(); }
  static __device__ unsigned int thread_rank() { return warpmem_groups::rank_in_block(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return group_dim(); }
};
static __device__ __forceinline__ thread_block this_thread_block() { return thread_block(); }

/// All threads of a launch; sync() needs cudaLaunchCooperativeKernel.
class grid_group {
 public:
  static __device__ bool is_valid() { return warpmem_groups::grid_barrier() != nullptr; }
  /// Every block adds to one word in device memory, and the thread that did so for it looks at its
  /// highest bit, which changes when the last one has come.
  static __device__ void sync() {
    __syncthreads();
    if (warpmem_groups::rank_in_block() == 0) warpmem_groups::meet_other_blocks(num_blocks());
    __syncthreads();
  }
  static __device__ unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static __device__ unsigned long long num_threads() {
    return num_blocks() * warpmem_groups::block_threads();
  }
  static __device__ unsigned long long size() { return num_threads(); }
  static __device__ unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * warpmem_groups::block_threads() + warpmem_groups::rank_in_block();
  }
  static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 group_dim() { return dim_blocks(); }
};
static __device__ __forceinline__ grid_group this_grid() { return grid_group(); }

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

/// Some lanes of a warp: those that execute together when the group is made, or a part of another
/// group. Ranks count the lanes of the group.
class coalesced_group : public thread_group {
 public:
  __device__ explicit coalesced_group(unsigned int lanes, unsigned int meta_rank = 0,
                                      unsigned int meta_size = 1)
      : thread_group(lanes), meta_rank_(meta_rank), meta_size_(meta_size) {}
  __device__ void sync() const { __syncwarp(lanes_); }
  __device__ unsigned int num_threads() const { return __popc(lanes_); }
  __device__ unsigned int size() const { return num_threads(); }
  __device__ unsigned int thread_rank() const { return warpmem_groups::rank_in(lanes_); }
  __device__ unsigned int meta_group_rank() const { return meta_rank_; }
  __device__ unsigned int meta_group_size() const { return meta_size_; }
  template <class Type_>
  __device__ Type_ shfl(const Type_& value, int rank) const {
    return warpmem_groups::from_lane(lanes_, value,
                                     warpmem_groups::lane_of(lanes_, rank % num_threads()));
  }
  /// The own value where the group has no such lane.
  template <class Type_>
  __device__ Type_ shfl_up(const Type_& value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return shfl(value, by <= rank ? rank - by : rank);
  }
  template <class Type_>
  __device__ Type_ shfl_down(const Type_& value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return shfl(value, by < num_threads() - rank ? rank + by : rank);
  }
  __device__ int any(int predicate) const { return __ballot_sync(lanes_, predicate) != 0; }
  __device__ int all(int predicate) const { return __ballot_sync(lanes_, predicate) == lanes_; }
  __device__ unsigned int ballot(int predicate) const {
    return warpmem_groups::packed(__ballot_sync(lanes_, predicate), lanes_);
  }
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
  template <class Type_>
  __device__ unsigned int match_any(Type_ value) const {
    return warpmem_groups::packed(__match_any_sync(lanes_, value), lanes_);
  }
  template <class Type_>
  __device__ unsigned int match_all(Type_ value, int& same) const {
    return warpmem_groups::packed(__match_all_sync(lanes_, value, &same), lanes_);
  }
#endif
  __device__ unsigned int warpmem_lanes() const { return lanes_; }

 private:
  unsigned int meta_rank_, meta_size_;
};
static __device__ __forceinline__ coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// A tile is kSize_ neighbouring lanes of a warp, a power of two up to 32. It knows which tile of
/// its parent it is where that is the block.
template <unsigned int kSize_, class Parent_ = void>
class thread_block_tile : public thread_group {
  static_assert(kSize_ > 0 && kSize_ <= 32 && (kSize_ & (kSize_ - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ explicit thread_block_tile(unsigned int meta_rank = 0, unsigned int meta_size = 1)
      : thread_group(mask()), meta_rank_(meta_rank), meta_size_(meta_size) {}
  /// A tile is one whatever it was made of.
  template <class Other_>
  __device__ thread_block_tile(const thread_block_tile<kSize_, Other_>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}
  static __device__ void sync() { __syncwarp(mask()); }
  static constexpr __device__ unsigned int num_threads() { return kSize_; }
  static constexpr __device__ unsigned int size() { return kSize_; }
  static __device__ unsigned int thread_rank() { return warpmem_groups::lane() & (kSize_ - 1); }
  __device__ unsigned int meta_group_rank() const { return meta_rank_; }
  __device__ unsigned int meta_group_size() const { return meta_size_; }
  template <class Type_>
  __device__ Type_ shfl(const Type_& value, int rank) const {
    return warpmem_groups::from_lane(mask(), value, first() + (rank & (kSize_ - 1)));
  }
  template <class Type_>
  __device__ Type_ shfl_up(const Type_& value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return shfl(value, by <= rank ? rank - by : rank);
  }
  template <class Type_>
  __device__ Type_ shfl_down(const Type_& value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return shfl(value, by < kSize_ - rank ? rank + by : rank);
  }
  template <class Type_>
  __device__ Type_ shfl_xor(const Type_& value, unsigned int by) const {
    const unsigned int rank = thread_rank();
    return shfl(value, (rank ^ by) < kSize_ ? rank ^ by : rank);
  }
  __device__ int any(int predicate) const { return ballot(predicate) != 0; }
  __device__ int all(int predicate) const { return ballot(predicate) == lanes(); }
  __device__ unsigned int ballot(int predicate) const {
    return (__ballot_sync(mask(), predicate) >> first()) & lanes();
  }
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
  template <class Type_>
  __device__ unsigned int match_any(Type_ value) const {
    return (__match_any_sync(mask(), value) >> first()) & lanes();
  }
  template <class Type_>
  __device__ unsigned int match_all(Type_ value, int& same) const {
    return (__match_all_sync(mask(), value, &same) >> first()) & lanes();
  }
#endif
  __device__ unsigned int warpmem_lanes() const { return mask(); }

 private:
  static __device__ unsigned int lanes() { return 0xffffffffu >> (32 - kSize_); }
  static __device__ unsigned int first() { return warpmem_groups::lane() & ~(kSize_ - 1); }
  static __device__ unsigned int mask() { return lanes() << first(); }
  unsigned int meta_rank_, meta_size_;
};

template <unsigned int kSize_>
static __device__ __forceinline__ thread_block_tile<kSize_, thread_block> tiled_partition(
    const thread_block& block) {
  return thread_block_tile<kSize_, thread_block>(block.thread_rank() / kSize_,
                                                 (block.num_threads() + kSize_ - 1) / kSize_);
}
/// The group of the calling thread alone.
static __device__ __forceinline__ thread_block_tile<1, thread_block> this_thread() {
  return tiled_partition<1>(this_thread_block());
}
template <unsigned int kSize_, unsigned int kOuter_, class Parent_>
static __device__ __forceinline__ thread_block_tile<kSize_, thread_block_tile<kOuter_, Parent_>>
tiled_partition(const thread_block_tile<kOuter_, Parent_>& outer) {
  static_assert(kSize_ <= kOuter_, "a part is no larger than the whole");
  return thread_block_tile<kSize_, thread_block_tile<kOuter_, Parent_>>(
      outer.thread_rank() / kSize_, kOuter_ / kSize_);
}
/// Parts of `size` ranks each, a power of two up to 32; the last may be smaller.
static __device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group& outer,
                                                                  unsigned int size) {
  const unsigned int part = outer.thread_rank() / size;
  return coalesced_group(warpmem_groups::ranks_of(outer.warpmem_lanes(), part * size, size), part,
                         (outer.num_threads() + size - 1) / size);
}
template <unsigned int kSize_>
static __device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group& outer) {
  return tiled_partition(outer, kSize_);
}
static __device__ __forceinline__ thread_group tiled_partition(const thread_block& block,
                                                               unsigned int size) {
  const unsigned int lane = warpmem_groups::lane(),
                     left = block.num_threads() - (block.thread_rank() - lane);
  const unsigned int warp = left >= 32 ? 0xffffffffu : (1u << left) - 1;
  return thread_group(warpmem_groups::ranks_of(warp, lane / size * size, size));
}
static __device__ __forceinline__ thread_group tiled_partition(const thread_group& outer,
                                                               unsigned int size) {
  return tiled_partition(this_thread_block(), size < outer.size() ? size : outer.size());
}

/// The lanes of a group with the same answer.
template <class Group_>
static __device__ __forceinline__ coalesced_group binary_partition(const Group_& group,
                                                                   bool predicate) {
  const unsigned int lanes = group.warpmem_lanes(), yes = __ballot_sync(lanes, predicate);
  return coalesced_group(predicate ? yes : lanes & ~yes, predicate ? 0 : 1, 2);
}
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
/// The lanes of a group with the same label.
template <class Group_, class Label_>
static __device__ __forceinline__ coalesced_group labeled_partition(const Group_& group,
                                                                    Label_ label) {
  return coalesced_group(__match_any_sync(group.warpmem_lanes(), label));
}
#endif

template <class Group_>
static __device__ __forceinline__ void sync(const Group_& group) {
  group.sync();
}
template <class Group_>
static __device__ __forceinline__ unsigned int thread_rank(const Group_& group) {
  return group.thread_rank();
}
template <class Group_>
static __device__ __forceinline__ unsigned int group_size(const Group_& group) {
  return group.size();
}

}  // namespace cooperative_groups

#endif
