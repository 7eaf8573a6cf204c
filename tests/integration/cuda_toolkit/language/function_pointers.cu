// SPDX-License-Identifier: Apache-2.0
// Pointers to device functions: in a table in constant memory, fetched by the host and passed to a
// kernel, as a template's argument, and of different signatures in one kernel.
#include "check.h"

typedef float (*Binary)(float, float);
typedef int (*Unary)(int);

__device__ float add(float a, float b) { return a + b; }
__device__ float subtract(float a, float b) { return a - b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ int negate(int v) { return -v; }

__constant__ Binary operations[3] = {add, subtract, multiply};
__device__ Binary chosen = multiply;
__device__ Unary single = negate;

__global__ void by_table(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = operations[i % 3](in[i], 2);
}
__global__ void by_argument(Binary f, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 5 != 0) out[i] = f(in[i], static_cast<float>(single(i)));
}
template <Binary F>
__global__ void by_template(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = F(in[i], 1);
}

int main() {
  const int n = 512;
  float host[n], result[n], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 91);
  OK(cudaMalloc(&in, sizeof host));
  OK(cudaMalloc(&out, sizeof host));
  OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));

  by_table<<<n / 128, 128>>>(in, out);
  OK(cudaMemcpy(result, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    CHECK(result[i] == (i % 3 == 0 ? host[i] + 2 : i % 3 == 1 ? host[i] - 2 : host[i] * 2));

  Binary pointer = nullptr;
  OK(cudaMemcpyFromSymbol(&pointer, chosen, sizeof pointer));
  by_argument<<<n / 128, 128>>>(pointer, in, out);
  OK(cudaMemcpy(result, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (i % 5 != 0) CHECK(result[i] == -host[i] * i);

  by_template<subtract><<<n / 128, 128>>>(in, out);
  OK(cudaMemcpy(result, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK(result[i] == host[i] - 1);
  return finish();
}
