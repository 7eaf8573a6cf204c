// SPDX-License-Identifier: Apache-2.0
// wmma of doubles, 8 x 8 x 4, against the host, with every order of A, B and the sums.
#include <mma.h>

#include <cstdio>
#include <vector>

using namespace nvcuda;

const int kSide = 16, kInner = 12;

template <class LayoutA, class LayoutB>
__global__ void product(const double* a, const double* b, double* d, int a_step, int b_step,
                        int a_row, int a_column, int b_row, int b_column, wmma::layout_t order) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, LayoutA> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, LayoutB> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  double* const to = d + (order == wmma::mem_row_major ? 8 * blockIdx.y * kSide + 8 * blockIdx.x
                                                       : 8 * blockIdx.x * kSide + 8 * blockIdx.y);
  wmma::load_matrix_sync(sum, to, kSide, order);
  for (int k = 0; k < kInner; k += 4) {
    wmma::load_matrix_sync(fa, a + 8 * blockIdx.y * a_row + k * a_column, a_step);
    wmma::load_matrix_sync(fb, b + k * b_row + 8 * blockIdx.x * b_column, b_step);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2;
  wmma::store_matrix_sync(to, sum, kSide, order);
}

static double* on_device(const std::vector<double>& v) {
  double* p = nullptr;
  cudaMalloc(&p, v.size() * sizeof(double));
  cudaMemcpy(p, v.data(), v.size() * sizeof(double), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  int failures = 0;
  for (int way = 0; way < 8; ++way) {
    const bool a_rows = way & 1, b_rows = way & 2, d_rows = way & 4;
    std::vector<double> a(kSide * kInner), b(kInner * kSide), d(kSide * kSide);
    const auto at_a = [&](int i, int k) { return a_rows ? i * kInner + k : k * kSide + i; };
    const auto at_b = [&](int k, int j) { return b_rows ? k * kSide + j : j * kInner + k; };
    const auto at_d = [&](int i, int j) { return d_rows ? i * kSide + j : j * kSide + i; };
    // Whole numbers, so that every order of the sums is exact.
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i * 37 % 101) - 50;
    for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i * 53 % 97) - 48;
    for (size_t i = 0; i < d.size(); ++i) d[i] = static_cast<double>(i);
    double* const da = on_device(a);
    double* const db = on_device(b);
    double* const dd = on_device(d);
    const auto order = d_rows ? wmma::mem_row_major : wmma::mem_col_major;
    const dim3 grid(kSide / 8, kSide / 8);
    const int a_step = a_rows ? kInner : kSide, b_step = b_rows ? kSide : kInner;
    const int a_row = a_rows ? kInner : 1, a_column = a_rows ? 1 : kSide;
    const int b_row = b_rows ? kSide : 1, b_column = b_rows ? 1 : kInner;
    if (a_rows && b_rows)
      product<wmma::row_major, wmma::row_major>
          <<<grid, 32>>>(da, db, dd, a_step, b_step, a_row, a_column, b_row, b_column, order);
    else if (a_rows)
      product<wmma::row_major, wmma::col_major>
          <<<grid, 32>>>(da, db, dd, a_step, b_step, a_row, a_column, b_row, b_column, order);
    else if (b_rows)
      product<wmma::col_major, wmma::row_major>
          <<<grid, 32>>>(da, db, dd, a_step, b_step, a_row, a_column, b_row, b_column, order);
    else
      product<wmma::col_major, wmma::col_major>
          <<<grid, 32>>>(da, db, dd, a_step, b_step, a_row, a_column, b_row, b_column, order);
    std::vector<double> got(kSide * kSide);
    cudaMemcpy(got.data(), dd, got.size() * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j) {
        double want = d[at_d(i, j)];
        for (int k = 0; k < kInner; ++k) want += a[at_a(i, k)] * b[at_b(k, j)];
        if (got[at_d(i, j)] != 2 * want) ++failures;
      }
    cudaFree(da);
    cudaFree(db);
    cudaFree(dd);
  }
  if (failures == 0) std::puts("PASS");
  return failures != 0;
}
