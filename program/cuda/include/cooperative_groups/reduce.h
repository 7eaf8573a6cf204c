// SPDX-License-Identifier: Apache-2.0
// Reductions over the lanes of a tile or of a coalesced group.
#pragma once

#include "../cooperative_groups.h"

#if defined(__CUDA__)

namespace cooperative_groups {

#define WARPMEM_OPERATION(name, expression)                                                  \
  template <class Type_ = void>                                                              \
  struct name {                                                                              \
    __device__ Type_ operator()(const Type_& a, const Type_& b) const { return expression; } \
  };                                                                                         \
  template <>                                                                                \
  struct name<void> {                                                                        \
    template <class Value_>                                                                  \
    __device__ Value_ operator()(const Value_& a, const Value_& b) const {                   \
      return expression;                                                                     \
    }                                                                                        \
  };
WARPMEM_OPERATION(plus, a + b)
WARPMEM_OPERATION(less, b < a ? b : a)
WARPMEM_OPERATION(greater, a < b ? b : a)
WARPMEM_OPERATION(bit_and, a& b)
WARPMEM_OPERATION(bit_or, a | b)
WARPMEM_OPERATION(bit_xor, a ^ b)
#undef WARPMEM_OPERATION

/// Every lane gets the result.
template <class Group_, class Type_, class Operation_>
static __device__ __forceinline__ Type_ reduce(const Group_& group, Type_ value,
                                               Operation_ operation) {
  const unsigned int threads = group.num_threads(), rank = group.thread_rank();
  unsigned int reach = 1;
  while (reach < threads) reach *= 2;
  for (reach /= 2; reach > 0; reach /= 2) {
    const Type_ other = group.shfl_down(value, reach);
    if (rank < reach && rank + reach < threads) value = operation(value, other);
  }
  return group.shfl(value, 0);
}
template <class Group_, class Type_>
static __device__ __forceinline__ Type_ reduce(const Group_& group, Type_ value) {
  return reduce(group, value, plus<Type_>());
}

}  // namespace cooperative_groups

#endif
