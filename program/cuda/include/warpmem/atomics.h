// SPDX-License-Identifier: Apache-2.0
// Atomic functions. The compiler's builtins know the address space, so each becomes one
// atom.global, atom.shared or generic atom.
#pragma once

#include "../host_defines.h"
#include "../vector_types.h"

#if defined(__CUDA__)

#define WARPMEM_INLINE static __inline__ __attribute__((always_inline)) __device__

// Functions that CUDA has for some GPUs, or not at all, are templates: they give way to the
// program's own of the same name and types, as many define for atomicAdd(double*, double).
template <class Type_, class Wanted_>
struct warpmem_only {};
template <class Type_>
struct warpmem_only<Type_, Type_> {
  typedef Type_ only;
};
#define WARPMEM_ONLY(wanted) typename warpmem_only<Type_, wanted>::only
#define WARPMEM_YIELDING_ATOMIC(name, type, builtin)                                 \
  template <class Type_>                                                             \
  WARPMEM_INLINE WARPMEM_ONLY(type) name(Type_* address, WARPMEM_ONLY(type) value) { \
    return static_cast<type>(builtin);                                               \
  }

#define WARPMEM_ATOMIC(name, type, builtin) \
  WARPMEM_INLINE type name(type* address, type value) { return static_cast<type>(builtin); }
// The scope changes nothing here: an atomic is performed in one place, the L2.
#define WARPMEM_ATOMIC_SCOPES(name, type, builtin) \
  WARPMEM_ATOMIC(name, type, builtin)              \
  WARPMEM_ATOMIC(name##_block, type, builtin)      \
  WARPMEM_ATOMIC(name##_system, type, builtin)
#define WARPMEM_YIELDING_ATOMIC_SCOPES(name, type, builtin) \
  WARPMEM_YIELDING_ATOMIC(name, type, builtin)              \
  WARPMEM_YIELDING_ATOMIC(name##_block, type, builtin)      \
  WARPMEM_YIELDING_ATOMIC(name##_system, type, builtin)

WARPMEM_ATOMIC_SCOPES(atomicAdd, int, __nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicAdd, unsigned int,
                      __nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicAdd, unsigned long long,
                      __nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicAdd, unsigned long,
                               __nvvm_atom_add_gen_l(reinterpret_cast<long*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicExch, int,
                      __nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicExch, unsigned int,
                      __nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicExch, unsigned long long,
                      __nvvm_atom_xchg_gen_ll(reinterpret_cast<long long*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicExch, unsigned long,
                               __nvvm_atom_xchg_gen_l(reinterpret_cast<long*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicAnd, int, __nvvm_atom_and_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicAnd, unsigned int,
                      __nvvm_atom_and_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicAnd, unsigned long long,
                      __nvvm_atom_and_gen_ll(reinterpret_cast<long long*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicAnd, unsigned long,
                               __nvvm_atom_and_gen_l(reinterpret_cast<long*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicOr, int, __nvvm_atom_or_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicOr, unsigned int,
                      __nvvm_atom_or_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicOr, unsigned long long,
                      __nvvm_atom_or_gen_ll(reinterpret_cast<long long*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicOr, unsigned long,
                               __nvvm_atom_or_gen_l(reinterpret_cast<long*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicXor, int, __nvvm_atom_xor_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicXor, unsigned int,
                      __nvvm_atom_xor_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicXor, unsigned long long,
                      __nvvm_atom_xor_gen_ll(reinterpret_cast<long long*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicXor, unsigned long,
                               __nvvm_atom_xor_gen_l(reinterpret_cast<long*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicMin, int, __nvvm_atom_min_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicMin, unsigned int,
                      __nvvm_atom_min_gen_ui(reinterpret_cast<unsigned int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicMin, long long,
                      __nvvm_atom_min_gen_ll(reinterpret_cast<long long*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicMin, unsigned long long,
                      __nvvm_atom_min_gen_ull(reinterpret_cast<unsigned long long*>(address),
                                              value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicMin, long,
                               __nvvm_atom_min_gen_l(reinterpret_cast<long*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicMin, unsigned long,
                               __nvvm_atom_min_gen_ul(reinterpret_cast<unsigned long*>(address),
                                                      value))
WARPMEM_ATOMIC_SCOPES(atomicMax, int, __nvvm_atom_max_gen_i(reinterpret_cast<int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicMax, unsigned int,
                      __nvvm_atom_max_gen_ui(reinterpret_cast<unsigned int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicMax, long long,
                      __nvvm_atom_max_gen_ll(reinterpret_cast<long long*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicMax, unsigned long long,
                      __nvvm_atom_max_gen_ull(reinterpret_cast<unsigned long long*>(address),
                                              value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicMax, long,
                               __nvvm_atom_max_gen_l(reinterpret_cast<long*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicMax, unsigned long,
                               __nvvm_atom_max_gen_ul(reinterpret_cast<unsigned long*>(address),
                                                      value))
WARPMEM_ATOMIC_SCOPES(atomicAdd, float,
                      __nvvm_atom_add_gen_f(reinterpret_cast<float*>(address), value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicAdd, double,
                               __nvvm_atom_add_gen_d(reinterpret_cast<double*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicInc, unsigned int,
                      __nvvm_atom_inc_gen_ui(reinterpret_cast<unsigned int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicDec, unsigned int,
                      __nvvm_atom_dec_gen_ui(reinterpret_cast<unsigned int*>(address), value))
WARPMEM_ATOMIC_SCOPES(atomicExch, float,
                      __builtin_bit_cast(float,
                                         __nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(address),
                                                                __builtin_bit_cast(int, value))))
WARPMEM_ATOMIC_SCOPES(atomicSub, int, atomicAdd(address, -value))
WARPMEM_ATOMIC_SCOPES(atomicSub, unsigned int, atomicAdd(address, 0u - value))

#define WARPMEM_CAS(name, type, builtin, same)                                                     \
  WARPMEM_INLINE type name(type* address, type compare, type value) {                              \
    return static_cast<type>(builtin(reinterpret_cast<same*>(address), static_cast<same>(compare), \
                                     static_cast<same>(value)));                                   \
  }
#define WARPMEM_YIELDING_CAS(name, type, builtin, same)                                            \
  template <class Type_>                                                                           \
  WARPMEM_INLINE WARPMEM_ONLY(type)                                                                \
      name(Type_* address, WARPMEM_ONLY(type) compare, WARPMEM_ONLY(type) value) {                 \
    return static_cast<type>(builtin(reinterpret_cast<same*>(address), static_cast<same>(compare), \
                                     static_cast<same>(value)));                                   \
  }
#define WARPMEM_CAS_SCOPES(make, type, builtin, same)                             \
  make(atomicCAS, type, builtin, same) make(atomicCAS_block, type, builtin, same) \
      make(atomicCAS_system, type, builtin, same)
WARPMEM_CAS_SCOPES(WARPMEM_CAS, int, __nvvm_atom_cas_gen_i, int)
WARPMEM_CAS_SCOPES(WARPMEM_CAS, unsigned int, __nvvm_atom_cas_gen_i, int)
WARPMEM_CAS_SCOPES(WARPMEM_YIELDING_CAS, unsigned long, __nvvm_atom_cas_gen_l, long)
WARPMEM_CAS_SCOPES(WARPMEM_CAS, unsigned long long, __nvvm_atom_cas_gen_ll, long long)

#if defined(__CUDA_ARCH__)
#define WARPMEM_DEVICE_ASM(...) asm volatile(__VA_ARGS__)
#else
#define WARPMEM_DEVICE_ASM(...)
#endif
WARPMEM_INLINE unsigned short warpmem_cas_of_short(unsigned short* address, unsigned short compare,
                                                   unsigned short value) {
  unsigned short old = 0;
  WARPMEM_DEVICE_ASM("atom.cas.b16 %0, [%1], %2, %3;"
                     : "=h"(old)
                     : "l"(address), "h"(compare), "h"(value)
                     : "memory");
  return old;
}
WARPMEM_CAS_SCOPES(WARPMEM_YIELDING_CAS, unsigned short, warpmem_cas_of_short, unsigned short)

// Vectors are added element by element.
#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)
WARPMEM_INLINE float2 warpmem_add_float2(float2* address, float2 value) {
  float2 old = {};
  WARPMEM_DEVICE_ASM("atom.add.v2.f32 {%0, %1}, [%2], {%3, %4};"
                     : "=f"(old.x), "=f"(old.y)
                     : "l"(address), "f"(value.x), "f"(value.y)
                     : "memory");
  return old;
}
WARPMEM_INLINE float4 warpmem_add_float4(float4* address, float4 value) {
  float4 old = {};
  WARPMEM_DEVICE_ASM("atom.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
                     : "=f"(old.x), "=f"(old.y), "=f"(old.z), "=f"(old.w)
                     : "l"(address), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w)
                     : "memory");
  return old;
}
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicAdd, float2, warpmem_add_float2(address, value))
WARPMEM_YIELDING_ATOMIC_SCOPES(atomicAdd, float4, warpmem_add_float4(address, value))
#endif
#undef WARPMEM_DEVICE_ASM

#undef WARPMEM_CAS_SCOPES
#undef WARPMEM_YIELDING_CAS
#undef WARPMEM_CAS
#undef WARPMEM_YIELDING_ATOMIC_SCOPES
#undef WARPMEM_ATOMIC_SCOPES
#undef WARPMEM_YIELDING_ATOMIC
#undef WARPMEM_ATOMIC
#undef WARPMEM_ONLY
#undef WARPMEM_INLINE

#endif
