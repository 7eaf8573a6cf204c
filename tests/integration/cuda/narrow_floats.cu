// SPDX-License-Identifier: Apache-2.0
// __half and __nv_bfloat16: conversions and arithmetic on the device equal to the host's in every
// bit, for all values or many pairs of them; functions within an error of the last place.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>

#include "common/check.hpp"

constexpr int kAll = 65536, kOperations = 8;

template <class Type>
__host__ __device__ Type operation(int which, Type a, Type b) {
  switch (which) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return a / b;
    case 4:
      return __hmax(a, b);
    case 5:
      return __hlt(a, b) ? __hneg(a) : __habs(b);
    case 6:
      return __hfma(a, Type(3.0f), b);
    default:
      return Type(static_cast<float>(a) * 1.0009765625f);
  }
}

template <class Type, class Raw>
__global__ void operations(unsigned short* out, unsigned step) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Raw a, b;
  a.x = i;
  b.x = i * step + 7;
  for (int k = 0; k < kOperations; ++k) out[k * kAll + i] = operation(k, Type(a), Type(b)).__x;
}

// A NaN may have any sign and payload.
template <class Type, class Raw>
std::vector<unsigned short> canonical(std::vector<unsigned short> bits) {
  for (unsigned short& v : bits)
    if (__hisnan(Type(Raw{v}))) v = 0x7fff;
  return bits;
}

template <class Type, class Raw>
void check(workload::Verdict& verdict, const char* name) {
  const workload::DeviceArray<unsigned short> out(kOperations * kAll);
  operations<Type, Raw><<<kAll / 256, 256>>>(out, 40503);
  workload::finish_kernels();
  std::vector<unsigned short> expected(kOperations * kAll);
  for (int k = 0; k < kOperations; ++k)
    for (unsigned i = 0; i < kAll; ++i) {
      const Raw a{static_cast<unsigned short>(i)};
      const Raw b{static_cast<unsigned short>(i * 40503 + 7)};
      expected[k * kAll + i] = operation(k, Type(a), Type(b)).__x;
    }
  verdict.equal(name, canonical<Type, Raw>(out.download()), canonical<Type, Raw>(expected));
}

__global__ void pairs(half2* values, float* sums) {
  half2 v = values[threadIdx.x];
  v = __hfma2(v, __float2half2_rn(2.0f), __half2half2(__float2half(0.5f)));
  v = __hadd2(v, __lowhigh2highlow(v));
  values[threadIdx.x] = v;
  float root = __low2float(h2sqrt(__habs2(v)));
  for (int step = 16; step > 0; step /= 2) v = v + __shfl_xor_sync(0xffffffff, v, step);
  sums[2 * threadIdx.x] = __high2float(v);
  sums[2 * threadIdx.x + 1] = root;
}

int main() {
  workload::Verdict verdict;
  check<__half, __half_raw>(verdict, "half");
  check<__nv_bfloat16, __nv_bfloat16_raw>(verdict, "bfloat16");

  std::vector<half2> in(32);
  for (int i = 0; i < 32; ++i) in[i] = __floats2half2_rn(i, -0.25f * i);
  const workload::DeviceArray<half2> values(in);
  const workload::DeviceArray<float> sums(64);
  pairs<<<1, 32>>>(values, sums);
  workload::finish_kernels();
  std::vector<float> expected(64);
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += 1.5f * i + 1.0f;
  for (int i = 0; i < 32; ++i) {
    expected[2 * i] = sum;
    expected[2 * i + 1] = __half2float(__float2half(std::sqrt(1.5f * i + 1.0f)));
  }
  verdict.close("pairs", sums.download(), expected, 1e-3);
  return verdict.done();
}
