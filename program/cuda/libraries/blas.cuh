// SPDX-License-Identifier: Apache-2.0
// BLAS over any type of number: arguments checked, kernels launched.
#pragma once

#include <cublas_v2.h>

#include "blas_kernels.cuh"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
  void* parts = nullptr;   // of sums, in device memory
  void* result = nullptr;  // of a sum whose place is in host memory
};

namespace warpmem_blas {

constexpr size_t kWidestNumber = sizeof(cuDoubleComplex);

inline cublasStatus_t launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}
inline unsigned blocks(long long n, int each = kThreads) {
  return static_cast<unsigned>((n + each - 1) / each);
}
inline unsigned vector_blocks(int n) { return blocks(n) < kMostBlocks ? blocks(n) : kMostBlocks; }

template <class T>
Scalar<T> scalar(cublasHandle_t handle, const T* place) {
  if (handle->pointers == CUBLAS_POINTER_MODE_DEVICE) return {T(), place};
  return {*place, nullptr};
}
template <class T>
Vector<T> vector(T* data, int n, int step) {
  return {data, step, step < 0 ? static_cast<long long>(1 - n) * step : 0};
}
template <class T>
Matrix<T> matrix(const T* data, int lead, Form form) {
  return {data, nullptr, lead, 0, form, false, false};
}
inline Form form_of(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? Form::plain : op == CUBLAS_OP_T ? Form::transposed : Form::conjugated;
}
inline Form symmetric(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_UPPER ? Form::symmetric_upper : Form::symmetric_lower;
}
inline Part part_of(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_UPPER ? Part::upper : Part::lower;
}
template <class T>
Matrix<T> triangle(const T* a, int lead, cublasFillMode_t fill, cublasOperation_t op,
                   cublasDiagType_t diagonal) {
  return {a,
          nullptr,
          lead,
          0,
          fill == CUBLAS_FILL_MODE_UPPER ? Form::upper : Form::lower,
          diagonal == CUBLAS_DIAG_UNIT,
          op != CUBLAS_OP_N};
}
/// Triangles of complex numbers are not conjugated.
template <class T>
bool conjugates_complex(cublasOperation_t op) {
  return op == CUBLAS_OP_C && sizeof(T) != sizeof(typename Real<T>::type);
}
inline bool fits(int lead, int rows) { return lead >= (rows > 1 ? rows : 1); }
inline int rows_of(cublasOperation_t op, int rows, int columns) {
  return op == CUBLAS_OP_N ? rows : columns;
}

#define WARPMEM_CHECK(condition)                               \
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED; \
  if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE

template <class T, class R>
cublasStatus_t reduction(cublasHandle_t handle, int n, Reduction what, const T* x, int x_step,
                         const T* y, int y_step, R* result) {
  WARPMEM_CHECK(result != nullptr);
  const bool to_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
  R* const place = to_host ? static_cast<R*>(handle->result) : result;
  R* const parts = static_cast<R*>(handle->parts);
  const unsigned count = n > 0 ? vector_blocks(n) : 0;
  if (count != 0)
    sum_blocks<T, R><<<count, kThreads, 0, handle->stream>>>(n, what, vector(x, n, x_step),
                                                             vector(y, n, y_step), parts);
  sum_parts<R><<<1, kThreads, 0, handle->stream>>>(static_cast<int>(count), parts,
                                                   what == Reduction::squares, place);
  if (launched() != CUBLAS_STATUS_SUCCESS) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (to_host) cudaMemcpy(result, place, sizeof(R), cudaMemcpyDeviceToHost);
  return launched();
}
template <class T>
cublasStatus_t extreme(cublasHandle_t handle, int n, const T* x, int step, bool largest,
                       int* result) {
  WARPMEM_CHECK(result != nullptr);
  const bool to_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
  int* const place = to_host ? static_cast<int*>(handle->result) : result;
  find_extreme<T>
      <<<1, kThreads, 0, handle->stream>>>(step > 0 ? n : 0, vector(x, n, step), largest, place);
  if (launched() != CUBLAS_STATUS_SUCCESS) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (to_host) cudaMemcpy(result, place, sizeof(int), cudaMemcpyDeviceToHost);
  return launched();
}

template <class T>
cublasStatus_t axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int x_step, T* y,
                    int y_step) {
  WARPMEM_CHECK(alpha != nullptr);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  add_scaled<T><<<vector_blocks(n), kThreads, 0, handle->stream>>>(
      n, scalar(handle, alpha), vector(x, n, x_step), vector(y, n, y_step));
  return launched();
}
template <class T, class F>
cublasStatus_t scal(cublasHandle_t handle, int n, const F* alpha, T* x, int step) {
  WARPMEM_CHECK(alpha != nullptr);
  if (n <= 0 || step <= 0) return CUBLAS_STATUS_SUCCESS;
  scale<T, F><<<vector_blocks(n), kThreads, 0, handle->stream>>>(n, scalar(handle, alpha),
                                                                 vector(x, n, step));
  return launched();
}
template <class T>
cublasStatus_t copy_vector(cublasHandle_t handle, int n, const T* x, int x_step, T* y, int y_step) {
  WARPMEM_CHECK(true);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  copy<T><<<vector_blocks(n), kThreads, 0, handle->stream>>>(n, vector(x, n, x_step),
                                                             vector(y, n, y_step));
  return launched();
}
template <class T>
cublasStatus_t swap_vectors(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step) {
  WARPMEM_CHECK(true);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  exchange<T><<<vector_blocks(n), kThreads, 0, handle->stream>>>(n, vector(x, n, x_step),
                                                                 vector(y, n, y_step));
  return launched();
}
template <class T>
cublasStatus_t rot(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step, const T* c,
                   const T* s) {
  WARPMEM_CHECK(c != nullptr && s != nullptr);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  rotate<T><<<vector_blocks(n), kThreads, 0, handle->stream>>>(
      n, vector(x, n, x_step), vector(y, n, y_step), scalar(handle, c), scalar(handle, s));
  return launched();
}

template <class T>
cublasStatus_t matrix_times_vector(cublasHandle_t handle, int rows, int columns, const T* alpha,
                                   const Matrix<T>& a, const T* x, int x_step, const T* beta, T* y,
                                   int y_step) {
  const auto from = vector(x, columns, x_step);
  const auto to = vector(y, rows, y_step);
  const bool by_columns = a.form == Form::transposed || a.form == Form::conjugated;
  if (by_columns)
    rows_times_by_warps<T><<<blocks(32ll * rows), kThreads, 0, handle->stream>>>(
        rows, columns, scalar(handle, alpha), a, from, scalar(handle, beta), to);
  else
    rows_times<T><<<blocks(rows), kThreads, 0, handle->stream>>>(
        rows, columns, scalar(handle, alpha), a, from, scalar(handle, beta), to);
  return launched();
}
template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T* alpha,
                    const T* a, int lda, const T* x, int x_step, const T* beta, T* y, int y_step) {
  WARPMEM_CHECK(m >= 0 && n >= 0 && fits(lda, m) && x_step != 0 && y_step != 0);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return matrix_times_vector(handle, rows_of(op, m, n), rows_of(op, n, m), alpha,
                             matrix(a, lda, form_of(op)), x, x_step, beta, y, y_step);
}
template <class T>
cublasStatus_t symv(cublasHandle_t handle, cublasFillMode_t fill, int n, const T* alpha, const T* a,
                    int lda, const T* x, int x_step, const T* beta, T* y, int y_step) {
  WARPMEM_CHECK(n >= 0 && fits(lda, n) && x_step != 0 && y_step != 0);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return matrix_times_vector(handle, n, n, alpha, matrix(a, lda, symmetric(fill)), x, x_step, beta,
                             y, y_step);
}
template <class T>
cublasStatus_t ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int x_step,
                   const T* y, int y_step, T* a, int lda, Part part, bool conjugates) {
  WARPMEM_CHECK(m >= 0 && n >= 0 && fits(lda, m) && x_step != 0 && y_step != 0);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  add_outer<T><<<dim3(blocks(m), n), kThreads, 0, handle->stream>>>(
      m, n, scalar(handle, alpha), vector(x, m, x_step), vector(y, n, y_step), a, lda, part,
      conjugates);
  return launched();
}

/// What a batch is of.
template <class T>
struct Batch {
  const T* data;
  const T* const* list;
  int lead;
  long long stride;
  Matrix<T> as(Form form) const { return {data, list, lead, stride, form, false, false}; }
};
template <class T>
cublasStatus_t multiply_matrices(cublasHandle_t handle, const Product<T>& product, int batches) {
  const dim3 grid(blocks(product.rows, kTile), blocks(product.columns, kTile), batches);
  multiply<T><<<grid, dim3(kSide, kSide), 0, handle->stream>>>(product);
  return launched();
}
template <class T>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                    int n, int k, const T* alpha, const Batch<T>& a, const Batch<T>& b,
                    const T* beta, T* c, T* const* c_list, int ldc, long long c_stride,
                    int batches) {
  WARPMEM_CHECK(m >= 0 && n >= 0 && k >= 0 && batches >= 0 && fits(a.lead, rows_of(op_a, m, k)) &&
                fits(b.lead, rows_of(op_b, k, n)) && fits(ldc, m));
  if (m == 0 || n == 0 || batches == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply_matrices<T>(
      handle,
      {m, n, k, scalar(handle, alpha), scalar(handle, beta), a.as(form_of(op_a)),
       b.as(form_of(op_b)), c, c_list, ldc, c_stride, Part::all},
      batches);
}
/// C = alpha A B + beta C, where A or B is square and given by its form.
template <class T>
cublasStatus_t square_times(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                            const Scalar<T>& alpha, const Matrix<T>& a, const T* b, int ldb,
                            const Scalar<T>& beta, T* c, int ldc) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Matrix<T> other = matrix(b, ldb, Form::plain);
  return multiply_matrices<T>(handle,
                              {m, n, left ? m : n, alpha, beta, left ? a : other, left ? other : a,
                               c, nullptr, ldc, 0, Part::all},
                              1);
}
template <class T>
cublasStatus_t symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m,
                    int n, const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta,
                    T* c, int ldc) {
  WARPMEM_CHECK(m >= 0 && n >= 0 && fits(lda, side == CUBLAS_SIDE_LEFT ? m : n) && fits(ldb, m) &&
                fits(ldc, m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return square_times(handle, side, m, n, scalar(handle, alpha), matrix(a, lda, symmetric(fill)), b,
                      ldb, scalar(handle, beta), c, ldc);
}
template <class T>
cublasStatus_t syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, int n,
                    int k, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) {
  WARPMEM_CHECK(n >= 0 && k >= 0 && fits(lda, rows_of(op, n, k)) && fits(ldc, n));
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const Form plain = op == CUBLAS_OP_N ? Form::plain : Form::transposed;
  const Form other = op == CUBLAS_OP_N ? Form::transposed : Form::plain;
  return multiply_matrices<T>(
      handle,
      {n, n, k, scalar(handle, alpha), scalar(handle, beta), matrix(a, lda, plain),
       matrix(a, lda, other), c, nullptr, ldc, 0, part_of(fill)},
      1);
}
template <class T>
cublasStatus_t trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha,
                    const T* a, int lda, const T* b, int ldb, T* c, int ldc) {
  WARPMEM_CHECK(m >= 0 && n >= 0 && fits(lda, side == CUBLAS_SIDE_LEFT ? m : n) && fits(ldb, m) &&
                fits(ldc, m));
  // A block would read what another one has written already.
  if (b == c || conjugates_complex<T>(op)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return square_times(handle, side, m, n, scalar(handle, alpha),
                      triangle(a, lda, fill, op, diagonal), b, ldb, Scalar<T>{T(), nullptr}, c,
                      ldc);
}
template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha,
                    const T* a, int lda, T* b, int ldb) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  WARPMEM_CHECK(m >= 0 && n >= 0 && fits(lda, left ? m : n) && fits(ldb, m));
  if (conjugates_complex<T>(op)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
  solve<T><<<blocks(left ? n : m), kThreads, 0, handle->stream>>>(
      left ? m : n, left ? n : m, scalar(handle, alpha), triangle(a, lda, fill, op, diagonal),
      lower == left, b, left ? 1 : ldb, left ? ldb : 1, !left);
  return launched();
}
template <class T>
cublasStatus_t trsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                    cublasDiagType_t diagonal, int n, const T* a, int lda, T* x, int step) {
  WARPMEM_CHECK(n >= 0 && fits(lda, n) && step != 0);
  if (conjugates_complex<T>(op)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
  T* const first = step < 0 ? x + static_cast<long long>(1 - n) * step : x;
  solve<T><<<1, 32, 0, handle->stream>>>(n, 1, Scalar<T>{one<T>(), nullptr},
                                         triangle(a, lda, fill, op, diagonal), lower, first, step,
                                         0, false);
  return launched();
}
template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                    int n, const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb,
                    T* c, int ldc) {
  WARPMEM_CHECK(m >= 0 && n >= 0 && fits(lda, rows_of(op_a, m, n)) &&
                fits(ldb, rows_of(op_b, m, n)) && fits(ldc, m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  add_matrices<T><<<dim3(blocks(m), n), kThreads, 0, handle->stream>>>(
      m, n, scalar(handle, alpha), matrix(a, lda, form_of(op_a)), scalar(handle, beta),
      matrix(b, ldb, form_of(op_b)), c, ldc);
  return launched();
}
template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a, int lda,
                    const T* x, int step, T* c, int ldc) {
  WARPMEM_CHECK(m >= 0 && n >= 0 && fits(lda, m) && fits(ldc, m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  scale_matrix<T><<<dim3(blocks(m), n), kThreads, 0, handle->stream>>>(
      m, n, a, lda, vector(x, left ? m : n, step), left, c, ldc);
  return launched();
}

#undef WARPMEM_CHECK

}  // namespace warpmem_blas
