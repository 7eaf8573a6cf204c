// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and their kin, over the lanes of a tile or of a coalesced group.
#pragma once

#include "reduce.h"

#if defined(__CUDA__)

namespace cooperative_groups {

template <class Group_, class Type_, class Operation_>
static __device__ __forceinline__ Type_ inclusive_scan(const Group_& group, Type_ value,
                                                       Operation_ operation) {
  const unsigned int threads = group.num_threads(), rank = group.thread_rank();
  for (unsigned int reach = 1; reach < threads; reach *= 2) {
    const Type_ other = group.shfl_up(value, reach);
    if (rank >= reach) value = operation(other, value);
  }
  return value;
}
template <class Group_, class Type_>
static __device__ __forceinline__ Type_ inclusive_scan(const Group_& group, Type_ value) {
  return inclusive_scan(group, value, plus<Type_>());
}

/// The first lane gets Type_().
template <class Group_, class Type_, class Operation_>
static __device__ __forceinline__ Type_ exclusive_scan(const Group_& group, Type_ value,
                                                       Operation_ operation) {
  const Type_ before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? Type_() : before;
}
template <class Group_, class Type_>
static __device__ __forceinline__ Type_ exclusive_scan(const Group_& group, Type_ value) {
  return exclusive_scan(group, value, plus<Type_>());
}

}  // namespace cooperative_groups

#endif
