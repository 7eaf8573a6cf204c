// SPDX-License-Identifier: Apache-2.0
// Device mathematics against the host's long double: the largest error in units of the last place
// over a range of arguments, and special values against the host's own functions.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "common/check.hpp"

namespace {

constexpr int kPoints = 20000;
int failures = 0;

template <class T>
long double ulp(T value) {
  const T a = std::fabs(value);
  if (a < std::numeric_limits<T>::min()) return std::numeric_limits<T>::denorm_min();
  return std::nextafter(a, std::numeric_limits<T>::infinity()) - static_cast<long double>(a);
}

template <class T>
bool same_special(T got, T expected) {
  if (std::isnan(expected)) return std::isnan(got);
  return got == expected && (expected != 0 || std::signbit(got) == std::signbit(expected));
}

// Returns points of [low, high]: half of them even, half with even logarithms (when both have one
// sign).
template <class T>
std::vector<T> points(double low, double high) {
  workload::Random random(7);
  std::vector<T> x;
  for (int i = 0; i < kPoints; ++i) {
    const double u = random.unit() + random.unit() / 16777216.0;
    const bool logarithmic = i % 2 == 1 && low > 0;
    x.push_back(
        static_cast<T>(logarithmic ? low * std::pow(high / low, u) : low + (high - low) * u));
  }
  return x;
}

template <class T>
const std::vector<T>& specials() {
  using L = std::numeric_limits<T>;
  static const std::vector<T> kValues = {T(0),
                                         -T(0),
                                         T(1),
                                         -T(1),
                                         T(0.5),
                                         T(-0.5),
                                         T(2),
                                         T(-2),
                                         L::max(),
                                         -L::max(),
                                         L::min(),
                                         L::denorm_min(),
                                         -L::denorm_min(),
                                         L::infinity(),
                                         -L::infinity(),
                                         L::quiet_NaN(),
                                         T(3),
                                         T(-3),
                                         T(1.5),
                                         T(2.5),
                                         T(-2.5)};
  return kValues;
}

template <class T>
using Kernel = void (*)(const T*, T*, int);

template <class T>
std::vector<T> run(Kernel<T> kernel, const std::vector<T>& x) {
  const workload::DeviceArray<T> in(x), out(x.size());
  kernel<<<workload::blocks_for(x.size(), 128), 128>>>(in, out, static_cast<int>(x.size()));
  workload::finish_kernels();
  return out.download();
}

// `floor` is the magnitude below which errors count absolutely (results that pass through zero).
template <class T>
void check(const char* name, Kernel<T> kernel, long double (*reference)(long double), T (*host)(T),
           double low, double high, double most_ulp, double floor = 0) {
  const std::vector<T> x = points<T>(low, high);
  const std::vector<T> got = run(kernel, x);
  long double worst = 0;
  T worst_at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double expected = reference(x[i]);
    const T rounded = static_cast<T>(expected);
    if (std::isinf(rounded) || std::isnan(rounded)) {
      if (!same_special(got[i], rounded)) worst = 1e30L, worst_at = x[i];
      continue;
    }
    const long double unit = ulp(std::max(std::fabs(rounded), static_cast<T>(floor)));
    const long double error = std::fabs(got[i] - expected) / unit;
    if (!(error <= worst)) worst = error, worst_at = x[i];
  }
  int wrong_specials = 0;
  if (host != nullptr) {
    const std::vector<T> result = run(kernel, specials<T>());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const T e = host(specials<T>()[i]);
      const bool edge = std::isnan(e) || std::isinf(e) || e == 0;
      const bool good = edge ? same_special(result[i], e)
                             : std::fabs(result[i] - e) <=
                                   (most_ulp + 1) * ulp(e) + static_cast<long double>(floor) *
                                                                 std::numeric_limits<T>::epsilon();
      if (good) continue;
      ++wrong_specials;
      std::printf("  %s(%g) = %g, host %g\n", name, double(specials<T>()[i]), double(result[i]),
                  double(e));
    }
  }
  const bool good = worst <= most_ulp && wrong_specials == 0;
  if (!good) ++failures;
  std::printf("%s %-8s %6.2Lf ulp at %.17g (limit %g), %d special values differ\n",
              good ? "ok  " : "FAIL", name, worst, double(worst_at), most_ulp, wrong_specials);
}

}  // namespace

#define WRAP(name, type)                                         \
  __global__ void kernel_##name(const type* x, type* y, int n) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;         \
    if (i < n) y[i] = name(x[i]);                                \
  }                                                              \
  static type host_##name(type x) { return ::name(x); }
#define WRAP_DEVICE_ONLY(name, type)                             \
  __global__ void kernel_##name(const type* x, type* y, int n) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;         \
    if (i < n) y[i] = name(x[i]);                                \
  }
#define BOTH(name) WRAP(name, double) WRAP(name##f, float)
// clang-format off
BOTH(exp) BOTH(exp2) BOTH(exp10) BOTH(expm1) BOTH(log) BOTH(log2) BOTH(log10) BOTH(log1p) BOTH(sin)
BOTH(cos) BOTH(tan) BOTH(asin) BOTH(acos) BOTH(atan) BOTH(sinh) BOTH(cosh) BOTH(tanh) BOTH(asinh)
BOTH(acosh) BOTH(atanh) BOTH(sqrt) BOTH(cbrt) BOTH(erf) BOTH(erfc) BOTH(tgamma) BOTH(lgamma)
BOTH(fabs) BOTH(floor) BOTH(ceil) BOTH(trunc) BOTH(rint) BOTH(round) BOTH(logb) BOTH(j0) BOTH(j1)
BOTH(y0) BOTH(y1) WRAP_DEVICE_ONLY(erfinv, double) WRAP_DEVICE_ONLY(normcdf, double)
WRAP_DEVICE_ONLY(erfcinv, double) WRAP_DEVICE_ONLY(erfcx, double)
WRAP_DEVICE_ONLY(normcdfinv, double) WRAP_DEVICE_ONLY(rsqrt, double) WRAP_DEVICE_ONLY(rsqrtf, float)
WRAP_DEVICE_ONLY(cyl_bessel_i0, double) WRAP_DEVICE_ONLY(cyl_bessel_i1, double)
WRAP_DEVICE_ONLY(sinpi, double) WRAP_DEVICE_ONLY(cospif, float) WRAP_DEVICE_ONLY(__expf, float)
WRAP_DEVICE_ONLY(__logf, float) WRAP_DEVICE_ONLY(__sinf, float)

// These have two arguments, the second from a fixed list.
#define WRAP2(label, type, expression)                                            \
  __global__ void kernel2_##label(const type* x, const type* z, type* y, int n) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                          \
    if (i >= n) return;                                                           \
    const type a = x[i], b = z[i];                                                \
    y[i] = expression;                                                            \
  }
WRAP2(pow, double, pow(a, b)) WRAP2(powf, float, powf(a, b)) WRAP2(atan2, double, atan2(a, b))
WRAP2(atan2f, float, atan2f(a, b)) WRAP2(hypot, double, hypot(a, b))
WRAP2(hypotf, float, hypotf(a, b)) WRAP2(fmod, double, fmod(a, b)) WRAP2(fmodf, float, fmodf(a, b))
WRAP2(remainder, double, remainder(a, b)) WRAP2(remainderf, float, remainderf(a, b))
WRAP2(fdim, double, fdim(a, b)) WRAP2(fmin, double, fmin(a, b)) WRAP2(fmaxf, float, fmaxf(a, b))
WRAP2(copysign, double, copysign(a, b)) WRAP2(nextafter, double, nextafter(a, b))
WRAP2(nextafterf, float, nextafterf(a, b)) WRAP2(ldexp, double, ldexp(a, (int)(b * 100)))
WRAP2(fdividef, float, fdividef(a, b))

template <class T>
void check2(const char* name, void (*kernel)(const T*, const T*, T*, int),
            long double (*reference)(long double, long double), T (*host)(T, T), double low,
            double high, double low2, double high2, double most_ulp) {
  // clang-format on
  std::vector<T> a = points<T>(low, high), b = points<T>(low2, high2);
  workload::Random random(3);
  for (T& v : b) std::swap(v, b[random.below(kPoints)]);
  const std::size_t random_points = a.size();
  if (host != nullptr)
    for (T u : specials<T>())
      for (T v : specials<T>()) a.push_back(u), b.push_back(v);
  const workload::DeviceArray<T> da(a), db(b), out(a.size());
  kernel<<<workload::blocks_for(a.size(), 128), 128>>>(da, db, out, static_cast<int>(a.size()));
  workload::finish_kernels();
  const std::vector<T> got = out.download();
  long double worst = 0;
  std::size_t at = 0;
  int wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double expected =
        i < random_points ? reference(a[i], b[i]) : static_cast<long double>(host(a[i], b[i]));
    const T rounded = static_cast<T>(expected);
    if (std::isnan(rounded) || std::isinf(rounded) || rounded == 0) {
      if (same_special(got[i], rounded)) continue;
      if (wrong++ < 5)
        std::printf("  %s(%g, %g) = %g, host %g\n", name, double(a[i]), double(b[i]),
                    double(got[i]), double(rounded));
      continue;
    }
    const long double error = std::fabs(got[i] - expected) / ulp(rounded);
    if (!(error <= worst)) worst = error, at = i;
  }
  const bool good = worst <= most_ulp && wrong == 0;
  if (!good) ++failures;
  std::printf("%s %-9s %6.2Lf ulp at %.17g, %.17g (limit %g), %d special values differ\n",
              good ? "ok  " : "FAIL", name, worst, double(a[at]), double(b[at]), most_ulp, wrong);
}

static long double rsqrt_l(long double x) { return 1 / sqrtl(x); }
static long double normcdf_l(long double x) { return 0.5L * erfcl(-x / sqrtl(2.0L)); }
static long double sinpi_l(long double x) {
  return sinl(3.14159265358979323846264338327950288L * x);
}
static long double cospi_l(long double x) {
  return cosl(3.14159265358979323846264338327950288L * x);
}
static long double erfcx_l(long double x) { return expl(x * x) * erfcl(x); }
// This is the power series, all terms of which are positive.
static long double bessel_i(int order, long double x) {
  long double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 2000; ++k) sum += term *= x * x / 4 / k / (k + order);
  return sum;
}
static long double i0_l(long double x) { return bessel_i(0, x); }
static long double i1_l(long double x) { return bessel_i(1, x); }
// Inverses are checked through the function: f(f^-1(y)) moves by less than the derivative allows.
template <class T>
static void check_inverse(const char* name, Kernel<T> kernel, long double (*function)(long double),
                          double low, double high, double tolerance) {
  const std::vector<T> y = points<T>(low, high);
  const std::vector<T> x = run(kernel, y);
  long double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double h = std::fabs(x[i]) * std::numeric_limits<T>::epsilon();
    const long double slack = std::fabs(function(x[i] + h) - function(x[i] - h)) / 2 +
                              std::fabs(static_cast<long double>(y[i])) * 1e-17L;
    worst = std::max(worst, std::fabs(function(x[i]) - y[i]) / slack);
  }
  if (!(worst <= tolerance)) ++failures;
  std::printf("%s %-10s %6.2Lf (limit %g)\n", worst <= tolerance ? "ok  " : "FAIL", name, worst,
              tolerance);
}

#define F(name, low, high, most, ...)                                                 \
  check<float>(#name "f", kernel_##name##f, name##l, host_##name##f, low, high, most, \
               ##__VA_ARGS__);
#define D(name, low, high, most, ...) \
  check<double>(#name, kernel_##name, name##l, host_##name, low, high, most, ##__VA_ARGS__);
#define FD(name, low, high, f_most, d_most) F(name, low, high, f_most) D(name, low, high, d_most)

int main() {
  // clang-format off
  F(exp, -104, 89.5, 2) D(exp, -746, 710, 2) F(exp2, -150, 128.5, 2) D(exp2, -1075, 1024.5, 2)
  F(exp10, -45, 38.6, 2) D(exp10, -323.5, 308.5, 2) F(expm1, -20, 89, 1) D(expm1, -40, 710, 2)
  F(expm1, 1e-6, 0.5, 1) D(expm1, 1e-9, 0.5, 2.5) FD(log, 1e-30, 1e30, 1, 1.5)
  FD(log, 0.5, 2, 1, 1.5) F(log, 1e-45, 1e-38, 1) D(log, 1e-320, 1e308, 1)
  FD(log2, 1e-30, 1e30, 1, 1) FD(log2, 0.5, 2, 2, 1.5) FD(log10, 1e-30, 1e30, 2, 1.5)
  FD(log10, 0.5, 2, 2, 1.5) FD(log1p, -0.999, 2, 2, 2) FD(log1p, 1e-9, 1e20, 2, 2)
  F(sin, -3.2, 3.2, 2) F(sin, -1e5, 1e5, 2) F(sin, 1e5, 3e38, 2) D(sin, -3.2, 3.2, 2)
  D(sin, -1e5, 1e5, 2) D(sin, 1e5, 1e19, 2) F(cos, -3.2, 3.2, 2) F(cos, -1e5, 1e5, 2)
  F(cos, 1e5, 3e38, 2) D(cos, -3.2, 3.2, 2) D(cos, -1e5, 1e5, 2) D(cos, 1e5, 1e19, 2.5)
  F(tan, -3.2, 3.2, 4) F(tan, 1e5, 1e38, 4) D(tan, -3.2, 3.2, 3) D(tan, 1e5, 1e19, 3.5)
  FD(asin, -1, 1, 3, 3) FD(acos, -1, 1, 3, 2) FD(atan, -5, 5, 3, 2) FD(atan, 1e-6, 1e10, 3, 2)
  F(sinh, -89, 89, 1) D(sinh, -710, 710, 3) F(cosh, -89, 89, 1) D(cosh, -710, 710, 3)
  FD(sinh, 1e-5, 1, 1, 3) FD(tanh, -10, 10, 3, 2) FD(tanh, 1e-5, 1, 3, 2) FD(asinh, -1e3, 1e3, 1, 3)
  FD(asinh, 1e-5, 1e30, 1, 3) FD(acosh, 1, 1e6, 1, 4) FD(atanh, -0.999, 0.999, 1, 4)
  FD(sqrt, 1e-30, 1e30, 0.5, 0.5) FD(cbrt, 1e-30, 1e30, 1, 1) FD(erf, -6, 6, 1, 2)
  FD(erf, 1e-6, 1, 1, 2) F(erfc, -4, 10, 1) D(erfc, -6, 26.5, 4) F(tgamma, 1e-3, 34, 1)
  D(tgamma, 1e-3, 171, 10) D(tgamma, -20.3, -20.1, 10) F(lgamma, 3, 1e6, 1)
  check<double>("lgamma", kernel_lgamma, lgammal, host_lgamma, 0.01, 3, 10, 1);
  check<double>("lgamma", kernel_lgamma, lgammal, host_lgamma, 3, 1e6, 10, 1);
  FD(fabs, -9, 9, 0, 0) FD(floor, -9, 9, 0, 0) FD(ceil, -9, 9, 0, 0) FD(trunc, -9, 9, 0, 0)
  FD(rint, -9, 9, 0, 0) FD(round, -9, 9, 0, 0) FD(logb, 1e-30, 1e30, 0, 0)
      // clang-format on
      // The Bessel functions have zeros in the range: errors count against 1.
      check<double>("j0", kernel_j0, j0l, nullptr, -100, 100, 20, 1);
  check<double>("j1", kernel_j1, j1l, nullptr, -100, 100, 20, 1);
  check<double>("y0", kernel_y0, y0l, nullptr, 0.01, 100, 40, 1);
  check<double>("y1", kernel_y1, y1l, nullptr, 0.01, 100, 40, 1);
  check<float>("j0f", kernel_j0f, j0l, nullptr, -100, 100, 1, 1);
  check<float>("y1f", kernel_y1f, y1l, nullptr, 0.01, 100, 1, 1);
  check<double>("i0", kernel_cyl_bessel_i0, i0_l, nullptr, 0.01, 300, 24);
  check<double>("i1", kernel_cyl_bessel_i1, i1_l, nullptr, 0.01, 300, 24);
  check<double>("rsqrt", kernel_rsqrt, rsqrt_l, nullptr, 1e-30, 1e30, 1.5);
  check<float>("rsqrtf", kernel_rsqrtf, rsqrt_l, nullptr, 1e-30, 1e30, 2);
  check<double>("normcdf", kernel_normcdf, normcdf_l, nullptr, -8, 8, 4);
  check<double>("erfcx", kernel_erfcx, erfcx_l, nullptr, -5, 20, 8);
  check<double>("sinpi", kernel_sinpi, sinpi_l, nullptr, -0.99, 0.99, 2);
  check<float>("cospif", kernel_cospif, cospi_l, nullptr, -0.49, 0.49, 2);
  check_inverse<double>("erfinv", kernel_erfinv, erfl, -0.9999, 0.9999, 8);
  check_inverse<double>("erfcinv", kernel_erfcinv, erfcl, 1e-300, 1.9, 16);
  check_inverse<double>("normcdfinv", kernel_normcdfinv, normcdf_l, 1e-200, 0.999, 16);
  check<float>("__expf", kernel___expf, expl, nullptr, -10, 10, 24);
  check<float>("__logf", kernel___logf, logl, nullptr, 2, 1e30, 3);
  check<float>("__sinf", kernel___sinf, sinl, nullptr, -3.1, 3.1, 8, 1);

  check2<double>("pow", kernel2_pow, powl, pow, 1e-3, 1e3, -90, 90, 2);
  check2<double>("pow", kernel2_pow, powl, pow, 0.9, 1.1, -5000, 5000, 2);
  check2<float>("powf", kernel2_powf, powl, powf, 1e-3, 1e3, -12, 12, 4);
  check2<float>("powf", kernel2_powf, powl, powf, 0.9, 1.1, -800, 800, 4);
  check2<double>("atan2", kernel2_atan2, atan2l, atan2, -3, 3, -3, 3, 3);
  check2<float>("atan2f", kernel2_atan2f, atan2l, atan2f, -3, 3, -3, 3, 3);
  check2<double>("hypot", kernel2_hypot, hypotl, hypot, 1e-300, 1e300, 1e-300, 1e300, 2);
  check2<float>("hypotf", kernel2_hypotf, hypotl, hypotf, 1e-30, 1e30, 1e-30, 1e30, 1);
  check2<double>("fmod", kernel2_fmod, fmodl, fmod, -1e6, 1e6, 0.1, 1e3, 0);
  check2<float>("fmodf", kernel2_fmodf, fmodl, fmodf, -1e6, 1e6, 0.1, 1e3, 0);
  check2<double>("remainder", kernel2_remainder, remainderl, remainder, -1e6, 1e6, 0.1, 1e3, 0);
  check2<float>("remainderf", kernel2_remainderf, remainderl, remainderf, -1e6, 1e6, 0.1, 1e3, 0);
  check2<double>("fdim", kernel2_fdim, fdiml, fdim, -3, 3, -3, 3, 0.5);
  check2<double>("fmin", kernel2_fmin, fminl, nullptr, -3, 3, -3, 3, 0);
  check2<float>("fmaxf", kernel2_fmaxf, fmaxl, nullptr, -3, 3, -3, 3, 0);
  check2<double>("copysign", kernel2_copysign, copysignl, copysign, -3, 3, -3, 3, 0);
  check2<double>(
      "nextafter", kernel2_nextafter,
      [](long double a, long double b) -> long double { return nextafter(double(a), double(b)); },
      nextafter, -3, 3, -3, 3, 0);
  check2<double>(
      "ldexp", kernel2_ldexp,
      [](long double a, long double b) -> long double {
        return ldexp(double(a), int(double(b) * 100));
      },
      nullptr, -3, 3, -11, 11, 0);
  std::printf(failures == 0 ? "PASS\n" : "FAIL %d functions\n", failures);
  return failures == 0 ? 0 : 1;
}
