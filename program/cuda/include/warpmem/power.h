// SPDX-License-Identifier: Apache-2.0
// pow in device code: of two floats a float, of other numbers a double, as the host's.
#ifndef WARPMEM_POWER_H
#define WARPMEM_POWER_H

__device__ inline double pow(double base, double exponent) { return __nv_pow(base, exponent); }
__device__ inline float pow(float base, float exponent) { return powf(base, exponent); }
template <class Base_, class Exponent_>
__device__ inline typename __gnu_cxx::__promote_2<Base_, Exponent_>::__type pow(
    Base_ base, Exponent_ exponent) {
  return pow(static_cast<double>(base), static_cast<double>(exponent));
}
namespace std {
using ::pow;
}

#endif
