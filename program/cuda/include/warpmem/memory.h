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

// These are loads and stores with a hint for the caches.
#define WARPMEM_HINTED(load, type, suffix, letter)                                                 \
  static __device__ __forceinline__ type __ld##load(const type* p) {                               \
    type v;                                                                                        \
    asm volatile("ld.global." #load "." #suffix " %0, [%1];" : "=" letter(v) : "l"(p) : "memory"); \
    return v;                                                                                      \
  }
#define WARPMEM_HINTED_STORE(store, type, suffix, letter)                                      \
  static __device__ __forceinline__ void __st##store(type* p, type v) {                        \
    asm volatile("st.global." #store "." #suffix " [%0], %1;" ::"l"(p), letter(v) : "memory"); \
  }
#define WARPMEM_HINTED_ALL(type, suffix, letter) \
  WARPMEM_HINTED(ca, type, suffix, letter)       \
  WARPMEM_HINTED(cg, type, suffix, letter)       \
  WARPMEM_HINTED(cs, type, suffix, letter)       \
  WARPMEM_HINTED(lu, type, suffix, letter)       \
  WARPMEM_HINTED(cv, type, suffix, letter)       \
  WARPMEM_HINTED_STORE(wb, type, suffix, letter) \
  WARPMEM_HINTED_STORE(cg, type, suffix, letter) \
  WARPMEM_HINTED_STORE(cs, type, suffix, letter) \
  WARPMEM_HINTED_STORE(wt, type, suffix, letter)
WARPMEM_HINTED_ALL(int, s32, "r")
WARPMEM_HINTED_ALL(unsigned int, u32, "r")
WARPMEM_HINTED_ALL(long long, s64, "l")
WARPMEM_HINTED_ALL(unsigned long long, u64, "l")
WARPMEM_HINTED_ALL(float, f32, "f")
WARPMEM_HINTED_ALL(double, f64, "d")
#undef WARPMEM_HINTED_ALL
#undef WARPMEM_HINTED_STORE
#undef WARPMEM_HINTED

/// Returns the products of the four bytes of `a` and `b`, summed up on `c`.
static __device__ __forceinline__ int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return c;
}
static __device__ __forceinline__ unsigned int __dp4a(unsigned int a, unsigned int b,
                                                      unsigned int c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
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
