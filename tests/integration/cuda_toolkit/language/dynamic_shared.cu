// SPDX-License-Identifier: Apache-2.0
// Shared memory whose size the launch gives, cut into arrays of several types; more of it than 48
// KiB after cudaFuncSetAttribute; a templated extern array; bounds on launches.
#include "check.h"

template <class T>
__device__ T* shared() {
  extern __shared__ __align__(16) unsigned char all[];
  return reinterpret_cast<T*>(all);
}

__global__ void __launch_bounds__(128, 2) cut(const double* in, double* out, int n) {
  double* const values = shared<double>();
  int* const places = reinterpret_cast<int*>(values + n);
  char* const marks = reinterpret_cast<char*>(places + n);
  const int i = threadIdx.x;
  values[i] = in[blockIdx.x * n + i];
  places[i] = n - 1 - i;
  marks[i] = i % 2;
  __syncthreads();
  out[blockIdx.x * n + i] = values[places[i]] * (marks[n - 1 - i] ? 2 : 1);
}
template <class T>
__global__ void large(T* out, int n) {
  T* const data = shared<T>();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = T(i);
  __syncthreads();
  T sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += data[n - 1 - i];
  atomicAdd(out, sum);
}

int main() {
  const int n = 128;
  double host[2 * n], result[2 * n], *in, *out;
  for (int i = 0; i < 2 * n; ++i) host[i] = i * 0.5;
  OK(cudaMalloc(&in, sizeof host));
  OK(cudaMalloc(&out, sizeof host));
  OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  cut<<<2, n, n*(sizeof(double) + sizeof(int) + 1)>>>(in, out, n);
  OK(cudaMemcpy(result, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < n; ++i)
      CHECK(result[b * n + i] == host[b * n + n - 1 - i] * ((n - 1 - i) % 2 ? 2 : 1));

  int most = 0;
  OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(most >= 48 * 1024);
  const int words = most / 4;
  unsigned *sum, got = 0;
  OK(cudaMalloc(&sum, sizeof *sum));
  OK(cudaMemset(sum, 0, sizeof *sum));
  OK(cudaFuncSetAttribute(large<unsigned>, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  large<unsigned><<<1, 256, words * 4>>>(sum, words);
  OK(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
  CHECK(got == unsigned(words) * unsigned(words - 1) / 2);
  EXPECT(
      cudaErrorInvalidValue,
      cudaFuncSetAttribute(large<unsigned>, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 4));
  cudaGetLastError();
  return finish();
}
