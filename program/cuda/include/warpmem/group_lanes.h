// SPDX-License-Identifier: Apache-2.0
// What cooperative groups are made of: lanes of a warp as bits, values of any type from other
// lanes, and the barrier of a grid.
#pragma once

#include <string.h>

namespace warpmem_groups {

static __device__ __forceinline__ unsigned int block_threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
static __device__ __forceinline__ unsigned int rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ unsigned int lane() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
/// How many of the lanes come before the own one.
static __device__ __forceinline__ unsigned int rank_in(unsigned int lanes) {
  return __popc(lanes & ((1u << lane()) - 1));
}
/// The lane that has so many of the lanes before it. Precondition: there is one.
static __device__ __forceinline__ unsigned int lane_of(unsigned int lanes, unsigned int rank) {
  unsigned int found = 0;
  for (unsigned int width = 16; width > 0; width /= 2) {
    const unsigned int below = __popc(lanes >> found & ((1u << width) - 1));
    if (rank < below) continue;
    rank -= below;
    found += width;
  }
  return found;
}
/// The lanes of ranks [first, first + count).
static __device__ __forceinline__ unsigned int ranks_of(unsigned int lanes, unsigned int first,
                                                        unsigned int count) {
  unsigned int found = 0;
  const unsigned int all = __popc(lanes);
  for (unsigned int rank = first; rank < first + count && rank < all; ++rank)
    found |= 1u << lane_of(lanes, rank);
  return found;
}
/// The bits of the lanes, one beside the other.
static __device__ __forceinline__ unsigned int packed(unsigned int bits, unsigned int lanes) {
  unsigned int result = 0;
  for (unsigned int rank = 0; lanes != 0; ++rank, lanes &= lanes - 1)
    if ((bits & lanes & (0u - lanes)) != 0) result |= 1u << rank;
  return result;
}
/// The value of that lane of the warp; `lanes` take part.
template <class Type_>
static __device__ __forceinline__ Type_ from_lane(unsigned int lanes, const Type_& value,
                                                  unsigned int lane) {
  constexpr unsigned int kWords = (sizeof(Type_) + 3) / 4;
  unsigned int words[kWords] = {};
  memcpy(words, &value, sizeof(Type_));
  for (unsigned int i = 0; i < kWords; ++i) words[i] = __shfl_sync(lanes, words[i], lane);
  Type_ result;
  memcpy(&result, words, sizeof(Type_));
  return result;
}

/// The word for the grid's barrier; null in a launch that is not cooperative.
static __device__ __forceinline__ unsigned int* grid_barrier() {
  unsigned int low, high;
  asm("mov.u32 %0, %%envreg1;" : "=r"(low));
  asm("mov.u32 %0, %%envreg2;" : "=r"(high));
  return reinterpret_cast<unsigned int*>(static_cast<unsigned long long>(high) << 32 | low);
}
/// For one thread of each block: it returns when all blocks have come.
static __device__ __forceinline__ void meet_other_blocks(unsigned long long blocks) {
  unsigned int* const word = grid_barrier();
  if (word == nullptr)
    __assertfail("the launch is cooperative (cudaLaunchCooperativeKernel)", "cooperative_groups.h",
                 0, "grid_group::sync", sizeof(char));
  constexpr unsigned int kPhase = 0x80000000u;
  const bool first = (blockIdx.x | blockIdx.y | blockIdx.z) == 0;
  __threadfence();
  const unsigned int before =
      atomicAdd(word, first ? kPhase - (static_cast<unsigned int>(blocks) - 1) : 1u);
  while (((before ^ *static_cast<volatile unsigned int*>(word)) & kPhase) == 0) {
  }
  __threadfence();
}

}  // namespace warpmem_groups
