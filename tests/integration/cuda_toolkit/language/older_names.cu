// SPDX-License-Identifier: Apache-2.0
// Device functions by the names of CUDA's first releases, dot products in a register, and functions
// of the C library by their names in std.
#include <cstdio>
#include <cstring>

#include "check.h"

__global__ void whole(int* out) {
  const int v = 0x12345678, w = -0x1234567;
  out[0] = mulhi(v, w) == __mulhi(v, w) && mulhi(7u, 0x80000000u) == 3;
  out[1] = mul64hi(1ll << 62, -8ll) == -2 && mul24(3, 5) == 15 && umul24(3u, 5u) == 15;
  out[2] = int_as_float(float_as_int(1.5f)) == 1.5f && uint_as_float(float_as_uint(2)) == 2;
  out[3] = saturate(7.f) == 1 && __signbit(-1.0) != 0;
  out[4] = float2int(2.5f) == 2 && float2int(2.5f, cudaRoundPosInf) == 3 &&
           float2uint(3.5f, cudaRoundNearest) == 4 && float2int(-2.5f, cudaRoundMinInf) == -3 &&
           int2float(16777217, cudaRoundZero) == 16777216 &&
           uint2float(16777219u, cudaRoundPosInf) == 16777220;
  out[5] = __dp4a(make_char4(1, -2, 3, 4), make_char4(5, 6, -7, 8), 1) == 5 - 12 - 21 + 32 + 1;
  out[6] = __dp2a_lo(make_short2(300, -2), make_char4(2, 3, 90, 90), 1) == 600 - 6 + 1 &&
           __dp2a_hi(make_ushort2(300, 2), make_uchar4(9, 9, 200, 255), 1u) == 60000 + 510 + 1;
  int copy = 0;
  std::memcpy(&copy, &v, sizeof copy);
  out[7] = copy == v;
  std::memset(&copy, 0xff, sizeof copy);
  out[8] = copy == -1;
  if (out[8] == 0) std::printf("%d\n", copy);
}

int main() {
  int* out;
  OK(cudaMallocManaged(&out, 9 * sizeof *out));
  whole<<<1, 1>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 9; ++i) CHECK(out[i] == 1);
  return finish();
}
