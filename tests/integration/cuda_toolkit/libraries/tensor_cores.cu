// SPDX-License-Identifier: Apache-2.0
// wmma against integers on the host: half with sums in float and half, bfloat16, both kinds of
// bytes, TF32, each with both orders of A, B and C, through shared memory and without, and in all
// shapes.
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

const int kM = 32, kN = 64, kK = 32;
static int failures = 0;

__host__ __device__ constexpr bool order_of(wmma::row_major*) { return true; }
__host__ __device__ constexpr bool order_of(wmma::col_major*) { return false; }

// The element of a fragment, and the inner dimension, for an element in memory.
template <class T>
struct Kind {
  typedef T type;
  static const int inner = 16;
};
template <>
struct Kind<float> {
  typedef wmma::precision::tf32 type;
  static const int inner = 8;
};

template <int m, int n, class T, class Sum, class LayoutA, class LayoutB>
__global__ void product(Sum* d, const T* a, const T* b, const Sum* c, wmma::layout_t order,
                        bool staged) {
  constexpr int inner = Kind<T>::inner;
  __shared__ __align__(32) T tile[m * 16];
  wmma::fragment<wmma::matrix_a, m, n, inner, typename Kind<T>::type, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, m, n, inner, typename Kind<T>::type, LayoutB> fb;
  wmma::fragment<wmma::accumulator, m, n, inner, Sum> sum, addend;
  wmma::fill_fragment(sum, 0);
  const bool a_rows = order_of((LayoutA*)nullptr);
  const bool b_rows = order_of((LayoutB*)nullptr);
  const int row = blockIdx.y * m, column = blockIdx.x * n;
  for (int k = 0; k < kK; k += inner) {
    const T* const from_a = a + (a_rows ? row * kK + k : k * kM + row);
    const unsigned a_step = a_rows ? kK : kM;
    if (staged) {
      const int step = a_rows ? 16 : m;  // a line of the tile, of which `inner` or m are used
      for (int i = threadIdx.x; i < m * inner; i += 32) {
        const int line = a_rows ? i / inner : i / m, at = a_rows ? i % inner : i % m;
        tile[line * step + at] = from_a[line * a_step + at];
      }
      __syncthreads();
      wmma::load_matrix_sync(fa, tile, step);
      __syncthreads();
    } else {
      wmma::load_matrix_sync(fa, from_a, a_step);
    }
    wmma::load_matrix_sync(fb, b + (b_rows ? k * kN + column : column * kK + k), b_rows ? kN : kK);
    if (inner == 8)  // a number that has more bits than TF32
      for (int i = 0; i < fa.num_elements; ++i)
        fa.x[i] = wmma::__float_to_tf32(static_cast<float>(fa.x[i]) * 1.0001f);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  const bool c_rows = order == wmma::mem_row_major;
  const int place = c_rows ? row * kN + column : column * kM + row;
  wmma::load_matrix_sync(addend, c + place, c_rows ? kN : kM, order);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + addend.x[i];
  wmma::store_matrix_sync(d + place, sum, c_rows ? kN : kM, order);
}

template <class T>
static T* on_device(const std::vector<T>& host) {
  T* data;
  cudaMalloc(&data, host.size() * sizeof(T));
  cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return data;
}

template <int m, int n, class T, class Sum, class LayoutA, class LayoutB>
static void check(const char* what, int range, int least, wmma::layout_t order, bool staged) {
  const bool a_rows = order_of((LayoutA*)nullptr), b_rows = order_of((LayoutB*)nullptr);
  const bool c_rows = order == wmma::mem_row_major;
  std::vector<int> a(kM * kK), b(kK * kN), c(kM * kN);
  unsigned seed = 7;
  const auto next = [&] {
    return static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 16) % range + least;
  };
  for (int& v : a) v = next();
  for (int& v : b) v = next();
  for (int& v : c) v = next();
  std::vector<T> da(kM * kK), db(kK * kN);
  std::vector<Sum> dc(kM * kN), dd(kM * kN);
  for (int i = 0; i < kM; ++i)
    for (int k = 0; k < kK; ++k) da[a_rows ? i * kK + k : k * kM + i] = T(a[i * kK + k]);
  for (int k = 0; k < kK; ++k)
    for (int j = 0; j < kN; ++j) db[b_rows ? k * kN + j : j * kK + k] = T(b[k * kN + j]);
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) dc[c_rows ? i * kN + j : j * kM + i] = Sum(c[i * kN + j]);
  T *pa = on_device(da), *pb = on_device(db);
  Sum *pc = on_device(dc), *pd = on_device(dd);
  product<m, n, T, Sum, LayoutA, LayoutB>
      <<<dim3(kN / n, kM / m), 32>>>(pd, pa, pb, pc, order, staged);
  if (cudaMemcpy(dd.data(), pd, dd.size() * sizeof(Sum), cudaMemcpyDeviceToHost) != cudaSuccess)
    ++failures;
  for (int i = 0; i < kM; ++i)
    for (int j = 0; j < kN; ++j) {
      int expected = c[i * kN + j];
      for (int k = 0; k < kK; ++k) expected += a[i * kK + k] * b[k * kN + j];
      const double got = static_cast<double>(dd[c_rows ? i * kN + j : j * kM + i]);
      if (got != expected && ++failures < 10)
        std::printf("%s: row %d, column %d: %g, expected %d\n", what, i, j, got, expected);
    }
  cudaFree(pa), cudaFree(pb), cudaFree(pc), cudaFree(pd);
}

template <class T, class Sum>
static void check_orders(const char* what, int range, int least) {
  using wmma::col_major;
  using wmma::row_major;
  check<16, 16, T, Sum, row_major, col_major>(what, range, least, wmma::mem_row_major, false);
  check<16, 16, T, Sum, row_major, row_major>(what, range, least, wmma::mem_col_major, true);
  check<16, 16, T, Sum, col_major, col_major>(what, range, least, wmma::mem_col_major, false);
  check<16, 16, T, Sum, col_major, row_major>(what, range, least, wmma::mem_row_major, true);
}

// The other shapes lie in memory as those do.
template <class T, class Sum, int m, int n>
static void check_shape(const char* what, int range, int least) {
  using wmma::col_major;
  using wmma::row_major;
  check<m, n, T, Sum, row_major, row_major>(what, range, least, wmma::mem_col_major, true);
  check<m, n, T, Sum, col_major, col_major>(what, range, least, wmma::mem_row_major, false);
}

int main() {
  check_orders<half, float>("half, sums in float", 17, -8);
  check_orders<float, float>("TF32", 17, -8);
  check_orders<half, half>("half", 5, -2);
  check_orders<__nv_bfloat16, float>("bfloat16", 17, -8);
  check_orders<signed char, int>("signed char", 256, -128);
  check_orders<unsigned char, int>("unsigned char", 256, 0);
  check_shape<half, float, 32, 8>("half, 32 x 8", 17, -8);
  check_shape<half, half, 8, 32>("half, 8 x 32", 5, -2);
  check_shape<__nv_bfloat16, float, 8, 32>("bfloat16, 8 x 32", 17, -8);
  check_shape<signed char, int, 32, 8>("signed char, 32 x 8", 256, -128);
  check_shape<unsigned char, int, 8, 32>("unsigned char, 8 x 32", 256, 0);
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
