// SPDX-License-Identifier: Apache-2.0
// cuBLAS: handles, copies of vectors and matrices, GemmEx.
#include <cublas_v2.h>

#include <new>

#include "blas.cuh"

using namespace warpmem_blas;

namespace {

struct StatusName {
  cublasStatus_t status;
  const char* name;
};
#define WARPMEM_STATUS(name) \
  { CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name }
const StatusName kStatusNames[] = {
    WARPMEM_STATUS(SUCCESS),          WARPMEM_STATUS(NOT_INITIALIZED),
    WARPMEM_STATUS(ALLOC_FAILED),     WARPMEM_STATUS(INVALID_VALUE),
    WARPMEM_STATUS(ARCH_MISMATCH),    WARPMEM_STATUS(MAPPING_ERROR),
    WARPMEM_STATUS(EXECUTION_FAILED), WARPMEM_STATUS(INTERNAL_ERROR),
    WARPMEM_STATUS(NOT_SUPPORTED),    WARPMEM_STATUS(LICENSE_ERROR),
};
#undef WARPMEM_STATUS

/// A vector with a step is a matrix of one row.
cublasStatus_t copy_elements(int rows, int columns, int bytes, const void* from, int from_lead,
                             void* to, int to_lead, cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes <= 0 || from_lead < rows || to_lead < rows ||
      from_lead <= 0 || to_lead <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const size_t element = static_cast<size_t>(bytes);
  return cudaMemcpy2D(to, to_lead * element, from, from_lead * element, rows * element, columns,
                      kind) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}

/// Half matrices with sums, and perhaps C, in float.
__global__ void half_product(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                             Scalar<float> alpha, Matrix<__half> a, Matrix<__half> b,
                             Scalar<float> beta, void* c, bool c_is_half, long long ldc) {
  constexpr int kEdge = 16;
  __shared__ float a_tile[kEdge][kEdge + 1], b_tile[kEdge][kEdge + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.x * kEdge + x, column = blockIdx.y * kEdge + y;
  float sum = 0;
  for (int step = 0; step < k; step += kEdge) {
    a_tile[y][x] = row < m && step + y < k ? float(a.at(a.data, row, step + y)) : 0.0f;
    b_tile[x][y] = column < n && step + x < k ? float(b.at(b.data, step + x, column)) : 0.0f;
    __syncthreads();
    for (int i = 0; i < kEdge; ++i) sum = fmaf(a_tile[i][x], b_tile[i][y], sum);
    __syncthreads();
  }
  if (row >= m || column >= n) return;
  const long long place = row + column * ldc;
  const float factor = beta.get();
  float old = 0;
  if (factor != 0)
    old = c_is_half ? float(static_cast<__half*>(c)[place]) : static_cast<float*>(c)[place];
  const float value = fmaf(alpha.get(), sum, factor * old);
  if (c_is_half)
    static_cast<__half*>(c)[place] = __half(value);
  else
    static_cast<float*>(c)[place] = value;
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  cublasContext* const made = new (std::nothrow) cublasContext;
  if (made == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  if (cudaMalloc(&made->parts, kMostBlocks * kWidestNumber) != cudaSuccess ||
      cudaMalloc(&made->result, kWidestNumber) != cudaSuccess) {
    cudaFree(made->parts);
    delete made;
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  *handle = made;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  cudaFree(handle->parts);
  cudaFree(handle->result);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pointers = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *mode = handle->pointers;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusName(cublasStatus_t status) {
  for (const StatusName& known : kStatusNames)
    if (known.status == status) return known.name;
  return "unknown cuBLAS status";
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int x_step, void* y, int y_step) {
  return copy_elements(1, n, bytes, x, x_step, y, y_step, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int x_step, void* y, int y_step) {
  return copy_elements(1, n, bytes, x, x_step, y, y_step, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b,
                               int ldb) {
  return copy_elements(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b,
                               int ldb) {
  return copy_elements(rows, columns, bytes, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType_t a_type, int lda, const void* b, cudaDataType_t b_type,
                            int ldb, const void* beta, void* c, cudaDataType_t c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool same = a_type == b_type && b_type == c_type;
  if (same && a_type == CUDA_R_32F && compute != CUBLAS_COMPUTE_16F)
    return cublasSgemm(handle, op_a, op_b, m, n, k, static_cast<const float*>(alpha),
                       static_cast<const float*>(a), lda, static_cast<const float*>(b), ldb,
                       static_cast<const float*>(beta), static_cast<float*>(c), ldc);
  if (same && a_type == CUDA_R_64F && compute == CUBLAS_COMPUTE_64F)
    return cublasDgemm(handle, op_a, op_b, m, n, k, static_cast<const double*>(alpha),
                       static_cast<const double*>(a), lda, static_cast<const double*>(b), ldb,
                       static_cast<const double*>(beta), static_cast<double*>(c), ldc);
  if (same && a_type == CUDA_R_16F && compute == CUBLAS_COMPUTE_16F)
    return cublasHgemm(handle, op_a, op_b, m, n, k, static_cast<const __half*>(alpha),
                       static_cast<const __half*>(a), lda, static_cast<const __half*>(b), ldb,
                       static_cast<const __half*>(beta), static_cast<__half*>(c), ldc);
  if (a_type != CUDA_R_16F || b_type != CUDA_R_16F || compute != CUBLAS_COMPUTE_32F ||
      (c_type != CUDA_R_16F && c_type != CUDA_R_32F))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (m < 0 || n < 0 || k < 0 || !fits(lda, rows_of(op_a, m, k)) ||
      !fits(ldb, rows_of(op_b, k, n)) || !fits(ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  half_product<<<dim3(blocks(m, 16), blocks(n, 16)), dim3(16, 16), 0, handle->stream>>>(
      op_a, op_b, m, n, k, scalar(handle, static_cast<const float*>(alpha)),
      matrix(static_cast<const __half*>(a), lda, form_of(op_a)),
      matrix(static_cast<const __half*>(b), ldb, form_of(op_b)),
      scalar(handle, static_cast<const float*>(beta)), c, c_type == CUDA_R_16F, ldc);
  return launched();
}

}  // extern "C"
