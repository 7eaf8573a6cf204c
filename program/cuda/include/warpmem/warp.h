// SPDX-License-Identifier: Apache-2.0
// Warp-wide functions: shuffles, votes and matches, old and _sync.
#ifndef WARPMEM_WARP_H
#define WARPMEM_WARP_H

#define WARPMEM_WARP static __device__ __forceinline__

// Returns the third operand of shfl: lanes outside the segment in bits 8-12, the clamp in bits 0-4.
WARPMEM_WARP int warpmem_shuffle_control(int width, int clamp) { return (32 - width) << 8 | clamp; }

#define WARPMEM_SHUFFLE(name, mode, clamp, lane_type)                                      \
  WARPMEM_WARP int name##_sync(unsigned mask, int value, lane_type lane, int width = 32) { \
    return __nvvm_shfl_sync_##mode##_i32(mask, value, lane,                                \
                                         warpmem_shuffle_control(width, clamp));           \
  }                                                                                        \
  WARPMEM_SHUFFLE_TYPES(name##_sync, lane_type)                                            \
  template <class Type_>                                                                   \
  WARPMEM_WARP Type_ name(Type_ value, lane_type lane, int width = 32) {                   \
    return name##_sync(__activemask(), value, lane, width);                                \
  }
#define WARPMEM_SHUFFLE_AS(name, type, as, lane_type)                                        \
  WARPMEM_WARP type name(unsigned mask, type value, lane_type lane, int width = 32) {        \
    return __builtin_bit_cast(type, name(mask, __builtin_bit_cast(as, value), lane, width)); \
  }
#define WARPMEM_SHUFFLE_TYPES(name, lane_type)                                                  \
  WARPMEM_SHUFFLE_AS(name, unsigned int, int, lane_type)                                        \
  WARPMEM_SHUFFLE_AS(name, float, int, lane_type)                                               \
  WARPMEM_WARP long long name(unsigned mask, long long value, lane_type lane, int width = 32) { \
    const unsigned low = (unsigned)name(mask, (int)value, lane, width);                         \
    const unsigned high = (unsigned)name(mask, (int)(value >> 32), lane, width);                \
    return (long long)((unsigned long long)high << 32 | low);                                   \
  }                                                                                             \
  WARPMEM_SHUFFLE_AS(name, unsigned long long, long long, lane_type)                            \
  WARPMEM_SHUFFLE_AS(name, long, long long, lane_type)                                          \
  WARPMEM_SHUFFLE_AS(name, unsigned long, long long, lane_type)                                 \
  WARPMEM_SHUFFLE_AS(name, double, long long, lane_type)

WARPMEM_WARP unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
WARPMEM_SHUFFLE(__shfl, idx, 0x1f, int)
WARPMEM_SHUFFLE(__shfl_up, up, 0, unsigned int)
WARPMEM_SHUFFLE(__shfl_down, down, 0x1f, unsigned int)
WARPMEM_SHUFFLE(__shfl_xor, bfly, 0x1f, int)

WARPMEM_WARP int __all_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
WARPMEM_WARP int __any_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
WARPMEM_WARP int __uni_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate);
}
WARPMEM_WARP unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}

#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
#define WARPMEM_MATCH(type, bits, as)                                                         \
  WARPMEM_WARP unsigned int __match_any_sync(unsigned int mask, type value) {                 \
    return __nvvm_match_any_sync_i##bits(mask, __builtin_bit_cast(as, value));                \
  }                                                                                           \
  WARPMEM_WARP unsigned int __match_all_sync(unsigned int mask, type value, int* predicate) { \
    return __nvvm_match_all_sync_i##bits##p(mask, __builtin_bit_cast(as, value), predicate);  \
  }
WARPMEM_MATCH(int, 32, int)
WARPMEM_MATCH(unsigned int, 32, int)
WARPMEM_MATCH(float, 32, int)
WARPMEM_MATCH(long, 64, long long)
WARPMEM_MATCH(unsigned long, 64, long long)
WARPMEM_MATCH(long long, 64, long long)
WARPMEM_MATCH(unsigned long long, 64, long long)
WARPMEM_MATCH(double, 64, long long)
#undef WARPMEM_MATCH
#endif

#define WARPMEM_REDUCE(name, type, instruction)                             \
  WARPMEM_WARP type __reduce_##name##_sync(unsigned int mask, type value) { \
    type result;                                                            \
    asm volatile("redux.sync." instruction " %0, %1, %2;"                   \
                 : "=r"(result)                                             \
                 : "r"(value), "r"(mask)                                    \
                 : "memory");                                               \
    return result;                                                          \
  }
WARPMEM_REDUCE(add, unsigned int, "add.u32")
WARPMEM_REDUCE(add, int, "add.s32")
WARPMEM_REDUCE(min, unsigned int, "min.u32")
WARPMEM_REDUCE(min, int, "min.s32")
WARPMEM_REDUCE(max, unsigned int, "max.u32")
WARPMEM_REDUCE(max, int, "max.s32")
WARPMEM_REDUCE(and, unsigned int, "and.b32")
WARPMEM_REDUCE(or, unsigned int, "or.b32")
WARPMEM_REDUCE(xor, unsigned int, "xor.b32")
#undef WARPMEM_REDUCE

#undef WARPMEM_SHUFFLE
#undef WARPMEM_SHUFFLE_AS
#undef WARPMEM_SHUFFLE_TYPES
#undef WARPMEM_WARP

#endif
