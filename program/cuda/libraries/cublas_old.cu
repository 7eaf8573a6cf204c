// SPDX-License-Identifier: Apache-2.0
// cuBLAS as it was before CUDA 4 (cublas.h): letters, factors and results by value, over the
// functions of cublas_v2.h with one handle.
#include <cublas.h>

namespace {

cublasHandle_t handle = nullptr;
cublasStatus last = CUBLAS_STATUS_SUCCESS;

bool note(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) last = status;
  return status == CUBLAS_STATUS_SUCCESS;
}

/// Calls `function` with the handle, if there is one and all letters are known.
template <class Function, class... Arguments>
void call(bool letters, Function function, Arguments... arguments) {
  note(handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED
       : !letters        ? CUBLAS_STATUS_INVALID_VALUE
                         : function(handle, arguments...));
}
/// The same for one that gives a result, 0 without one.
template <class Result, class Function, class... Arguments>
Result result_of(Function function, Arguments... arguments) {
  Result result{};
  call(true, function, arguments..., &result);
  return result;
}

char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}
/// Each takes a letter and tells in `known` whether it is one.
cublasOperation_t operation(char letter, bool& known) {
  const char c = upper(letter);
  known = known && (c == 'N' || c == 'T' || c == 'C');
  return c == 'T' ? CUBLAS_OP_T : c == 'C' ? CUBLAS_OP_C : CUBLAS_OP_N;
}
cublasFillMode_t fill_mode(char letter, bool& known) {
  const char c = upper(letter);
  known = known && (c == 'L' || c == 'U');
  return c == 'L' ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}
cublasSideMode_t side_mode(char letter, bool& known) {
  const char c = upper(letter);
  known = known && (c == 'L' || c == 'R');
  return c == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}
cublasDiagType_t diagonal_type(char letter, bool& known) {
  const char c = upper(letter);
  known = known && (c == 'N' || c == 'U');
  return c == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

}  // namespace

extern "C" {

cublasStatus cublasInit(void) {
  if (handle != nullptr) return CUBLAS_STATUS_SUCCESS;
  return cublasCreate_v2(&handle);
}
cublasStatus cublasShutdown(void) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus status = cublasDestroy_v2(handle);
  handle = nullptr;
  return status;
}
cublasStatus cublasGetError(void) {
  const cublasStatus status = last;
  last = CUBLAS_STATUS_SUCCESS;
  return status;
}
cublasStatus cublasAlloc(int n, int element_bytes, void** pointer) {
  if (n <= 0 || element_bytes <= 0 || pointer == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(element_bytes);
  return cudaMalloc(pointer, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                   : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus cublasFree(void* pointer) {
  return cudaFree(pointer) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
cublasStatus cublasSetKernelStream(cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return cublasSetStream_v2(handle, stream);
}

// clang-format off
// P is the type's letter, I that of functions which return an index, and SUM that of sums, whose
// type is REAL: for complex numbers the letters of their parts' type stand before it.
#define WARPMEM_COMMON(P, I, T, SUM, REAL) \
  int cublasI##I##amax(int n, const T* x, int step) { \
    return result_of<int>(cublasI##I##amax_v2, n, x, step); \
  } \
  int cublasI##I##amin(int n, const T* x, int step) { \
    return result_of<int>(cublasI##I##amin_v2, n, x, step); \
  } \
  REAL cublas##SUM##asum(int n, const T* x, int step) { \
    return result_of<REAL>(cublas##SUM##asum_v2, n, x, step); \
  } \
  REAL cublas##SUM##nrm2(int n, const T* x, int step) { \
    return result_of<REAL>(cublas##SUM##nrm2_v2, n, x, step); \
  } \
  void cublas##P##axpy(int n, T alpha, const T* x, int x_step, T* y, int y_step) { \
    call(true, cublas##P##axpy_v2, n, &alpha, x, x_step, y, y_step); \
  } \
  void cublas##P##copy(int n, const T* x, int x_step, T* y, int y_step) { \
    call(true, cublas##P##copy_v2, n, x, x_step, y, y_step); \
  } \
  void cublas##P##scal(int n, T alpha, T* x, int step) { \
    call(true, cublas##P##scal_v2, n, &alpha, x, step); \
  } \
  void cublas##P##swap(int n, T* x, int x_step, T* y, int y_step) { \
    call(true, cublas##P##swap_v2, n, x, x_step, y, y_step); \
  } \
  void cublas##P##gemv(char op, int m, int n, T alpha, const T* a, int lda, const T* x, \
                       int x_step, T beta, T* y, int y_step) { \
    bool known = true; \
    const auto o = operation(op, known); \
    call(known, cublas##P##gemv_v2, o, m, n, &alpha, a, lda, x, x_step, &beta, y, y_step); \
  } \
  void cublas##P##trsv(char fill, char op, char diagonal, int n, const T* a, int lda, T* x, \
                       int step) { \
    bool known = true; \
    const auto f = fill_mode(fill, known); \
    const auto o = operation(op, known); \
    const auto d = diagonal_type(diagonal, known); \
    call(known, cublas##P##trsv_v2, f, o, d, n, a, lda, x, step); \
  } \
  void cublas##P##gemm(char op_a, char op_b, int m, int n, int k, T alpha, const T* a, int lda, \
                       const T* b, int ldb, T beta, T* c, int ldc) { \
    bool known = true; \
    const auto oa = operation(op_a, known); \
    const auto ob = operation(op_b, known); \
    call(known, cublas##P##gemm_v2, oa, ob, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc); \
  } \
  void cublas##P##symm(char side, char fill, int m, int n, T alpha, const T* a, int lda, \
                       const T* b, int ldb, T beta, T* c, int ldc) { \
    bool known = true; \
    const auto s = side_mode(side, known); \
    const auto f = fill_mode(fill, known); \
    call(known, cublas##P##symm_v2, s, f, m, n, &alpha, a, lda, b, ldb, &beta, c, ldc); \
  } \
  void cublas##P##syrk(char fill, char op, int n, int k, T alpha, const T* a, int lda, T beta, \
                       T* c, int ldc) { \
    bool known = true; \
    const auto f = fill_mode(fill, known); \
    const auto o = operation(op, known); \
    call(known, cublas##P##syrk_v2, f, o, n, k, &alpha, a, lda, &beta, c, ldc); \
  } \
  void cublas##P##trsm(char side, char fill, char op, char diagonal, int m, int n, T alpha, \
                       const T* a, int lda, T* b, int ldb) { \
    bool known = true; \
    const auto s = side_mode(side, known); \
    const auto f = fill_mode(fill, known); \
    const auto o = operation(op, known); \
    const auto d = diagonal_type(diagonal, known); \
    call(known, cublas##P##trsm_v2, s, f, o, d, m, n, &alpha, a, lda, b, ldb); \
  }
#define WARPMEM_REAL(P, I, T) \
  WARPMEM_COMMON(P, I, T, P, T) \
  T cublas##P##dot(int n, const T* x, int x_step, const T* y, int y_step) { \
    return result_of<T>(cublas##P##dot_v2, n, x, x_step, y, y_step); \
  } \
  void cublas##P##rot(int n, T* x, int x_step, T* y, int y_step, T c, T s) { \
    call(true, cublas##P##rot_v2, n, x, x_step, y, y_step, &c, &s); \
  } \
  void cublas##P##ger(int m, int n, T alpha, const T* x, int x_step, const T* y, int y_step, \
                      T* a, int lda) { \
    call(true, cublas##P##ger_v2, m, n, &alpha, x, x_step, y, y_step, a, lda); \
  } \
  void cublas##P##symv(char fill, int n, T alpha, const T* a, int lda, const T* x, int x_step, \
                       T beta, T* y, int y_step) { \
    bool known = true; \
    const auto f = fill_mode(fill, known); \
    call(known, cublas##P##symv_v2, f, n, &alpha, a, lda, x, x_step, &beta, y, y_step); \
  } \
  void cublas##P##syr(char fill, int n, T alpha, const T* x, int step, T* a, int lda) { \
    bool known = true; \
    const auto f = fill_mode(fill, known); \
    call(known, cublas##P##syr_v2, f, n, &alpha, x, step, a, lda); \
  }
#define WARPMEM_COMPLEX(P, I, T, SUM, REAL) \
  WARPMEM_COMMON(P, I, T, SUM, REAL) \
  T cublas##P##dotu(int n, const T* x, int x_step, const T* y, int y_step) { \
    return result_of<T>(cublas##P##dotu_v2, n, x, x_step, y, y_step); \
  } \
  T cublas##P##dotc(int n, const T* x, int x_step, const T* y, int y_step) { \
    return result_of<T>(cublas##P##dotc_v2, n, x, x_step, y, y_step); \
  }
WARPMEM_REAL(S, s, float)
WARPMEM_REAL(D, d, double)
WARPMEM_COMPLEX(C, c, cuComplex, Sc, float)
WARPMEM_COMPLEX(Z, z, cuDoubleComplex, Dz, double)
// clang-format on

}  // extern "C"
