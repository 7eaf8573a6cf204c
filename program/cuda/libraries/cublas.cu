// SPDX-License-Identifier: Apache-2.0
// cuBLAS: the C functions, one line each over blas.cuh.
#include <cublas_v2.h>

#include "blas.cuh"

using namespace warpmem_blas;

extern "C" {

cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n, const float* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, true, result);
}
cublasStatus_t cublasIsamin_v2(cublasHandle_t handle, int n, const float* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, false, result);
}
cublasStatus_t cublasSasum_v2(cublasHandle_t handle, int n, const float* x, int step,
                              float* result) {
  return reduction<float, float>(handle, n, Reduction::absolute, x, step, x, step, result);
}
cublasStatus_t cublasSnrm2_v2(cublasHandle_t handle, int n, const float* x, int step,
                              float* result) {
  return reduction<float, float>(handle, n, Reduction::squares, x, step, x, step, result);
}
cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float* x, int x_step,
                             const float* y, int y_step, float* result) {
  return reduction<float, float>(handle, n, Reduction::dot, x, x_step, y, y_step, result);
}
cublasStatus_t cublasSaxpy_v2(cublasHandle_t handle, int n, const float* alpha, const float* x,
                              int x_step, float* y, int y_step) {
  return axpy(handle, n, alpha, x, x_step, y, y_step);
}
cublasStatus_t cublasSscal_v2(cublasHandle_t handle, int n, const float* alpha, float* x,
                              int step) {
  return scal(handle, n, alpha, x, step);
}
cublasStatus_t cublasScopy_v2(cublasHandle_t handle, int n, const float* x, int x_step, float* y,
                              int y_step) {
  return copy_vector(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasSswap_v2(cublasHandle_t handle, int n, float* x, int x_step, float* y,
                              int y_step) {
  return swap_vectors(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasSrot_v2(cublasHandle_t handle, int n, float* x, int x_step, float* y,
                             int y_step, const float* c, const float* s) {
  return rot(handle, n, x, x_step, y, y_step, c, s);
}
cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const float* alpha, const float* a, int lda, const float* x,
                              int x_step, const float* beta, float* y, int y_step) {
  return gemv(handle, op, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasSger_v2(cublasHandle_t handle, int m, int n, const float* alpha,
                             const float* x, int x_step, const float* y, int y_step, float* a,
                             int lda) {
  return ger(handle, m, n, alpha, x, x_step, y, y_step, a, lda, Part::all, false);
}
cublasStatus_t cublasSsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const float* alpha, const float* a, int lda, const float* x,
                              int x_step, const float* beta, float* y, int y_step) {
  return symv(handle, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasSsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const float* alpha, const float* x, int step, float* a, int lda) {
  return ger(handle, n, n, alpha, x, step, x, step, a, lda, part_of(fill), false);
}
cublasStatus_t cublasStrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const float* a, int lda, float* x,
                              int step) {
  return trsv(handle, fill, op, diagonal, n, a, lda, x, step);
}
cublasStatus_t cublasIdamax_v2(cublasHandle_t handle, int n, const double* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, true, result);
}
cublasStatus_t cublasIdamin_v2(cublasHandle_t handle, int n, const double* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, false, result);
}
cublasStatus_t cublasDasum_v2(cublasHandle_t handle, int n, const double* x, int step,
                              double* result) {
  return reduction<double, double>(handle, n, Reduction::absolute, x, step, x, step, result);
}
cublasStatus_t cublasDnrm2_v2(cublasHandle_t handle, int n, const double* x, int step,
                              double* result) {
  return reduction<double, double>(handle, n, Reduction::squares, x, step, x, step, result);
}
cublasStatus_t cublasDdot_v2(cublasHandle_t handle, int n, const double* x, int x_step,
                             const double* y, int y_step, double* result) {
  return reduction<double, double>(handle, n, Reduction::dot, x, x_step, y, y_step, result);
}
cublasStatus_t cublasDaxpy_v2(cublasHandle_t handle, int n, const double* alpha, const double* x,
                              int x_step, double* y, int y_step) {
  return axpy(handle, n, alpha, x, x_step, y, y_step);
}
cublasStatus_t cublasDscal_v2(cublasHandle_t handle, int n, const double* alpha, double* x,
                              int step) {
  return scal(handle, n, alpha, x, step);
}
cublasStatus_t cublasDcopy_v2(cublasHandle_t handle, int n, const double* x, int x_step, double* y,
                              int y_step) {
  return copy_vector(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasDswap_v2(cublasHandle_t handle, int n, double* x, int x_step, double* y,
                              int y_step) {
  return swap_vectors(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasDrot_v2(cublasHandle_t handle, int n, double* x, int x_step, double* y,
                             int y_step, const double* c, const double* s) {
  return rot(handle, n, x, x_step, y, y_step, c, s);
}
cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const double* alpha, const double* a, int lda, const double* x,
                              int x_step, const double* beta, double* y, int y_step) {
  return gemv(handle, op, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasDger_v2(cublasHandle_t handle, int m, int n, const double* alpha,
                             const double* x, int x_step, const double* y, int y_step, double* a,
                             int lda) {
  return ger(handle, m, n, alpha, x, x_step, y, y_step, a, lda, Part::all, false);
}
cublasStatus_t cublasDsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const double* alpha, const double* a, int lda, const double* x,
                              int x_step, const double* beta, double* y, int y_step) {
  return symv(handle, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasDsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const double* alpha, const double* x, int step, double* a, int lda) {
  return ger(handle, n, n, alpha, x, step, x, step, a, lda, part_of(fill), false);
}
cublasStatus_t cublasDtrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const double* a, int lda, double* x,
                              int step) {
  return trsv(handle, fill, op, diagonal, n, a, lda, x, step);
}
cublasStatus_t cublasIcamax_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, true, result);
}
cublasStatus_t cublasIcamin_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, false, result);
}
cublasStatus_t cublasScasum_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               float* result) {
  return reduction<cuComplex, float>(handle, n, Reduction::absolute, x, step, x, step, result);
}
cublasStatus_t cublasScnrm2_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               float* result) {
  return reduction<cuComplex, float>(handle, n, Reduction::squares, x, step, x, step, result);
}
cublasStatus_t cublasCdotu_v2(cublasHandle_t handle, int n, const cuComplex* x, int x_step,
                              const cuComplex* y, int y_step, cuComplex* result) {
  return reduction<cuComplex, cuComplex>(handle, n, Reduction::dot, x, x_step, y, y_step, result);
}
cublasStatus_t cublasCdotc_v2(cublasHandle_t handle, int n, const cuComplex* x, int x_step,
                              const cuComplex* y, int y_step, cuComplex* result) {
  return reduction<cuComplex, cuComplex>(handle, n, Reduction::dot_conjugated, x, x_step, y, y_step,
                                         result);
}
cublasStatus_t cublasCaxpy_v2(cublasHandle_t handle, int n, const cuComplex* alpha,
                              const cuComplex* x, int x_step, cuComplex* y, int y_step) {
  return axpy(handle, n, alpha, x, x_step, y, y_step);
}
cublasStatus_t cublasCscal_v2(cublasHandle_t handle, int n, const cuComplex* alpha, cuComplex* x,
                              int step) {
  return scal(handle, n, alpha, x, step);
}
cublasStatus_t cublasCcopy_v2(cublasHandle_t handle, int n, const cuComplex* x, int x_step,
                              cuComplex* y, int y_step) {
  return copy_vector(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasCswap_v2(cublasHandle_t handle, int n, cuComplex* x, int x_step, cuComplex* y,
                              int y_step) {
  return swap_vectors(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasCgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* x, int x_step, const cuComplex* beta, cuComplex* y,
                              int y_step) {
  return gemv(handle, op, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasCgeru_v2(cublasHandle_t handle, int m, int n, const cuComplex* alpha,
                              const cuComplex* x, int x_step, const cuComplex* y, int y_step,
                              cuComplex* a, int lda) {
  return ger(handle, m, n, alpha, x, x_step, y, y_step, a, lda, Part::all, false);
}
cublasStatus_t cublasCgerc_v2(cublasHandle_t handle, int m, int n, const cuComplex* alpha,
                              const cuComplex* x, int x_step, const cuComplex* y, int y_step,
                              cuComplex* a, int lda) {
  return ger(handle, m, n, alpha, x, x_step, y, y_step, a, lda, Part::all, true);
}
cublasStatus_t cublasCsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* x, int x_step, const cuComplex* beta, cuComplex* y,
                              int y_step) {
  return symv(handle, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasCsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const cuComplex* alpha, const cuComplex* x, int step, cuComplex* a,
                             int lda) {
  return ger(handle, n, n, alpha, x, step, x, step, a, lda, part_of(fill), false);
}
cublasStatus_t cublasCtrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const cuComplex* a, int lda,
                              cuComplex* x, int step) {
  return trsv(handle, fill, op, diagonal, n, a, lda, x, step);
}
cublasStatus_t cublasIzamax_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, true, result);
}
cublasStatus_t cublasIzamin_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               int* result) {
  return extreme(handle, n, x, step, false, result);
}
cublasStatus_t cublasDzasum_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               double* result) {
  return reduction<cuDoubleComplex, double>(handle, n, Reduction::absolute, x, step, x, step,
                                            result);
}
cublasStatus_t cublasDznrm2_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               double* result) {
  return reduction<cuDoubleComplex, double>(handle, n, Reduction::squares, x, step, x, step,
                                            result);
}
cublasStatus_t cublasZdotu_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int x_step,
                              const cuDoubleComplex* y, int y_step, cuDoubleComplex* result) {
  return reduction<cuDoubleComplex, cuDoubleComplex>(handle, n, Reduction::dot, x, x_step, y,
                                                     y_step, result);
}
cublasStatus_t cublasZdotc_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int x_step,
                              const cuDoubleComplex* y, int y_step, cuDoubleComplex* result) {
  return reduction<cuDoubleComplex, cuDoubleComplex>(handle, n, Reduction::dot_conjugated, x,
                                                     x_step, y, y_step, result);
}
cublasStatus_t cublasZaxpy_v2(cublasHandle_t handle, int n, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* x, int x_step, cuDoubleComplex* y,
                              int y_step) {
  return axpy(handle, n, alpha, x, x_step, y, y_step);
}
cublasStatus_t cublasZscal_v2(cublasHandle_t handle, int n, const cuDoubleComplex* alpha,
                              cuDoubleComplex* x, int step) {
  return scal(handle, n, alpha, x, step);
}
cublasStatus_t cublasZcopy_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int x_step,
                              cuDoubleComplex* y, int y_step) {
  return copy_vector(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasZswap_v2(cublasHandle_t handle, int n, cuDoubleComplex* x, int x_step,
                              cuDoubleComplex* y, int y_step) {
  return swap_vectors(handle, n, x, x_step, y, y_step);
}
cublasStatus_t cublasZgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* beta,
                              cuDoubleComplex* y, int y_step) {
  return gemv(handle, op, m, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasZgeru_v2(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* y,
                              int y_step, cuDoubleComplex* a, int lda) {
  return ger(handle, m, n, alpha, x, x_step, y, y_step, a, lda, Part::all, false);
}
cublasStatus_t cublasZgerc_v2(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* y,
                              int y_step, cuDoubleComplex* a, int lda) {
  return ger(handle, m, n, alpha, x, x_step, y, y_step, a, lda, Part::all, true);
}
cublasStatus_t cublasZsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* beta,
                              cuDoubleComplex* y, int y_step) {
  return symv(handle, fill, n, alpha, a, lda, x, x_step, beta, y, y_step);
}
cublasStatus_t cublasZsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const cuDoubleComplex* alpha, const cuDoubleComplex* x, int step,
                             cuDoubleComplex* a, int lda) {
  return ger(handle, n, n, alpha, x, step, x, step, a, lda, part_of(fill), false);
}
cublasStatus_t cublasZtrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const cuDoubleComplex* a, int lda,
                              cuDoubleComplex* x, int step) {
  return trsv(handle, fill, op, diagonal, n, a, lda, x, step);
}
cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, const float* beta, float* c, int ldc) {
  return gemm<float>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, 0}, {b, nullptr, ldb, 0},
                     beta, c, nullptr, ldc, 0, 1);
}
cublasStatus_t cublasSgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const float* alpha, const float* a, int lda,
                                            long long int a_stride, const float* b, int ldb,
                                            long long int b_stride, const float* beta, float* c,
                                            int ldc, long long int c_stride, int batches) {
  return gemm<float>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, a_stride},
                     {b, nullptr, ldb, b_stride}, beta, c, nullptr, ldc, c_stride, batches);
}
cublasStatus_t cublasSgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const float* alpha, const float* const a[], int lda,
                                     const float* const b[], int ldb, const float* beta,
                                     float* const c[], int ldc, int batches) {
  return gemm<float>(handle, op_a, op_b, m, n, k, alpha, {nullptr, a, lda, 0}, {nullptr, b, ldb, 0},
                     beta, nullptr, c, ldc, 0, batches);
}
cublasStatus_t cublasSsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, const float* beta, float* c, int ldc) {
  return symm(handle, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
cublasStatus_t cublasSsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const float* alpha, const float* a, int lda,
                              const float* beta, float* c, int ldc) {
  return syrk(handle, fill, op, n, k, alpha, a, lda, beta, c, ldc);
}
cublasStatus_t cublasStrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const float* alpha, const float* a, int lda, float* b, int ldb) {
  return trsm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);
}
cublasStatus_t cublasStrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const float* alpha, const float* a, int lda, const float* b, int ldb,
                              float* c, int ldc) {
  return trmm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
cublasStatus_t cublasSgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const float* alpha, const float* a, int lda,
                              const float* beta, const float* b, int ldb, float* c, int ldc) {
  return geam(handle, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
cublasStatus_t cublasSdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const float* a, int lda, const float* x, int step, float* c,
                              int ldc) {
  return dgmm(handle, side, m, n, a, lda, x, step, c, ldc);
}
cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const double* alpha, const double* a, int lda,
                              const double* b, int ldb, const double* beta, double* c, int ldc) {
  return gemm<double>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, 0},
                      {b, nullptr, ldb, 0}, beta, c, nullptr, ldc, 0, 1);
}
cublasStatus_t cublasDgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const double* alpha, const double* a, int lda,
                                            long long int a_stride, const double* b, int ldb,
                                            long long int b_stride, const double* beta, double* c,
                                            int ldc, long long int c_stride, int batches) {
  return gemm<double>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, a_stride},
                      {b, nullptr, ldb, b_stride}, beta, c, nullptr, ldc, c_stride, batches);
}
cublasStatus_t cublasDgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const double* alpha, const double* const a[], int lda,
                                     const double* const b[], int ldb, const double* beta,
                                     double* const c[], int ldc, int batches) {
  return gemm<double>(handle, op_a, op_b, m, n, k, alpha, {nullptr, a, lda, 0},
                      {nullptr, b, ldb, 0}, beta, nullptr, c, ldc, 0, batches);
}
cublasStatus_t cublasDsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const double* alpha, const double* a, int lda,
                              const double* b, int ldb, const double* beta, double* c, int ldc) {
  return symm(handle, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
cublasStatus_t cublasDsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const double* alpha, const double* a, int lda,
                              const double* beta, double* c, int ldc) {
  return syrk(handle, fill, op, n, k, alpha, a, lda, beta, c, ldc);
}
cublasStatus_t cublasDtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const double* alpha, const double* a, int lda, double* b, int ldb) {
  return trsm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);
}
cublasStatus_t cublasDtrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const double* alpha, const double* a, int lda, const double* b,
                              int ldb, double* c, int ldc) {
  return trmm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
cublasStatus_t cublasDgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const double* alpha, const double* a, int lda,
                              const double* beta, const double* b, int ldb, double* c, int ldc) {
  return geam(handle, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
cublasStatus_t cublasDdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const double* a, int lda, const double* x, int step, double* c,
                              int ldc) {
  return dgmm(handle, side, m, n, a, lda, x, step, c, ldc);
}
cublasStatus_t cublasCgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const cuComplex* alpha, const cuComplex* a,
                              int lda, const cuComplex* b, int ldb, const cuComplex* beta,
                              cuComplex* c, int ldc) {
  return gemm<cuComplex>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, 0},
                         {b, nullptr, ldb, 0}, beta, c, nullptr, ldc, 0, 1);
}
cublasStatus_t cublasCgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const cuComplex* alpha, const cuComplex* a, int lda,
                                            long long int a_stride, const cuComplex* b, int ldb,
                                            long long int b_stride, const cuComplex* beta,
                                            cuComplex* c, int ldc, long long int c_stride,
                                            int batches) {
  return gemm<cuComplex>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, a_stride},
                         {b, nullptr, ldb, b_stride}, beta, c, nullptr, ldc, c_stride, batches);
}
cublasStatus_t cublasCgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const cuComplex* alpha, const cuComplex* const a[], int lda,
                                     const cuComplex* const b[], int ldb, const cuComplex* beta,
                                     cuComplex* const c[], int ldc, int batches) {
  return gemm<cuComplex>(handle, op_a, op_b, m, n, k, alpha, {nullptr, a, lda, 0},
                         {nullptr, b, ldb, 0}, beta, nullptr, c, ldc, 0, batches);
}
cublasStatus_t cublasCsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* b, int ldb, const cuComplex* beta, cuComplex* c,
                              int ldc) {
  return symm(handle, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
cublasStatus_t cublasCsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* beta, cuComplex* c, int ldc) {
  return syrk(handle, fill, op, n, k, alpha, a, lda, beta, c, ldc);
}
cublasStatus_t cublasCtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda, cuComplex* b,
                              int ldb) {
  return trsm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);
}
cublasStatus_t cublasCtrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* b, int ldb, cuComplex* c, int ldc) {
  return trmm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
cublasStatus_t cublasCgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* beta, const cuComplex* b, int ldb, cuComplex* c,
                              int ldc) {
  return geam(handle, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
cublasStatus_t cublasCdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const cuComplex* a, int lda, const cuComplex* x, int step,
                              cuComplex* c, int ldc) {
  return dgmm(handle, side, m, n, a, lda, x, step, c, ldc);
}
cublasStatus_t cublasZgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* a, int lda, const cuDoubleComplex* b, int ldb,
                              const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc) {
  return gemm<cuDoubleComplex>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, 0},
                               {b, nullptr, ldb, 0}, beta, c, nullptr, ldc, 0, 1);
}
cublasStatus_t cublasZgemmStridedBatched_v2(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda, long long int a_stride,
    const cuDoubleComplex* b, int ldb, long long int b_stride, const cuDoubleComplex* beta,
    cuDoubleComplex* c, int ldc, long long int c_stride, int batches) {
  return gemm<cuDoubleComplex>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, a_stride},
                               {b, nullptr, ldb, b_stride}, beta, c, nullptr, ldc, c_stride,
                               batches);
}
cublasStatus_t cublasZgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const cuDoubleComplex* alpha, const cuDoubleComplex* const a[],
                                     int lda, const cuDoubleComplex* const b[], int ldb,
                                     const cuDoubleComplex* beta, cuDoubleComplex* const c[],
                                     int ldc, int batches) {
  return gemm<cuDoubleComplex>(handle, op_a, op_b, m, n, k, alpha, {nullptr, a, lda, 0},
                               {nullptr, b, ldb, 0}, beta, nullptr, c, ldc, 0, batches);
}
cublasStatus_t cublasZsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* a,
                              int lda, const cuDoubleComplex* b, int ldb,
                              const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc) {
  return symm(handle, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}
cublasStatus_t cublasZsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* a,
                              int lda, const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc) {
  return syrk(handle, fill, op, n, k, alpha, a, lda, beta, c, ldc);
}
cublasStatus_t cublasZtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              cuDoubleComplex* b, int ldb) {
  return trsm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);
}
cublasStatus_t cublasZtrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              const cuDoubleComplex* b, int ldb, cuDoubleComplex* c, int ldc) {
  return trmm(handle, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb, c, ldc);
}
cublasStatus_t cublasZgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* a,
                              int lda, const cuDoubleComplex* beta, const cuDoubleComplex* b,
                              int ldb, cuDoubleComplex* c, int ldc) {
  return geam(handle, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);
}
cublasStatus_t cublasZdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const cuDoubleComplex* a, int lda, const cuDoubleComplex* x, int step,
                              cuDoubleComplex* c, int ldc) {
  return dgmm(handle, side, m, n, a, lda, x, step, c, ldc);
}
cublasStatus_t cublasHgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const __half* alpha, const __half* a, int lda,
                              const __half* b, int ldb, const __half* beta, __half* c, int ldc) {
  return gemm<__half>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, 0},
                      {b, nullptr, ldb, 0}, beta, c, nullptr, ldc, 0, 1);
}
cublasStatus_t cublasHgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const __half* alpha, const __half* a, int lda,
                                            long long int a_stride, const __half* b, int ldb,
                                            long long int b_stride, const __half* beta, __half* c,
                                            int ldc, long long int c_stride, int batches) {
  return gemm<__half>(handle, op_a, op_b, m, n, k, alpha, {a, nullptr, lda, a_stride},
                      {b, nullptr, ldb, b_stride}, beta, c, nullptr, ldc, c_stride, batches);
}
cublasStatus_t cublasHgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const __half* alpha, const __half* const a[], int lda,
                                     const __half* const b[], int ldb, const __half* beta,
                                     __half* const c[], int ldc, int batches) {
  return gemm<__half>(handle, op_a, op_b, m, n, k, alpha, {nullptr, a, lda, 0},
                      {nullptr, b, ldb, 0}, beta, nullptr, c, ldc, 0, batches);
}

}  // extern "C"
