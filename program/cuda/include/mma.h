// SPDX-License-Identifier: Apache-2.0
// Matrix products of a warp (nvcuda::wmma): half, bfloat16 and bytes of 16 x 16 x 16, 32 x 8 x 16
// and 8 x 32 x 16, TF32 of 16 x 16 x 8; and doubles of 8 x 8 x 4, 4 bits of 8 x 8 x 32 and single
// bits of 8 x 8 x 128, which are a single mma.sync.
// Elements are loaded and stored by ordinary accesses.
//
// A product is two mma.sync of 16 x 8 (x 16 or x 8): side by side; one below the other; or, where A
// has 8 rows, one below the other of the transposed matrices, since D^T = B^T A^T + C^T. Each of
// the two has, in lane 4 g + t with p elements in a register (2, of bytes 4, of TF32 1), of the
// left operand the row g + 8 (i / p % 2) in x[i], of the right one the column g, and of the sums
// the rows g and g + 8 and the columns 2 t and 2 t + 1. Fragments hold what belongs to the first
// product before what belongs to the second; an operand of both is there once.
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus)

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;  ///< its elements are floats, as __float_to_tf32 gives them
}

namespace warpmem {

/// What an element is kept as.
template <class T>
struct storage {
  typedef T type;
};
template <>
struct storage<precision::tf32> {
  typedef float type;
};

/// Elements of a 32-bit register.
template <class T>
struct packing {
  static constexpr int value = 4 / sizeof(T);
};

static __inline__ __device__ unsigned lane() {
  unsigned index;
  asm("mov.u32 %0, %%laneid;" : "=r"(index));
  return index;
}

static __inline__ __device__ unsigned bits_of(signed char v) {
  return static_cast<unsigned char>(v);
}
static __inline__ __device__ unsigned bits_of(unsigned char v) { return v; }
static __inline__ __device__ unsigned bits_of(float v) { return __float_as_uint(v); }
static __inline__ __device__ unsigned bits_of(const __half& v) { return v.__x; }
static __inline__ __device__ unsigned bits_of(const __nv_bfloat16& v) { return v.__x; }
/// The elements of one register.
template <class T>
static __inline__ __device__ unsigned packed(const T* x) {
  unsigned bits = 0;
#pragma unroll
  for (int k = 0; k < packing<T>::value; ++k) bits |= bits_of(x[k]) << 8 * sizeof(T) * k;
  return bits;
}

struct place {
  unsigned row, column;
};
static __inline__ __device__ place transposed(place at) { return {at.column, at.row}; }

// Where element i of a lane is, in an operand or the sums of products of 16 x 8 x k.
template <int k, class T>
static __inline__ __device__ place left(unsigned lane, int i) {
  constexpr int p = packing<T>::value, each = k / 2;
  const int j = i % each;
  return {lane / 4 + 8 * (j / p % 2) + 16 * (i / each), (lane % 4 + 4 * (j / (2 * p))) * p + j % p};
}
template <int k, class T>
static __inline__ __device__ place right(unsigned lane, int i) {
  constexpr int p = packing<T>::value, each = k / 4;
  return {(lane % 4 + 4 * (i % each / p)) * p + i % p, lane / 4 + 8 * (i / each)};
}
static __inline__ __device__ place sum(unsigned lane, int i, bool side_by_side) {
  const unsigned second = i / 4;
  return {lane / 4 + 8 * (i / 2 % 2) + (side_by_side ? 0 : 16 * second),
          lane % 4 * 2 + i % 2 + (side_by_side ? 8 * second : 0)};
}

// Where it is in A of m x k, in B, or in C and D.
template <int m, int k, class T>
static __inline__ __device__ place place_in(matrix_a*, unsigned lane, int i) {
  return m == 8 ? transposed(right<k, T>(lane, i)) : left<k, T>(lane, i);
}
template <int m, int k, class T>
static __inline__ __device__ place place_in(matrix_b*, unsigned lane, int i) {
  return m == 8 ? transposed(left<k, T>(lane, i)) : right<k, T>(lane, i);
}
template <int m, int k, class T>
static __inline__ __device__ place place_in(accumulator*, unsigned lane, int i) {
  const place at = sum(lane, i, m == 16);
  return m == 8 ? transposed(at) : at;
}

template <class Use, int m, int k, class T>
static __inline__ __device__ unsigned offset(unsigned lane, int i, unsigned step, bool rows) {
  const place at = place_in<m, k, T>(static_cast<Use*>(nullptr), lane, i);
  return rows ? at.row * step + at.column : at.column * step + at.row;
}

/// Elements side by side: matrices begin at multiples of 32 bytes, and so that one load is enough.
template <class T, int count>
struct __align__(count * sizeof(T)) group {
  T x[count];
};
template <class A, class B>
struct is_same {
  static constexpr bool value = false;
};
template <class A>
struct is_same<A, A> {
  static constexpr bool value = true;
};

/// Elements come in groups, which lie `together` in memory or each for itself.
template <class Use, int m, int k, int count, class T, int all>
static __inline__ __device__ void load(T (&x)[all], const T* from, unsigned step, bool rows,
                                       bool together) {
  const unsigned index = lane();
#pragma unroll
  for (int i = 0; i < all; i += count) {
    if (together) {
      const auto got = *reinterpret_cast<const group<T, count>*>(
          from + offset<Use, m, k, T>(index, i, step, rows));
#pragma unroll
      for (int j = 0; j < count; ++j) x[i + j] = got.x[j];
    } else {
#pragma unroll
      for (int j = 0; j < count; ++j)
        x[i + j] = from[offset<Use, m, k, T>(index, i + j, step, rows)];
    }
  }
}

// D = A * B + C of 16 x 8 x 16, TF32: x 8; of A all registers, of B, C and D those of one half.
static __inline__ __device__ void multiply(float* d, const float* a, const float* b, const float* c,
                                           bool) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(packed(a)), "r"(packed(a + 1)), "r"(packed(a + 2)), "r"(packed(a + 3)), "r"(packed(b)),
        "r"(packed(b + 1)), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
static __inline__ __device__ void multiply(float* d, const __half* a, const __half* b,
                                           const float* c, bool) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(packed(a)), "r"(packed(a + 2)), "r"(packed(a + 4)), "r"(packed(a + 6)), "r"(packed(b)),
        "r"(packed(b + 2)), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
static __inline__ __device__ void multiply(float* d, const __nv_bfloat16* a, const __nv_bfloat16* b,
                                           const float* c, bool) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%10, %11, %12, %13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(packed(a)), "r"(packed(a + 2)), "r"(packed(a + 4)), "r"(packed(a + 6)), "r"(packed(b)),
        "r"(packed(b + 2)), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
}
static __inline__ __device__ void multiply(__half* d, const __half* a, const __half* b,
                                           const __half* c, bool) {
  unsigned low, high;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
      "{%8, %9};"
      : "=r"(low), "=r"(high)
      : "r"(packed(a)), "r"(packed(a + 2)), "r"(packed(a + 4)), "r"(packed(a + 6)), "r"(packed(b)),
        "r"(packed(b + 2)), "r"(packed(c)), "r"(packed(c + 2)));
  d[0].__x = static_cast<unsigned short>(low);
  d[1].__x = static_cast<unsigned short>(low >> 16);
  d[2].__x = static_cast<unsigned short>(high);
  d[3].__x = static_cast<unsigned short>(high >> 16);
}
#define WARPMEM_MULTIPLY_BYTES(Type, types)                                                      \
  static __inline__ __device__ void multiply(int* d, const Type* a, const Type* b, const int* c, \
                                             bool saturate) {                                    \
    if (saturate)                                                                                \
      asm volatile("mma.sync.aligned.m16n8k16.row.col.satfinite.s32." types                      \
                   ".s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                   \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                              \
                   : "r"(packed(a)), "r"(packed(a + 4)), "r"(packed(b)), "r"(c[0]), "r"(c[1]),   \
                     "r"(c[2]), "r"(c[3]));                                                      \
    else                                                                                         \
      asm volatile("mma.sync.aligned.m16n8k16.row.col.s32." types                                \
                   ".s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                   \
                   : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                              \
                   : "r"(packed(a)), "r"(packed(a + 4)), "r"(packed(b)), "r"(c[0]), "r"(c[1]),   \
                     "r"(c[2]), "r"(c[3]));                                                      \
  }
WARPMEM_MULTIPLY_BYTES(signed char, "s8.s8")
WARPMEM_MULTIPLY_BYTES(unsigned char, "u8.u8")
#undef WARPMEM_MULTIPLY_BYTES

/// Elements of A and B, and of sums, that there are for an inner dimension.
template <class Use, int k, class T>
struct known {
  static constexpr bool value = false;
};
#define WARPMEM_KNOWN(Use, k, T)        \
  template <>                           \
  struct known<Use, k, T> {             \
    static constexpr bool value = true; \
  };
WARPMEM_KNOWN(matrix_a, 16, __half)
WARPMEM_KNOWN(matrix_b, 16, __half)
WARPMEM_KNOWN(matrix_a, 16, __nv_bfloat16)
WARPMEM_KNOWN(matrix_b, 16, __nv_bfloat16)
WARPMEM_KNOWN(matrix_a, 16, signed char)
WARPMEM_KNOWN(matrix_b, 16, signed char)
WARPMEM_KNOWN(matrix_a, 16, unsigned char)
WARPMEM_KNOWN(matrix_b, 16, unsigned char)
WARPMEM_KNOWN(accumulator, 16, float)
WARPMEM_KNOWN(accumulator, 16, __half)
WARPMEM_KNOWN(accumulator, 16, int)
WARPMEM_KNOWN(matrix_a, 8, precision::tf32)
WARPMEM_KNOWN(matrix_b, 8, precision::tf32)
WARPMEM_KNOWN(accumulator, 8, float)
#undef WARPMEM_KNOWN

template <class Layout>
struct order {
  static constexpr layout_t value = mem_row_major;
};
template <>
struct order<col_major> {
  static constexpr layout_t value = mem_col_major;
};

/// One of two of different types.
template <bool yes>
struct choose {
  template <class A, class B>
  static __inline__ __device__ const A& first(const A& a, const B&) {
    return a;
  }
};
template <>
struct choose<false> {
  template <class A, class B>
  static __inline__ __device__ const B& first(const A&, const B& b) {
    return b;
  }
};

}  // namespace warpmem

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static_assert((m == 16 && n == 16 && (k == 16 || k == 8)) ||
                    (((m == 32 && n == 8) || (m == 8 && n == 32)) && k == 16),
                "wmma here is of 16 x 16 x 16, 32 x 8 x 16, 8 x 32 x 16 and 16 x 16 x 8, of double "
                "8 x 8 x 4");
  static_assert(
      warpmem::known<Use, k, T>::value,
      "wmma here is of half, __nv_bfloat16, signed and unsigned char, with sums in float, half or "
      "int, all of inner dimension 16; and of precision::tf32 with sums in float, of 8");
  static constexpr int num_elements = warpmem::is_same<Use, accumulator>::value ? 8
                                      : warpmem::is_same<Use, matrix_a>::value  ? m * k / 32
                                                                                : n * k / 32;
  static constexpr int num_storage_elements = num_elements;
  typedef typename warpmem::storage<T>::type element_type;
  typedef element_type storage_element_type;
  element_type x[num_elements];
};

template <class Use, class Layout>
struct fragment<Use, 8, 8, 4, double, Layout> {
  static constexpr int num_elements = warpmem::is_same<Use, accumulator>::value ? 2 : 1;
  static constexpr int num_storage_elements = num_elements;
  typedef double element_type;
  typedef double storage_element_type;
  element_type x[num_elements];
};

/// The value that has the same bits as a TF32 number and is nearest to `value`, ties away from
/// zero.
static __inline__ __device__ float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

template <class Use, int m, int n, int k, class T, class Layout>
static __inline__ __device__ void fill_fragment(fragment<Use, m, n, k, T, Layout>& f,
                                                const typename warpmem::storage<T>::type& value) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

template <class Use, int m, int n, int k, class T, class Layout>
static __inline__ __device__ void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f,
                                                   const typename warpmem::storage<T>::type* from,
                                                   unsigned step) {
  constexpr bool rows = warpmem::order<Layout>::value == mem_row_major;
  constexpr bool rows_together = warpmem::is_same<Use, matrix_a>::value;
  typedef typename warpmem::storage<T>::type Element;
  warpmem::load<Use, m, k, warpmem::packing<Element>::value>(f.x, from, step, rows,
                                                             rows == rows_together);
}
template <int m, int n, int k, class T>
static __inline__ __device__ void load_matrix_sync(fragment<accumulator, m, n, k, T>& f,
                                                   const T* from, unsigned step, layout_t layout) {
  const bool rows = layout == mem_row_major;
  warpmem::load<accumulator, m, k, 2>(f.x, from, step, rows, rows != (m == 8));
}

template <int m, int n, int k, class T>
static __inline__ __device__ void store_matrix_sync(T* to,
                                                    const fragment<accumulator, m, n, k, T>& f,
                                                    unsigned step, layout_t layout) {
  const unsigned lane = warpmem::lane();
  const bool rows = layout == mem_row_major;
#pragma unroll
  for (int i = 0; i < f.num_elements; i += 2) {
    T* const first = to + warpmem::offset<accumulator, m, k, T>(lane, i, step, rows);
    if (rows != (m == 8)) {  // two elements lie side by side
      *reinterpret_cast<warpmem::group<T, 2>*>(first) = {{f.x[i], f.x[i + 1]}};
    } else {
      first[0] = f.x[i];
      first[step] = f.x[i + 1];
    }
  }
}

template <int m, int n, int k, class T, class Sum, class LayoutA, class LayoutB>
static __inline__ __device__ void mma_sync(fragment<accumulator, m, n, k, Sum>& d,
                                           const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                                           const fragment<matrix_b, m, n, k, T, LayoutB>& b,
                                           const fragment<accumulator, m, n, k, Sum>& c,
                                           bool saturate = false) {
  Sum sums[8];
  const auto& left = warpmem::choose<m == 8>::first(b, a);
  const auto& right = warpmem::choose<m == 8>::first(a, b);
  warpmem::multiply(sums, left.x, right.x, c.x, saturate);
  warpmem::multiply(sums + 4, m == 16 ? left.x : left.x + left.num_elements / 2,
                    m == 16 ? right.x + right.num_elements / 2 : right.x, c.x + 4, saturate);
#pragma unroll
  for (int i = 0; i < 8; ++i) d.x[i] = sums[i];
}

// Lane 4 g + t has of A the element (g, t), of B (t, g), of sums (g, 2 t) and (g, 2 t + 1).
template <class Layout>
static __inline__ __device__ void load_matrix_sync(fragment<matrix_a, 8, 8, 4, double, Layout>& f,
                                                   const double* from, unsigned step) {
  const unsigned g = warpmem::lane() / 4, t = warpmem::lane() % 4;
  f.x[0] = from[warpmem::order<Layout>::value == mem_row_major ? g * step + t : t * step + g];
}
template <class Layout>
static __inline__ __device__ void load_matrix_sync(fragment<matrix_b, 8, 8, 4, double, Layout>& f,
                                                   const double* from, unsigned step) {
  const unsigned g = warpmem::lane() / 4, t = warpmem::lane() % 4;
  f.x[0] = from[warpmem::order<Layout>::value == mem_row_major ? t * step + g : g * step + t];
}
static __inline__ __device__ void load_matrix_sync(fragment<accumulator, 8, 8, 4, double>& f,
                                                   const double* from, unsigned step,
                                                   layout_t layout) {
  const unsigned g = warpmem::lane() / 4, t = warpmem::lane() % 4 * 2;
  const bool rows = layout == mem_row_major;
  f.x[0] = from[rows ? g * step + t : t * step + g];
  f.x[1] = from[rows ? g * step + t + 1 : (t + 1) * step + g];
}
static __inline__ __device__ void store_matrix_sync(double* to,
                                                    const fragment<accumulator, 8, 8, 4, double>& f,
                                                    unsigned step, layout_t layout) {
  const unsigned g = warpmem::lane() / 4, t = warpmem::lane() % 4 * 2;
  const bool rows = layout == mem_row_major;
  to[rows ? g * step + t : t * step + g] = f.x[0];
  to[rows ? g * step + t + 1 : (t + 1) * step + g] = f.x[1];
}
template <class LayoutA, class LayoutB>
static __inline__ __device__ void mma_sync(fragment<accumulator, 8, 8, 4, double>& d,
                                           const fragment<matrix_a, 8, 8, 4, double, LayoutA>& a,
                                           const fragment<matrix_b, 8, 8, 4, double, LayoutB>& b,
                                           const fragment<accumulator, 8, 8, 4, double>& c) {
  double first, second;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(first), "=d"(second)
               : "d"(a.x[0]), "d"(b.x[0]), "d"(c.x[0]), "d"(c.x[1]));
  d.x[0] = first;
  d.x[1] = second;
}

// Elements of 4 bits and single bits. A fragment of A and B is the one register of its mma.sync, of
// row g of A or column g of B; `step` counts elements.
namespace experimental {
namespace precision {
struct s4;
struct u4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace warpmem {
struct register_of_bits {
  static constexpr int num_elements = 1;
  static constexpr int num_storage_elements = 1;
  typedef unsigned storage_element_type;
  unsigned x[1];
};
template <int k>
struct sums_of_bits {
  static constexpr int num_elements = 2;
  static constexpr int num_storage_elements = 2;
  typedef int element_type;
  typedef int storage_element_type;
  int x[2];
};
/// Both operands lie along the inner dimension, in bytes that have whole registers.
static __inline__ __device__ void load_bits(register_of_bits& f, const void* from, unsigned step,
                                            unsigned k) {
  const unsigned g = lane() / 4, t = lane() % 4, bits = 128 / k;  // of an element
  f.x[0] = *reinterpret_cast<const unsigned*>(static_cast<const char*>(from) + g * step * bits / 8 +
                                              4 * t);
}
}  // namespace warpmem

#define WARPMEM_BITS(k, Type)                                                             \
  template <>                                                                             \
  struct fragment<matrix_a, 8, 8, k, Type, row_major> : warpmem::register_of_bits {       \
    typedef Type element_type;                                                            \
  };                                                                                      \
  template <>                                                                             \
  struct fragment<matrix_b, 8, 8, k, Type, col_major> : warpmem::register_of_bits {       \
    typedef Type element_type;                                                            \
  };                                                                                      \
  static __inline__ __device__ void load_matrix_sync(                                     \
      fragment<matrix_a, 8, 8, k, Type, row_major>& f, const void* from, unsigned step) { \
    warpmem::load_bits(f, from, step, k);                                                 \
  }                                                                                       \
  static __inline__ __device__ void load_matrix_sync(                                     \
      fragment<matrix_b, 8, 8, k, Type, col_major>& f, const void* from, unsigned step) { \
    warpmem::load_bits(f, from, step, k);                                                 \
  }
WARPMEM_BITS(32, experimental::precision::s4)
WARPMEM_BITS(32, experimental::precision::u4)
WARPMEM_BITS(128, experimental::precision::b1)
#undef WARPMEM_BITS
#define WARPMEM_SUMS(k)                                                                          \
  template <>                                                                                    \
  struct fragment<accumulator, 8, 8, k, int, void> : warpmem::sums_of_bits<k> {};                \
  static __inline__ __device__ void load_matrix_sync(                                            \
      fragment<accumulator, 8, 8, k, int>& f, const int* from, unsigned step, layout_t layout) { \
    const unsigned g = warpmem::lane() / 4, t = warpmem::lane() % 4 * 2;                         \
    const bool rows = layout == mem_row_major;                                                   \
    f.x[0] = from[rows ? g * step + t : t * step + g];                                           \
    f.x[1] = from[rows ? g * step + t + 1 : (t + 1) * step + g];                                 \
  }                                                                                              \
  static __inline__ __device__ void store_matrix_sync(                                           \
      int* to, const fragment<accumulator, 8, 8, k, int>& f, unsigned step, layout_t layout) {   \
    const unsigned g = warpmem::lane() / 4, t = warpmem::lane() % 4 * 2;                         \
    const bool rows = layout == mem_row_major;                                                   \
    to[rows ? g * step + t : t * step + g] = f.x[0];                                             \
    to[rows ? g * step + t + 1 : (t + 1) * step + g] = f.x[1];                                   \
  }
WARPMEM_SUMS(32)
WARPMEM_SUMS(128)
#undef WARPMEM_SUMS

#define WARPMEM_PRODUCT(d, a, b, c, words)                                  \
  asm volatile("mma.sync.aligned." words " {%0, %1}, {%2}, {%3}, {%4, %5};" \
               : "=r"(first), "=r"(second)                                  \
               : "r"((a).x[0]), "r"((b).x[0]), "r"((c).x[0]), "r"((c).x[1]))
#define WARPMEM_MULTIPLY_4(Type, types)                                           \
  static __inline__ __device__ void mma_sync(                                     \
      fragment<accumulator, 8, 8, 32, int>& d,                                    \
      const fragment<matrix_a, 8, 8, 32, Type, row_major>& a,                     \
      const fragment<matrix_b, 8, 8, 32, Type, col_major>& b,                     \
      const fragment<accumulator, 8, 8, 32, int>& c, bool saturate = false) {     \
    int first, second;                                                            \
    if (saturate)                                                                 \
      WARPMEM_PRODUCT(d, a, b, c, "m8n8k32.row.col.satfinite.s32." types ".s32"); \
    else                                                                          \
      WARPMEM_PRODUCT(d, a, b, c, "m8n8k32.row.col.s32." types ".s32");           \
    d.x[0] = first;                                                               \
    d.x[1] = second;                                                              \
  }
WARPMEM_MULTIPLY_4(experimental::precision::s4, "s4.s4")
WARPMEM_MULTIPLY_4(experimental::precision::u4, "u4.u4")
#undef WARPMEM_MULTIPLY_4
/// The number of ones of xor or and is added to the sums.
static __inline__ __device__ void bmma_sync(
    fragment<accumulator, 8, 8, 128, int>& d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
    const fragment<accumulator, 8, 8, 128, int>& c,
    experimental::bmmaBitOp operation = experimental::bmmaBitOpXOR,
    experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  int first, second;
  if (operation == experimental::bmmaBitOpAND)
    WARPMEM_PRODUCT(d, a, b, c, "m8n8k128.row.col.s32.b1.b1.s32.and.popc");
  else
    WARPMEM_PRODUCT(d, a, b, c, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc");
  d.x[0] = first;
  d.x[1] = second;
}
#undef WARPMEM_PRODUCT

}  // namespace wmma
}  // namespace nvcuda

#endif
#endif
