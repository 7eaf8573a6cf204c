// SPDX-License-Identifier: Apache-2.0
// BLAS on the device as it was before CUDA 4: one handle, operations named by letters, results and
// factors by value, the last error asked for by cublasGetError. Link with -lcublas.
//
// A program includes this or cublas_v2.h, not both.
#ifndef CUBLAS_H_
#define CUBLAS_H_
#if defined(CUBLAS_V2_H_)
#error "cublas.h after cublas_v2.h: these are two interfaces of one library; include one"
#endif

#include <stddef.h>

#define WARPMEM_CUBLAS_OLD
#include "cublas_v2.h"

typedef cublasStatus_t cublasStatus;

#if defined(__cplusplus)
extern "C" {
#endif

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
/// Returns the error of the functions below since the last call.
cublasStatus cublasGetError(void);
cublasStatus cublasAlloc(int n, int element_bytes, void** pointer);
cublasStatus cublasFree(void* pointer);
cublasStatus cublasSetKernelStream(cudaStream_t stream);

// clang-format off
/* The functions for one kind of number: P and I are its letters, T is its type. */
#define WARPMEM_CUBLAS_COMMON(P, T) \
  void cublas##P##axpy(int n, T alpha, const T* x, int x_step, T* y, int y_step); \
  void cublas##P##copy(int n, const T* x, int x_step, T* y, int y_step); \
  void cublas##P##scal(int n, T alpha, T* x, int step); \
  void cublas##P##swap(int n, T* x, int x_step, T* y, int y_step); \
  void cublas##P##gemv(char op, int m, int n, T alpha, const T* a, int lda, const T* x, \
                       int x_step, T beta, T* y, int y_step); \
  void cublas##P##trsv(char fill, char op, char diagonal, int n, const T* a, int lda, T* x, \
                       int step); \
  void cublas##P##gemm(char op_a, char op_b, int m, int n, int k, T alpha, const T* a, \
                       int lda, const T* b, int ldb, T beta, T* c, int ldc); \
  void cublas##P##symm(char side, char fill, int m, int n, T alpha, const T* a, int lda, \
                       const T* b, int ldb, T beta, T* c, int ldc); \
  void cublas##P##syrk(char fill, char op, int n, int k, T alpha, const T* a, int lda, \
                       T beta, T* c, int ldc); \
  void cublas##P##trsm(char side, char fill, char op, char diagonal, int m, int n, T alpha, \
                       const T* a, int lda, T* b, int ldb);
#define WARPMEM_CUBLAS_REAL(P, I, T) \
  WARPMEM_CUBLAS_COMMON(P, T) \
  int cublasI##I##amax(int n, const T* x, int step); \
  int cublasI##I##amin(int n, const T* x, int step); \
  T cublas##P##asum(int n, const T* x, int step); \
  T cublas##P##nrm2(int n, const T* x, int step); \
  T cublas##P##dot(int n, const T* x, int x_step, const T* y, int y_step); \
  void cublas##P##rot(int n, T* x, int x_step, T* y, int y_step, T c, T s); \
  void cublas##P##ger(int m, int n, T alpha, const T* x, int x_step, const T* y, int y_step, \
                      T* a, int lda); \
  void cublas##P##symv(char fill, int n, T alpha, const T* a, int lda, const T* x, int x_step, \
                       T beta, T* y, int y_step); \
  void cublas##P##syr(char fill, int n, T alpha, const T* x, int step, T* a, int lda);
#define WARPMEM_CUBLAS_COMPLEX(P, I, T) \
  WARPMEM_CUBLAS_COMMON(P, T) \
  int cublasI##I##amax(int n, const T* x, int step); \
  int cublasI##I##amin(int n, const T* x, int step); \
  T cublas##P##dotu(int n, const T* x, int x_step, const T* y, int y_step); \
  T cublas##P##dotc(int n, const T* x, int x_step, const T* y, int y_step);
WARPMEM_CUBLAS_REAL(S, s, float)
WARPMEM_CUBLAS_REAL(D, d, double)
WARPMEM_CUBLAS_COMPLEX(C, c, cuComplex)
WARPMEM_CUBLAS_COMPLEX(Z, z, cuDoubleComplex)
#undef WARPMEM_CUBLAS_COMMON
#undef WARPMEM_CUBLAS_REAL
#undef WARPMEM_CUBLAS_COMPLEX
// clang-format on
float cublasScasum(int n, const cuComplex* x, int step);
float cublasScnrm2(int n, const cuComplex* x, int step);
double cublasDzasum(int n, const cuDoubleComplex* x, int step);
double cublasDznrm2(int n, const cuDoubleComplex* x, int step);

#if defined(__cplusplus)
}
#endif

#endif
