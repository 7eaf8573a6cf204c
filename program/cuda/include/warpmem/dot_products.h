// SPDX-License-Identifier: Apache-2.0
// Dot products of what lies in one register: four bytes and four bytes, or two halves and two of
// four bytes.
#ifndef WARPMEM_DOT_PRODUCTS_H
#define WARPMEM_DOT_PRODUCTS_H

#define WARPMEM_DOT static __device__ __forceinline__

/// `number` products of `a` in steps of `a_bits` and of `b` in bytes, from bit `first`, on `c`.
#define WARPMEM_DOT_OF(name, type, a_part, a_bits, b_part, number, first, a_vector, b_vector) \
  WARPMEM_DOT type name(type a, type b, type c) {                                             \
    for (int i = 0; i < number; ++i)                                                          \
      c += static_cast<a_part>(a >> (a_bits)*i) * static_cast<b_part>(b >> (first + 8 * i));  \
    return c;                                                                                 \
  }                                                                                           \
  WARPMEM_DOT type name(a_vector a, b_vector b, type c) {                                     \
    return name(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                 \
  }
WARPMEM_DOT_OF(__dp4a, int, signed char, 8, signed char, 4, 0, char4, char4)
WARPMEM_DOT_OF(__dp4a, unsigned int, unsigned char, 8, unsigned char, 4, 0, uchar4, uchar4)
WARPMEM_DOT_OF(__dp2a_lo, int, short, 16, signed char, 2, 0, short2, char4)
WARPMEM_DOT_OF(__dp2a_lo, unsigned int, unsigned short, 16, unsigned char, 2, 0, ushort2, uchar4)
WARPMEM_DOT_OF(__dp2a_hi, int, short, 16, signed char, 2, 16, short2, char4)
WARPMEM_DOT_OF(__dp2a_hi, unsigned int, unsigned short, 16, unsigned char, 2, 16, ushort2, uchar4)
#undef WARPMEM_DOT_OF
#undef WARPMEM_DOT

#endif
