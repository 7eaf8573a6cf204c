// SPDX-License-Identifier: Apache-2.0
// Loads through a chosen cache path, funnel shifts, address-space tests.
#ifndef WARPMEM_MEMORY_H
#define WARPMEM_MEMORY_H

#define WARPMEM_LDG(type, letter) \
  static __device__ __forceinline__ type __ldg(const type* p) { return __nvvm_ldg_##letter(p); }
WARPMEM_LDG(char, c)
WARPMEM_LDG(short, s)
WARPMEM_LDG(int, i)
WARPMEM_LDG(long, l)
WARPMEM_LDG(long long, ll)
WARPMEM_LDG(unsigned char, uc)
WARPMEM_LDG(unsigned short, us)
WARPMEM_LDG(unsigned int, ui)
WARPMEM_LDG(unsigned long, ul)
WARPMEM_LDG(unsigned long long, ull)
WARPMEM_LDG(float, f)
WARPMEM_LDG(double, d)
static __device__ __forceinline__ signed char __ldg(const signed char* p) {
  return (signed char)__nvvm_ldg_c((const char*)p);
}
#undef WARPMEM_LDG

// A vector is one load of its whole size.
#define WARPMEM_LDG2(type, element, letter)                     \
  static __device__ __forceinline__ type __ldg(const type* p) { \
    typedef element vector __attribute__((ext_vector_type(2))); \
    const vector v = __nvvm_ldg_##letter##2((const vector*)p);  \
    return type{v[0], v[1]};                                    \
  }
#define WARPMEM_LDG4(type, element, letter)                     \
  static __device__ __forceinline__ type __ldg(const type* p) { \
    typedef element vector __attribute__((ext_vector_type(4))); \
    const vector v = __nvvm_ldg_##letter##4((const vector*)p);  \
    return type{v[0], v[1], v[2], v[3]};                        \
  }
WARPMEM_LDG2(char2, char, c)
WARPMEM_LDG4(char4, char, c)
WARPMEM_LDG2(short2, short, s)
WARPMEM_LDG4(short4, short, s)
WARPMEM_LDG2(int2, int, i)
WARPMEM_LDG4(int4, int, i)
WARPMEM_LDG2(longlong2, long long, ll)
WARPMEM_LDG2(uchar2, unsigned char, uc)
WARPMEM_LDG4(uchar4, unsigned char, uc)
WARPMEM_LDG2(ushort2, unsigned short, us)
WARPMEM_LDG4(ushort4, unsigned short, us)
WARPMEM_LDG2(uint2, unsigned int, ui)
WARPMEM_LDG4(uint4, unsigned int, ui)
WARPMEM_LDG2(ulonglong2, unsigned long long, ull)
WARPMEM_LDG2(float2, float, f)
WARPMEM_LDG4(float4, float, f)
WARPMEM_LDG2(double2, double, d)
#undef WARPMEM_LDG2
#undef WARPMEM_LDG4

static __device__ __forceinline__ unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                                               unsigned int shift) {
  unsigned int r;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));
  return r;
}
static __device__ __forceinline__ unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                                                unsigned int shift) {
  unsigned int r;
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));
  return r;
}
static __device__ __forceinline__ unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                                               unsigned int shift) {
  unsigned int r;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));
  return r;
}
static __device__ __forceinline__ unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                                                unsigned int shift) {
  unsigned int r;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));
  return r;
}

// These are loads and stores with a hint for the caches. `wide` is the type of the registers, which
// for bytes is that of words.
#define WARPMEM_HINTED(load, type, wide, suffix, letter)                                           \
  static __device__ __forceinline__ type __ld##load(const type* p) {                               \
    wide v;                                                                                        \
    asm volatile("ld.global." #load "." #suffix " %0, [%1];" : "=" letter(v) : "l"(p) : "memory"); \
    return (type)v;                                                                                \
  }
#define WARPMEM_HINTED_2(load, type, wide, suffix, letter)                  \
  static __device__ __forceinline__ type##2 __ld##load(const type##2 * p) { \
    wide v[2];                                                              \
    asm volatile("ld.global." #load ".v2." #suffix " {%0, %1}, [%2];"       \
                 : "=" letter(v[0]), "=" letter(v[1])                       \
                 : "l"(p)                                                   \
                 : "memory");                                               \
    type##2 r;                                                              \
    r.x = v[0], r.y = v[1];                                                 \
    return r;                                                               \
  }
#define WARPMEM_HINTED_4(load, type, wide, suffix, letter)                                \
  static __device__ __forceinline__ type##4 __ld##load(const type##4 * p) {               \
    wide v[4];                                                                            \
    asm volatile("ld.global." #load ".v4." #suffix " {%0, %1, %2, %3}, [%4];"             \
                 : "=" letter(v[0]), "=" letter(v[1]), "=" letter(v[2]), "=" letter(v[3]) \
                 : "l"(p)                                                                 \
                 : "memory");                                                             \
    type##4 r;                                                                            \
    r.x = v[0], r.y = v[1], r.z = v[2], r.w = v[3];                                       \
    return r;                                                                             \
  }
#define WARPMEM_HINTED_STORE(store, type, wide, suffix, letter)                         \
  static __device__ __forceinline__ void __st##store(type* p, type v) {                 \
    asm volatile("st.global." #store "." #suffix " [%0], %1;" ::"l"(p), letter((wide)v) \
                 : "memory");                                                           \
  }
#define WARPMEM_HINTED_STORE_2(store, type, wide, suffix, letter)                \
  static __device__ __forceinline__ void __st##store(type##2 * p, type##2 v) {   \
    asm volatile("st.global." #store ".v2." #suffix " [%0], {%1, %2};" ::"l"(p), \
                 letter((wide)v.x), letter((wide)v.y)                            \
                 : "memory");                                                    \
  }
#define WARPMEM_HINTED_STORE_4(store, type, wide, suffix, letter)                           \
  static __device__ __forceinline__ void __st##store(type##4 * p, type##4 v) {              \
    asm volatile("st.global." #store ".v4." #suffix " [%0], {%1, %2, %3, %4};" ::"l"(p),    \
                 letter((wide)v.x), letter((wide)v.y), letter((wide)v.z), letter((wide)v.w) \
                 : "memory");                                                               \
  }
#define WARPMEM_HINTED_ALL(count, type, wide, suffix, letter)                             \
  WARPMEM_HINTED##count(ca, type, wide, suffix, letter)                                   \
      WARPMEM_HINTED##count(cg, type, wide, suffix, letter)                               \
          WARPMEM_HINTED##count(cs, type, wide, suffix, letter)                           \
              WARPMEM_HINTED##count(lu, type, wide, suffix, letter)                       \
                  WARPMEM_HINTED##count(cv, type, wide, suffix, letter)                   \
                      WARPMEM_HINTED_STORE##count(wb, type, wide, suffix, letter)         \
                          WARPMEM_HINTED_STORE##count(cg, type, wide, suffix, letter)     \
                              WARPMEM_HINTED_STORE##count(cs, type, wide, suffix, letter) \
                                  WARPMEM_HINTED_STORE##count(wt, type, wide, suffix, letter)
WARPMEM_HINTED_ALL(, char, int, s8, "r")
WARPMEM_HINTED_ALL(, signed char, int, s8, "r")
WARPMEM_HINTED_ALL(, unsigned char, unsigned int, u8, "r")
WARPMEM_HINTED_ALL(, short, short, s16, "h")
WARPMEM_HINTED_ALL(, unsigned short, unsigned short, u16, "h")
WARPMEM_HINTED_ALL(, int, int, s32, "r")
WARPMEM_HINTED_ALL(, unsigned int, unsigned int, u32, "r")
WARPMEM_HINTED_ALL(, long, long, s64, "l")
WARPMEM_HINTED_ALL(, unsigned long, unsigned long, u64, "l")
WARPMEM_HINTED_ALL(, long long, long long, s64, "l")
WARPMEM_HINTED_ALL(, unsigned long long, unsigned long long, u64, "l")
WARPMEM_HINTED_ALL(, float, float, f32, "f")
WARPMEM_HINTED_ALL(, double, double, f64, "d")
WARPMEM_HINTED_ALL(_2, char, int, s8, "r")
WARPMEM_HINTED_ALL(_4, char, int, s8, "r")
WARPMEM_HINTED_ALL(_2, uchar, unsigned int, u8, "r")
WARPMEM_HINTED_ALL(_4, uchar, unsigned int, u8, "r")
WARPMEM_HINTED_ALL(_2, short, short, s16, "h")
WARPMEM_HINTED_ALL(_4, short, short, s16, "h")
WARPMEM_HINTED_ALL(_2, ushort, unsigned short, u16, "h")
WARPMEM_HINTED_ALL(_4, ushort, unsigned short, u16, "h")
WARPMEM_HINTED_ALL(_2, int, int, s32, "r")
WARPMEM_HINTED_ALL(_4, int, int, s32, "r")
WARPMEM_HINTED_ALL(_2, uint, unsigned int, u32, "r")
WARPMEM_HINTED_ALL(_4, uint, unsigned int, u32, "r")
WARPMEM_HINTED_ALL(_2, longlong, long long, s64, "l")
WARPMEM_HINTED_ALL(_2, ulonglong, unsigned long long, u64, "l")
WARPMEM_HINTED_ALL(_2, float, float, f32, "f")
WARPMEM_HINTED_ALL(_4, float, float, f32, "f")
WARPMEM_HINTED_ALL(_2, double, double, f64, "d")
#undef WARPMEM_HINTED_ALL
#undef WARPMEM_HINTED_STORE_4
#undef WARPMEM_HINTED_STORE_2
#undef WARPMEM_HINTED_STORE
#undef WARPMEM_HINTED_4
#undef WARPMEM_HINTED_2
#undef WARPMEM_HINTED

/// Returns the place of the set bit of `mask` that is `offset` - 1 bits up (offset above 0) or down
/// (below) from that at `base` or the next beyond it; with 0, `base` if its bit is set; else ~0.
static __device__ __forceinline__ unsigned int __fns(unsigned int mask, unsigned int base,
                                                     int offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int at = base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) != 0 && --left == 0) return at;
  return ~0u;
}

/// Nobody can tell how long a warp sleeps.
static __device__ __forceinline__ void __nanosleep(unsigned int) {}

static __device__ __forceinline__ unsigned int __isGlobal(const void* p) {
  return __nvvm_isspacep_global(p);
}
static __device__ __forceinline__ unsigned int __isShared(const void* p) {
  return __nvvm_isspacep_shared(p);
}
static __device__ __forceinline__ unsigned int __isConstant(const void* p) {
  return __nvvm_isspacep_const(p);
}
static __device__ __forceinline__ unsigned int __isLocal(const void* p) {
  return __nvvm_isspacep_local(p);
}

// Addresses of a state space from generic ones, and back.
#define WARPMEM_SPACE(space, ptx)                                                       \
  static __device__ __forceinline__ size_t __cvta_generic_to_##space(const void* p) {   \
    size_t address;                                                                     \
    asm("cvta.to." ptx ".u64 %0, %1;" : "=l"(address) : "l"(p));                        \
    return address;                                                                     \
  }                                                                                     \
  static __device__ __forceinline__ void* __cvta_##space##_to_generic(size_t address) { \
    void* p;                                                                            \
    asm("cvta." ptx ".u64 %0, %1;" : "=l"(p) : "l"(address));                           \
    return p;                                                                           \
  }
WARPMEM_SPACE(global, "global")
WARPMEM_SPACE(shared, "shared")
WARPMEM_SPACE(constant, "const")
WARPMEM_SPACE(local, "local")
#undef WARPMEM_SPACE

#endif
