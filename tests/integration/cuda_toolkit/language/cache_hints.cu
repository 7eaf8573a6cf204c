// SPDX-License-Identifier: Apache-2.0
// Loads and stores with a hint for the caches, of each type that CUDA has them for.
#include <cstring>

#include "check.h"

template <class T>
__global__ void copies(const T* from, T* to) {
  __stwb(&to[0], __ldca(&from[0]));
  __stcg(&to[1], __ldcg(&from[1]));
  __stcs(&to[2], __ldcs(&from[2]));
  __stwt(&to[3], __ldlu(&from[3]));
  __stcg(&to[4], __ldcv(&from[4]));
  __stcs(&to[5], __ldg(&from[5]));
}
__global__ void places(unsigned* out) {
  out[0] = __fns(0xff10u, 0, 2);    // the second set bit from bit 0 upwards
  out[1] = __fns(0xff10u, 11, -2);  // downwards
  out[2] = __fns(0xff10u, 4, 0);    // itself
  out[3] = __fns(0xff10u, 5, 0);
  out[4] = __fns(0xff10u, 12, 5);
}

template <class T>
static void check() {
  unsigned char *from, *to;
  OK(cudaMallocManaged(&from, 6 * sizeof(T)));
  OK(cudaMallocManaged(&to, 6 * sizeof(T)));
  for (size_t i = 0; i < 6 * sizeof(T); ++i) from[i] = static_cast<unsigned char>(37 * i + 150);
  copies<<<1, 1>>>(reinterpret_cast<T*>(from), reinterpret_cast<T*>(to));
  OK(cudaDeviceSynchronize());
  CHECK(std::memcmp(from, to, 6 * sizeof(T)) == 0);
  cudaFree(from);
  cudaFree(to);
}
template <class... T>
static void check_all() {
  const int each[] = {(check<T>(), 0)...};
  static_cast<void>(each);
}

int main() {
  check_all<char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
            unsigned long, long long, unsigned long long, float, double>();
  check_all<char2, char4, uchar2, uchar4, short2, short4, ushort2, ushort4, int2, int4, uint2,
            uint4, longlong2, ulonglong2, float2, float4, double2>();
  unsigned* out;
  OK(cudaMallocManaged(&out, 5 * sizeof *out));
  places<<<1, 1>>>(out);
  OK(cudaDeviceSynchronize());
  CHECK(out[0] == 8 && out[1] == 10 && out[2] == 4 && out[3] == ~0u && out[4] == ~0u);
  return finish();
}
