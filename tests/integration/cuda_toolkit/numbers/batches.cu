// SPDX-License-Identifier: Apache-2.0
// cuBLAS as solvers use it: batches of products by pointers and by strides, a triangular system, a
// stream, results that stay on the device.
#include <cublas_v2.h>

#include <cmath>
#include <vector>

#include "../runtime/check.h"

const int kN = 12, kBatch = 5;

template <class T>
static T* on_device(const std::vector<T>& host) {
  T* data;
  OK(cudaMalloc(&data, host.size() * sizeof(T)));
  OK(cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return data;
}

int main() {
  const int each = kN * kN;
  std::vector<double> a(kBatch * each), b(a.size()), c(a.size()), d(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(i * 7 % 13) - 6;
    b[i] = static_cast<double>(i * 5 % 11) - 5;
  }
  double *pa = on_device(a), *pb = on_device(b), *pc = on_device(c), *pd = on_device(d);
  std::vector<double*> as, bs, cs;
  for (int k = 0; k < kBatch; ++k) {
    as.push_back(pa + k * each);
    bs.push_back(pb + k * each);
    cs.push_back(pc + k * each);
  }
  cublasHandle_t handle;
  cudaStream_t stream;
  OK(cublasCreate(&handle));
  OK(cudaStreamCreate(&stream));
  OK(cublasSetStream(handle, stream));
  const double one = 1, zero = 0;
  OK(cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, kN, kN, kN, &one, on_device(as), kN,
                        on_device(bs), kN, &zero, on_device(cs), kN, kBatch));
  OK(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, kN, kN, kN, &one, pa, kN, each, pb,
                               kN, each, &zero, pd, kN, each, kBatch));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(c.data(), pc, c.size() * sizeof(double), cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(d.data(), pd, d.size() * sizeof(double), cudaMemcpyDeviceToHost));
  for (int k = 0; k < kBatch; ++k)
    for (int j = 0; j < kN; ++j)
      for (int i = 0; i < kN; ++i) {
        double sum = 0;
        for (int l = 0; l < kN; ++l) sum += a[k * each + l * kN + i] * b[k * each + l * kN + j];
        CHECK(c[k * each + j * kN + i] == sum);
        CHECK(d[k * each + j * kN + i] == sum);
      }

  // L x = y with L of ones below a diagonal of 2, and the norm of what is left, on the device.
  std::vector<double> l(each, 0.0), x(kN), y(kN, 0.0);
  for (int j = 0; j < kN; ++j)
    for (int i = j; i < kN; ++i) l[j * kN + i] = i == j ? 2 : 1;
  for (int i = 0; i < kN; ++i) x[i] = i % 3 - 1;
  for (int i = 0; i < kN; ++i)
    for (int j = 0; j <= i; ++j) y[i] += l[j * kN + i] * x[j];
  double *pl = on_device(l), *px = on_device(y), *wanted = on_device(x), *norm = on_device(x);
  OK(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                 CUBLAS_DIAG_NON_UNIT, kN, 1, &one, pl, kN, px, kN));
  const double minus = -1;
  OK(cublasDaxpy(handle, kN, &minus, wanted, 1, px, 1));
  OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  OK(cublasDnrm2(handle, kN, px, 1, norm));
  double host_norm = -1;
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(&host_norm, norm, sizeof host_norm, cudaMemcpyDeviceToHost));
  CHECK(host_norm >= 0 && host_norm < 1e-12);
  OK(cublasDestroy(handle));
  return finish();
}
