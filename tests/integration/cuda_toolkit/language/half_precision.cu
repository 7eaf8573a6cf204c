// SPDX-License-Identifier: Apache-2.0
// Arithmetic in half and bfloat16: operators, pairs, comparisons, conversions, intrinsics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

__global__ void halves(const float* in, float* out) {
  const int i = threadIdx.x;
  const half a = __float2half(in[i]), b = __float2half(in[i + 1]);
  half r = a * b + __hsub(a, b);
  r = __hfma(r, __float2half(0.5f), b);
  if (__hlt(r, a) || a == b) r = -r;
  const half2 pair = __floats2half2_rn(in[i], in[i + 1]);
  const half2 sum = __hadd2(pair, __low2half2(pair)), product = sum * __half2half2(r);
  out[4 * i] = __half2float(r);
  out[4 * i + 1] = __low2float(product);
  out[4 * i + 2] = __high2float(product);
  out[4 * i + 3] = __half2float(hsqrt(__habs(a)));
}
__global__ void brains(const float* in, float* out) {
  const int i = threadIdx.x;
  const __nv_bfloat16 a = __float2bfloat16(in[i]), b = __float2bfloat16(in[i + 1]);
  out[i] = __bfloat162float(__hadd(__hmul(a, b), a));
}

int main() {
  const int n = 64;
  float host[n + 1], result[4 * n], *in, *out;
  for (int i = 0; i <= n; ++i) host[i] = static_cast<float>((i * 7) % 16 - 8);
  OK(cudaMalloc(&in, sizeof host));
  OK(cudaMalloc(&out, sizeof result));
  OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  halves<<<1, n>>>(in, out);
  OK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {  // small numbers, which both formats hold exactly
    const float a = host[i], b = host[i + 1];
    float r = (a * b + (a - b)) * 0.5f + b;
    if (r < a || a == b) r = -r;
    CHECK(result[4 * i] == r);
    CHECK(result[4 * i + 1] == 2 * a * r);
    CHECK(result[4 * i + 2] == (a + b) * r);
    const float root = result[4 * i + 3] * result[4 * i + 3] - (a < 0 ? -a : a);
    CHECK(root < 0.01f && root > -0.01f);
  }
  brains<<<1, n>>>(in, out);
  OK(cudaMemcpy(result, out, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK(result[i] == host[i] * host[i + 1] + host[i]);
  return finish();
}
