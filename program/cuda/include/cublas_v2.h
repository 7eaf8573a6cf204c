// SPDX-License-Identifier: Apache-2.0
// BLAS on the device: matrices stored by columns, kernels in program/cuda/libraries. Link with
// -lcublas.
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#include "cuComplex.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLAS_VER_MAJOR 11
#define CUBLAS_VER_MINOR 5
#define CUBLAS_VERSION 11500

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70
} cublasComputeType_t;
typedef struct cublasContext* cublasHandle_t;

#if !defined(WARPMEM_CUBLAS_OLD)  // cublas.h gives these names to the older functions
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasSasum cublasSasum_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasSdot cublasSdot_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasScopy cublasScopy_v2
#define cublasSswap cublasSswap_v2
#define cublasSrot cublasSrot_v2
#define cublasSgemv cublasSgemv_v2
#define cublasSger cublasSger_v2
#define cublasSsymv cublasSsymv_v2
#define cublasSsyr cublasSsyr_v2
#define cublasStrsv cublasStrsv_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIdamin cublasIdamin_v2
#define cublasDasum cublasDasum_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasDdot cublasDdot_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasDscal cublasDscal_v2
#define cublasDcopy cublasDcopy_v2
#define cublasDswap cublasDswap_v2
#define cublasDrot cublasDrot_v2
#define cublasDgemv cublasDgemv_v2
#define cublasDger cublasDger_v2
#define cublasDsymv cublasDsymv_v2
#define cublasDsyr cublasDsyr_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasIcamax cublasIcamax_v2
#define cublasIcamin cublasIcamin_v2
#define cublasScasum cublasScasum_v2
#define cublasScnrm2 cublasScnrm2_v2
#define cublasCdotu cublasCdotu_v2
#define cublasCdotc cublasCdotc_v2
#define cublasCaxpy cublasCaxpy_v2
#define cublasCscal cublasCscal_v2
#define cublasCcopy cublasCcopy_v2
#define cublasCswap cublasCswap_v2
#define cublasCgemv cublasCgemv_v2
#define cublasCgeru cublasCgeru_v2
#define cublasCgerc cublasCgerc_v2
#define cublasCsymv cublasCsymv_v2
#define cublasCsyr cublasCsyr_v2
#define cublasCtrsv cublasCtrsv_v2
#define cublasIzamax cublasIzamax_v2
#define cublasIzamin cublasIzamin_v2
#define cublasDzasum cublasDzasum_v2
#define cublasDznrm2 cublasDznrm2_v2
#define cublasZdotu cublasZdotu_v2
#define cublasZdotc cublasZdotc_v2
#define cublasZaxpy cublasZaxpy_v2
#define cublasZscal cublasZscal_v2
#define cublasZcopy cublasZcopy_v2
#define cublasZswap cublasZswap_v2
#define cublasZgemv cublasZgemv_v2
#define cublasZgeru cublasZgeru_v2
#define cublasZgerc cublasZgerc_v2
#define cublasZsymv cublasZsymv_v2
#define cublasZsyr cublasZsyr_v2
#define cublasZtrsv cublasZtrsv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasSgemmStridedBatched cublasSgemmStridedBatched_v2
#define cublasSgemmBatched cublasSgemmBatched_v2
#define cublasSsymm cublasSsymm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasStrsm cublasStrsm_v2
#define cublasStrmm cublasStrmm_v2
#define cublasSgeam cublasSgeam_v2
#define cublasSdgmm cublasSdgmm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasDgemmStridedBatched cublasDgemmStridedBatched_v2
#define cublasDgemmBatched cublasDgemmBatched_v2
#define cublasDsymm cublasDsymm_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasDtrmm cublasDtrmm_v2
#define cublasDgeam cublasDgeam_v2
#define cublasDdgmm cublasDdgmm_v2
#define cublasCgemm cublasCgemm_v2
#define cublasCgemmStridedBatched cublasCgemmStridedBatched_v2
#define cublasCgemmBatched cublasCgemmBatched_v2
#define cublasCsymm cublasCsymm_v2
#define cublasCsyrk cublasCsyrk_v2
#define cublasCtrsm cublasCtrsm_v2
#define cublasCtrmm cublasCtrmm_v2
#define cublasCgeam cublasCgeam_v2
#define cublasCdgmm cublasCdgmm_v2
#define cublasZgemm cublasZgemm_v2
#define cublasZgemmStridedBatched cublasZgemmStridedBatched_v2
#define cublasZgemmBatched cublasZgemmBatched_v2
#define cublasZsymm cublasZsymm_v2
#define cublasZsyrk cublasZsyrk_v2
#define cublasZtrsm cublasZtrsm_v2
#define cublasZtrmm cublasZtrmm_v2
#define cublasZgeam cublasZgeam_v2
#define cublasZdgmm cublasZdgmm_v2
#define cublasHgemm cublasHgemm_v2
#define cublasHgemmStridedBatched cublasHgemmStridedBatched_v2
#define cublasHgemmBatched cublasHgemmBatched_v2
#endif

#if defined(__cplusplus)
extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
/// Where alpha, beta and results of sums are: in host memory (at first) or in device memory.
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
/// These two change nothing: there is one way to compute, without atomics.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int x_step, void* y, int y_step);
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int x_step, void* y, int y_step);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b,
                               int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b,
                               int ldb);

cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n, const float* x, int step, int* result);
cublasStatus_t cublasIsamin_v2(cublasHandle_t handle, int n, const float* x, int step, int* result);
cublasStatus_t cublasSasum_v2(cublasHandle_t handle, int n, const float* x, int step,
                              float* result);
cublasStatus_t cublasSnrm2_v2(cublasHandle_t handle, int n, const float* x, int step,
                              float* result);
cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float* x, int x_step,
                             const float* y, int y_step, float* result);
cublasStatus_t cublasSaxpy_v2(cublasHandle_t handle, int n, const float* alpha, const float* x,
                              int x_step, float* y, int y_step);
cublasStatus_t cublasSscal_v2(cublasHandle_t handle, int n, const float* alpha, float* x, int step);
cublasStatus_t cublasScopy_v2(cublasHandle_t handle, int n, const float* x, int x_step, float* y,
                              int y_step);
cublasStatus_t cublasSswap_v2(cublasHandle_t handle, int n, float* x, int x_step, float* y,
                              int y_step);
cublasStatus_t cublasSrot_v2(cublasHandle_t handle, int n, float* x, int x_step, float* y,
                             int y_step, const float* c, const float* s);
cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const float* alpha, const float* a, int lda, const float* x,
                              int x_step, const float* beta, float* y, int y_step);
cublasStatus_t cublasSger_v2(cublasHandle_t handle, int m, int n, const float* alpha,
                             const float* x, int x_step, const float* y, int y_step, float* a,
                             int lda);
cublasStatus_t cublasSsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const float* alpha, const float* a, int lda, const float* x,
                              int x_step, const float* beta, float* y, int y_step);
cublasStatus_t cublasSsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const float* alpha, const float* x, int step, float* a, int lda);
cublasStatus_t cublasStrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const float* a, int lda, float* x,
                              int step);
cublasStatus_t cublasIdamax_v2(cublasHandle_t handle, int n, const double* x, int step,
                               int* result);
cublasStatus_t cublasIdamin_v2(cublasHandle_t handle, int n, const double* x, int step,
                               int* result);
cublasStatus_t cublasDasum_v2(cublasHandle_t handle, int n, const double* x, int step,
                              double* result);
cublasStatus_t cublasDnrm2_v2(cublasHandle_t handle, int n, const double* x, int step,
                              double* result);
cublasStatus_t cublasDdot_v2(cublasHandle_t handle, int n, const double* x, int x_step,
                             const double* y, int y_step, double* result);
cublasStatus_t cublasDaxpy_v2(cublasHandle_t handle, int n, const double* alpha, const double* x,
                              int x_step, double* y, int y_step);
cublasStatus_t cublasDscal_v2(cublasHandle_t handle, int n, const double* alpha, double* x,
                              int step);
cublasStatus_t cublasDcopy_v2(cublasHandle_t handle, int n, const double* x, int x_step, double* y,
                              int y_step);
cublasStatus_t cublasDswap_v2(cublasHandle_t handle, int n, double* x, int x_step, double* y,
                              int y_step);
cublasStatus_t cublasDrot_v2(cublasHandle_t handle, int n, double* x, int x_step, double* y,
                             int y_step, const double* c, const double* s);
cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const double* alpha, const double* a, int lda, const double* x,
                              int x_step, const double* beta, double* y, int y_step);
cublasStatus_t cublasDger_v2(cublasHandle_t handle, int m, int n, const double* alpha,
                             const double* x, int x_step, const double* y, int y_step, double* a,
                             int lda);
cublasStatus_t cublasDsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const double* alpha, const double* a, int lda, const double* x,
                              int x_step, const double* beta, double* y, int y_step);
cublasStatus_t cublasDsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const double* alpha, const double* x, int step, double* a, int lda);
cublasStatus_t cublasDtrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const double* a, int lda, double* x,
                              int step);
cublasStatus_t cublasIcamax_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               int* result);
cublasStatus_t cublasIcamin_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               int* result);
cublasStatus_t cublasScasum_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               float* result);
cublasStatus_t cublasScnrm2_v2(cublasHandle_t handle, int n, const cuComplex* x, int step,
                               float* result);
cublasStatus_t cublasCdotu_v2(cublasHandle_t handle, int n, const cuComplex* x, int x_step,
                              const cuComplex* y, int y_step, cuComplex* result);
cublasStatus_t cublasCdotc_v2(cublasHandle_t handle, int n, const cuComplex* x, int x_step,
                              const cuComplex* y, int y_step, cuComplex* result);
cublasStatus_t cublasCaxpy_v2(cublasHandle_t handle, int n, const cuComplex* alpha,
                              const cuComplex* x, int x_step, cuComplex* y, int y_step);
cublasStatus_t cublasCscal_v2(cublasHandle_t handle, int n, const cuComplex* alpha, cuComplex* x,
                              int step);
cublasStatus_t cublasCcopy_v2(cublasHandle_t handle, int n, const cuComplex* x, int x_step,
                              cuComplex* y, int y_step);
cublasStatus_t cublasCswap_v2(cublasHandle_t handle, int n, cuComplex* x, int x_step, cuComplex* y,
                              int y_step);
cublasStatus_t cublasCgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* x, int x_step, const cuComplex* beta, cuComplex* y,
                              int y_step);
cublasStatus_t cublasCgeru_v2(cublasHandle_t handle, int m, int n, const cuComplex* alpha,
                              const cuComplex* x, int x_step, const cuComplex* y, int y_step,
                              cuComplex* a, int lda);
cublasStatus_t cublasCgerc_v2(cublasHandle_t handle, int m, int n, const cuComplex* alpha,
                              const cuComplex* x, int x_step, const cuComplex* y, int y_step,
                              cuComplex* a, int lda);
cublasStatus_t cublasCsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* x, int x_step, const cuComplex* beta, cuComplex* y,
                              int y_step);
cublasStatus_t cublasCsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const cuComplex* alpha, const cuComplex* x, int step, cuComplex* a,
                             int lda);
cublasStatus_t cublasCtrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const cuComplex* a, int lda,
                              cuComplex* x, int step);
cublasStatus_t cublasIzamax_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               int* result);
cublasStatus_t cublasIzamin_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               int* result);
cublasStatus_t cublasDzasum_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               double* result);
cublasStatus_t cublasDznrm2_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int step,
                               double* result);
cublasStatus_t cublasZdotu_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int x_step,
                              const cuDoubleComplex* y, int y_step, cuDoubleComplex* result);
cublasStatus_t cublasZdotc_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int x_step,
                              const cuDoubleComplex* y, int y_step, cuDoubleComplex* result);
cublasStatus_t cublasZaxpy_v2(cublasHandle_t handle, int n, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* x, int x_step, cuDoubleComplex* y, int y_step);
cublasStatus_t cublasZscal_v2(cublasHandle_t handle, int n, const cuDoubleComplex* alpha,
                              cuDoubleComplex* x, int step);
cublasStatus_t cublasZcopy_v2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int x_step,
                              cuDoubleComplex* y, int y_step);
cublasStatus_t cublasZswap_v2(cublasHandle_t handle, int n, cuDoubleComplex* x, int x_step,
                              cuDoubleComplex* y, int y_step);
cublasStatus_t cublasZgemv_v2(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* beta,
                              cuDoubleComplex* y, int y_step);
cublasStatus_t cublasZgeru_v2(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* y,
                              int y_step, cuDoubleComplex* a, int lda);
cublasStatus_t cublasZgerc_v2(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* y,
                              int y_step, cuDoubleComplex* a, int lda);
cublasStatus_t cublasZsymv_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              const cuDoubleComplex* x, int x_step, const cuDoubleComplex* beta,
                              cuDoubleComplex* y, int y_step);
cublasStatus_t cublasZsyr_v2(cublasHandle_t handle, cublasFillMode_t fill, int n,
                             const cuDoubleComplex* alpha, const cuDoubleComplex* x, int step,
                             cuDoubleComplex* a, int lda);
cublasStatus_t cublasZtrsv_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              cublasDiagType_t diagonal, int n, const cuDoubleComplex* a, int lda,
                              cuDoubleComplex* x, int step);
cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, const float* beta, float* c, int ldc);
cublasStatus_t cublasSgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const float* alpha, const float* a, int lda,
                                            long long int a_stride, const float* b, int ldb,
                                            long long int b_stride, const float* beta, float* c,
                                            int ldc, long long int c_stride, int batches);
cublasStatus_t cublasSgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const float* alpha, const float* const a[], int lda,
                                     const float* const b[], int ldb, const float* beta,
                                     float* const c[], int ldc, int batches);
cublasStatus_t cublasSsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, const float* beta, float* c, int ldc);
cublasStatus_t cublasSsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const float* alpha, const float* a, int lda,
                              const float* beta, float* c, int ldc);
cublasStatus_t cublasStrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const float* alpha, const float* a, int lda, float* b, int ldb);
cublasStatus_t cublasStrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const float* alpha, const float* a, int lda, const float* b, int ldb,
                              float* c, int ldc);
cublasStatus_t cublasSgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const float* alpha, const float* a, int lda,
                              const float* beta, const float* b, int ldb, float* c, int ldc);
cublasStatus_t cublasSdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const float* a, int lda, const float* x, int step, float* c, int ldc);
cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const double* alpha, const double* a, int lda,
                              const double* b, int ldb, const double* beta, double* c, int ldc);
cublasStatus_t cublasDgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const double* alpha, const double* a, int lda,
                                            long long int a_stride, const double* b, int ldb,
                                            long long int b_stride, const double* beta, double* c,
                                            int ldc, long long int c_stride, int batches);
cublasStatus_t cublasDgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const double* alpha, const double* const a[], int lda,
                                     const double* const b[], int ldb, const double* beta,
                                     double* const c[], int ldc, int batches);
cublasStatus_t cublasDsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const double* alpha, const double* a, int lda,
                              const double* b, int ldb, const double* beta, double* c, int ldc);
cublasStatus_t cublasDsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const double* alpha, const double* a, int lda,
                              const double* beta, double* c, int ldc);
cublasStatus_t cublasDtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const double* alpha, const double* a, int lda, double* b, int ldb);
cublasStatus_t cublasDtrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const double* alpha, const double* a, int lda, const double* b,
                              int ldb, double* c, int ldc);
cublasStatus_t cublasDgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const double* alpha, const double* a, int lda,
                              const double* beta, const double* b, int ldb, double* c, int ldc);
cublasStatus_t cublasDdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const double* a, int lda, const double* x, int step, double* c,
                              int ldc);
cublasStatus_t cublasCgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const cuComplex* alpha, const cuComplex* a,
                              int lda, const cuComplex* b, int ldb, const cuComplex* beta,
                              cuComplex* c, int ldc);
cublasStatus_t cublasCgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const cuComplex* alpha, const cuComplex* a, int lda,
                                            long long int a_stride, const cuComplex* b, int ldb,
                                            long long int b_stride, const cuComplex* beta,
                                            cuComplex* c, int ldc, long long int c_stride,
                                            int batches);
cublasStatus_t cublasCgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const cuComplex* alpha, const cuComplex* const a[], int lda,
                                     const cuComplex* const b[], int ldb, const cuComplex* beta,
                                     cuComplex* const c[], int ldc, int batches);
cublasStatus_t cublasCsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* b, int ldb, const cuComplex* beta, cuComplex* c,
                              int ldc);
cublasStatus_t cublasCsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* beta, cuComplex* c, int ldc);
cublasStatus_t cublasCtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda, cuComplex* b,
                              int ldb);
cublasStatus_t cublasCtrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* b, int ldb, cuComplex* c, int ldc);
cublasStatus_t cublasCgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const cuComplex* alpha, const cuComplex* a, int lda,
                              const cuComplex* beta, const cuComplex* b, int ldb, cuComplex* c,
                              int ldc);
cublasStatus_t cublasCdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const cuComplex* a, int lda, const cuComplex* x, int step,
                              cuComplex* c, int ldc);
cublasStatus_t cublasZgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const cuDoubleComplex* alpha,
                              const cuDoubleComplex* a, int lda, const cuDoubleComplex* b, int ldb,
                              const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZgemmStridedBatched_v2(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda, long long int a_stride,
    const cuDoubleComplex* b, int ldb, long long int b_stride, const cuDoubleComplex* beta,
    cuDoubleComplex* c, int ldc, long long int c_stride, int batches);
cublasStatus_t cublasZgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const cuDoubleComplex* alpha, const cuDoubleComplex* const a[],
                                     int lda, const cuDoubleComplex* const b[], int ldb,
                                     const cuDoubleComplex* beta, cuDoubleComplex* const c[],
                                     int ldc, int batches);
cublasStatus_t cublasZsymm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* a,
                              int lda, const cuDoubleComplex* b, int ldb,
                              const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZsyrk_v2(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                              int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* a,
                              int lda, const cuDoubleComplex* beta, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              cuDoubleComplex* b, int ldb);
cublasStatus_t cublasZtrmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                              cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                              const cuDoubleComplex* alpha, const cuDoubleComplex* a, int lda,
                              const cuDoubleComplex* b, int ldb, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZgeam_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* a,
                              int lda, const cuDoubleComplex* beta, const cuDoubleComplex* b,
                              int ldb, cuDoubleComplex* c, int ldc);
cublasStatus_t cublasZdgmm_v2(cublasHandle_t handle, cublasSideMode_t side, int m, int n,
                              const cuDoubleComplex* a, int lda, const cuDoubleComplex* x, int step,
                              cuDoubleComplex* c, int ldc);
#if defined(__cplusplus)  // C has no half
cublasStatus_t cublasHgemm_v2(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                              int m, int n, int k, const __half* alpha, const __half* a, int lda,
                              const __half* b, int ldb, const __half* beta, __half* c, int ldc);
cublasStatus_t cublasHgemmStridedBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                            cublasOperation_t op_b, int m, int n, int k,
                                            const __half* alpha, const __half* a, int lda,
                                            long long int a_stride, const __half* b, int ldb,
                                            long long int b_stride, const __half* beta, __half* c,
                                            int ldc, long long int c_stride, int batches);
cublasStatus_t cublasHgemmBatched_v2(cublasHandle_t handle, cublasOperation_t op_a,
                                     cublasOperation_t op_b, int m, int n, int k,
                                     const __half* alpha, const __half* const a[], int lda,
                                     const __half* const b[], int ldb, const __half* beta,
                                     __half* const c[], int ldc, int batches);
#endif
/// All of float, of double or of half with sums in half's float; A and B half, C half or float.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType_t a_type, int lda, const void* b, cudaDataType_t b_type,
                            int ldb, const void* beta, void* c, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

#if defined(__cplusplus)
}
#endif

#endif
