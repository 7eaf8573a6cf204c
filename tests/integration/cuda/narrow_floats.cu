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

constexpr int kOfPairs = 9;

/// Functions of pairs, beside the same made of those of one number each.
template <class Pair, class Type>
__global__ void of_pairs(const Type* in, Pair* got, Pair* expected) {
  const Pair a(in[0], in[1]), b(in[2], in[3]), c(in[4], in[5]);
  const Type one(1.0f), zero(0.0f);
  const auto each = [&](int at, Pair value, Type low, Type high) {
    got[at] = value;
    expected[at] = Pair(low, high);
  };
  each(0, __hfma2_relu(a, b, c), __hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
  each(1, __hfma2_sat(a, b, c), __hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
  each(2, __hmax2_nan(a, b), __hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
  each(3, __hmin2_nan(a, b), __hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
  each(4, __hltu2(a, c), __hltu(a.x, c.x) ? one : zero, __hltu(a.y, c.y) ? one : zero);
  each(5, __hisnan2(c), __hisnan(c.x) ? one : zero, __hisnan(c.y) ? one : zero);
  // (1 + 2i) * (3 - 4i) + (1 + 1i)
  each(6, __hcmadd(Pair(one, Type(2.0f)), Pair(Type(3.0f), Type(-4.0f)), Pair(one, one)),
       Type(12.0f), Type(3.0f));
  const unsigned mask = __hgtu2_mask(c, a);
  each(7, Pair(Type(float(mask & 0xffff)), Type(float(mask >> 16))),
       Type(__hgtu(c.x, a.x) ? 65535.0f : 0.0f), Type(__hgtu(c.y, a.y) ? 65535.0f : 0.0f));
  Type counted = one;
  const Type before = counted++;
  each(8, Pair(before, counted), one, Type(__hbequ2(a, a) ? 2.0f : 0.0f));
}

template <class Pair, class Type>
void check_pairs(workload::Verdict& verdict, const char* name) {
  const std::vector<Type> values = {Type(0.5f), Type(-3.0f),  Type(1.25f),
                                    Type(2.0f), Type(-0.25f), Type(std::nanf(""))};
  const workload::DeviceArray<Type> in(values);
  const workload::DeviceArray<Pair> got(kOfPairs), expected(kOfPairs);
  of_pairs<Pair, Type><<<1, 1>>>(in, got, expected);
  workload::finish_kernels();
  const auto bits = [](const std::vector<Pair>& pairs) {
    std::vector<unsigned short> all;
    for (const Pair& p : pairs) all.push_back(p.x.__x), all.push_back(p.y.__x);
    return all;
  };
  verdict.equal(name, bits(got.download()), bits(expected.download()));
}

/// Conversions of bfloat16 with a rounding, on the device.
__global__ void rounded(float* out) {
  const float v = 1.0f + 0x1p-9f;
  out[0] = __float2bfloat16_rd(v), out[1] = __float2bfloat16_ru(v);
  out[2] = __float2bfloat16_rd(-v), out[3] = __float2bfloat16_ru(-v);
  out[4] = __float2bfloat16_rz(-v);
  out[5] = __bfloat162int_rd(__nv_bfloat16(-2.5f)), out[6] = __bfloat162uint_ru(2.5f);
  out[7] = __bfloat162short_rn(__nv_bfloat16(2.5f)), out[8] = __ull2bfloat16_rn(1ull << 40);
}

int main() {
  workload::Verdict verdict;
  check<__half, __half_raw>(verdict, "half");
  check<__nv_bfloat16, __nv_bfloat16_raw>(verdict, "bfloat16");
  check_pairs<__half2, __half>(verdict, "pairs of half");
  check_pairs<__nv_bfloat162, __nv_bfloat16>(verdict, "pairs of bfloat16");
  const workload::DeviceArray<float> directed(9);
  rounded<<<1, 1>>>(directed);
  workload::finish_kernels();
  const float up = 1.0f + 0x1p-7f;
  verdict.close("rounded", directed.download(),
                std::vector<float>{1, up, -up, -1, -1, -3, 3, 2, 0x1p40f}, 0);

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
