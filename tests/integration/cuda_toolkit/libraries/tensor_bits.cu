// SPDX-License-Identifier: Apache-2.0
// Matrix products of 4 bits and of single bits (nvcuda::wmma::experimental) against plain loops.
#include <mma.h>

#include <cstring>
#include <vector>

#include "../runtime/check.h"

using namespace nvcuda;
using wmma::experimental::precision::b1;
using wmma::experimental::precision::s4;
using wmma::experimental::precision::u4;
const int kInner = 256;  // of the matrices: several products are added up

template <class Type>
__global__ void by_nibbles(const unsigned* a, const unsigned* b, const int* c, int* d, bool cut) {
  wmma::fragment<wmma::matrix_a, 8, 8, 32, Type, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 32, Type, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sums;
  wmma::load_matrix_sync(sums, c, 8, wmma::mem_col_major);
  for (int k = 0; k < kInner; k += 32) {
    wmma::load_matrix_sync(left, a + k / 8, kInner);
    wmma::load_matrix_sync(right, b + k / 8, kInner);
    wmma::mma_sync(sums, left, right, sums, cut);
  }
  wmma::store_matrix_sync(d, sums, 8, wmma::mem_row_major);
}
__global__ void by_bits(const unsigned* a, const unsigned* b, int* differ, int* both) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, b1, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, b1, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> of_xor, of_and;
  wmma::fill_fragment(of_xor, 0);
  wmma::fill_fragment(of_and, 3);
  for (int k = 0; k < kInner; k += 128) {
    wmma::load_matrix_sync(left, a + k / 32, kInner);
    wmma::load_matrix_sync(right, b + k / 32, kInner);
    wmma::bmma_sync(of_xor, left, right, of_xor);
    wmma::bmma_sync(of_and, left, right, of_and, wmma::experimental::bmmaBitOpAND,
                    wmma::experimental::bmmaAccumulateOpPOPC);
  }
  wmma::store_matrix_sync(differ, of_xor, 8, wmma::mem_row_major);
  wmma::store_matrix_sync(both, of_and, 8, wmma::mem_col_major);
}

struct Memory {
  unsigned a[8 * kInner / 8], b[8 * kInner / 8];  // one row of A, or column of B, after the other
  int c[64], d[64], e[64];
};
static int nibble(const unsigned* words, int line, int k, bool is_signed) {
  const int v = words[(line * kInner + k) / 8] >> 4 * (k % 8) & 15;
  return is_signed && v > 7 ? v - 16 : v;
}
static int bit(const unsigned* words, int line, int k) {
  return words[(line * kInner + k) / 32] >> k % 32 & 1;
}

template <class Type>
static void check_nibbles(Memory* m, bool is_signed, bool cut) {
  by_nibbles<Type><<<1, 32>>>(m->a, m->b, m->c, m->d, cut);
  OK(cudaDeviceSynchronize());
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      long long sum = m->c[column * 8 + row];
      for (int k = 0; k < kInner; ++k) {
        sum += nibble(m->a, row, k, is_signed) * nibble(m->b, column, k, is_signed);
        if (k % 32 != 31) continue;
        const long long least = -2147483648LL, most = 2147483647LL;
        sum = cut ? (sum < least ? least : sum > most ? most : sum) : static_cast<int>(sum);
      }
      CHECK(m->d[row * 8 + column] == sum);
    }
}

int main() {
  Memory* m;
  OK(cudaMallocManaged(&m, sizeof *m));
  unsigned state = 1;
  const auto random = [&state] { return (state = state * 1664525u + 1013904223u) >> 8; };
  for (unsigned& word : m->a) word = random() ^ random() << 16;
  for (unsigned& word : m->b) word = random() ^ random() << 16;
  for (int i = 0; i < 64; ++i)
    m->c[i] = i % 5 == 0 ? 2147483000 : i % 5 == 1 ? -2147483000 : static_cast<int>(random() % 999);
  for (const bool cut : {false, true}) {
    check_nibbles<s4>(m, true, cut);
    check_nibbles<u4>(m, false, cut);
  }
  by_bits<<<1, 32>>>(m->a, m->b, m->d, m->e);
  OK(cudaDeviceSynchronize());
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      int differ = 0, both = 3;
      for (int k = 0; k < kInner; ++k) {
        differ += bit(m->a, row, k) ^ bit(m->b, column, k);
        both += bit(m->a, row, k) & bit(m->b, column, k);
      }
      CHECK(m->d[row * 8 + column] == differ);
      CHECK(m->e[column * 8 + row] == both);
    }
  return finish();
}
