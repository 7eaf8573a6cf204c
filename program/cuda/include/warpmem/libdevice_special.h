// SPDX-License-Identifier: Apache-2.0
// Error functions, gamma functions and Bessel functions for device code: a few ulp, the Bessel
// functions to about 1e-14 absolute. The float versions round these.
#ifndef WARPMEM_LIBDEVICE_SPECIAL_H
#define WARPMEM_LIBDEVICE_SPECIAL_H

WARPMEM_NV_MATH double __nv_erf(double x) {
  constexpr double p[] = {1.1283791670955126,     -0.3761263890318354,   0.11283791670945006,
                          -0.02686617064323777,   0.0052239776071164227, -0.00085483259753896921,
                          0.00012055294904839708, -1.492473690741966e-5, 1.6447424703317362e-6,
                          -1.6208483801871706e-7, 1.3720064546777686e-8, -7.7958988270021422e-10};
  const double a = __builtin_fabs(x);
  if (a < 1.0) return x * warpmem_polynomial(p, x * x);
  if (a > 6.0) return __nv_copysign(1.0, x);
  return x != x ? x : __nv_copysign(1.0 - __nv_erfc(a), x);
}
// Returns exp(x^2) erfc(x) for x >= 0: (1 + 2x) times it is smooth in (x - 4) / (x + 4) (Shepherd
// and Laframboise 1981).
static __device__ __forceinline__ double warpmem_erfcx(double x) {
  constexpr double p[] = {1.2329951186255525,     -0.13962111684056228,    0.015379652102619974,
                          0.068097054254668383,   -0.10103906603631812,    0.093732834999112636,
                          -0.066330365811860587,  0.037167515526338056,    -0.016197734062934713,
                          0.0050319700691018622,  -0.00075777324359469265, -0.00019925715247086865,
                          0.00015062142608849016, -2.4397731148159523e-5,  -1.1221135671642435e-5,
                          5.7065783088494413e-6,  2.9173426635037079e-7,   -8.2106480494957639e-7,
                          7.7719419568693161e-8,  1.0631818469174586e-7,   -2.072579281379731e-8,
                          -1.2338735135341673e-8, 3.2323932204293701e-9,   9.2976321341457576e-10,
                          -2.7641126405693391e-10};
  if (x > 1e9) return 0.56418958354775629 / x;
  return warpmem_polynomial(p, (x - 4.0) / (x + 4.0)) / (1.0 + 2.0 * x);
}
// Returns exp(-x^2), with the square in two parts.
static __device__ __forceinline__ double warpmem_exp_minus_square(double x) {
  const double square = x * x;
  return warpmem_exp_sum(-square, -__builtin_fma(x, x, -square));
}
WARPMEM_NV_MATH double __nv_erfc(double x) {
  if (x != x) return x;
  if (x < 0.5) return x < -6.0 ? 2.0 : 1.0 - __nv_erf(x);
  return x > 27.3 ? 0.0 : warpmem_exp_minus_square(x) * warpmem_erfcx(x);
}
WARPMEM_NV_MATH double __nv_erfcx(double x) {
  if (x != x) return x;
  if (x >= 0.0) return warpmem_erfcx(x);
  if (x < -27.0) return __builtin_inf();
  return 2.0 / warpmem_exp_minus_square(x) - warpmem_erfcx(-x);
}
// This begins with Winitzki's approximation and goes on with Halley's method on erfc(x) - y.
WARPMEM_NV_MATH double __nv_erfcinv(double y) {
  if (!(y >= 0.0 && y <= 2.0)) return __builtin_nan("");
  if (y == 0.0) return __builtin_inf();
  if (y == 2.0) return -__builtin_inf();
  const bool mirrored = y > 1.0;
  const double target = mirrored ? 2.0 - y : y;
  const double l = __nv_log(target * (2.0 - target));
  const double b = 4.3307467 + 0.5 * l;
  double x = __nv_sqrt(__nv_fmax(__nv_sqrt(b * b - l * 6.8027211) - b, 0.0));
  for (int i = 0; i < 3; ++i) {
    const double u = (__nv_erfc(x) - target) / (-1.1283791670955126 * warpmem_exp_minus_square(x));
    x -= u / (1.0 + x * u);
  }
  return mirrored ? -x : x;
}
WARPMEM_NV_MATH double __nv_erfinv(double y) {
  if (__builtin_fabs(y) > 0.25) return __nv_copysign(__nv_erfcinv(1.0 - __builtin_fabs(y)), y);
  double x = 0.88622692545275801 * y;
  for (int i = 0; i < 3; ++i) {
    const double u = (__nv_erf(x) - y) / (1.1283791670955126 * warpmem_exp_minus_square(x));
    x -= u / (1.0 + x * u);
  }
  return y == 0.0 ? y : x;
}
WARPMEM_NV_MATH double __nv_normcdf(double x) {
  // The argument has two parts, since erfc magnifies the rounding of the first by its square.
  const double t = -0.70710678118654752 * x;
  const double t_low = __builtin_fma(-0.70710678118654752, x, -t) + 4.8336466567264567e-17 * x;
  const double r = 0.5 * __nv_erfc(t);
  return __builtin_fabs(t) < 27.0 ? r - 0.56418958354775629 * t_low * warpmem_exp_minus_square(t)
                                  : r;
}
WARPMEM_NV_MATH double __nv_normcdfinv(double p) {
  return -1.4142135623730950488 * __nv_erfcinv(2.0 * p);
}

// Returns Stirling's series of log(gamma), for x >= 10.
static __device__ __forceinline__ double warpmem_stirling(double x) {
  constexpr double p[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                          1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  const double r = 1.0 / x;
  return r * warpmem_polynomial(p, r * r);
}
// Moves x >= 0 to x + n >= 10; returns x (x + 1) ... (x + n - 1). What the sum x + n lost to
// rounding goes into `lost`.
static __device__ __forceinline__ double warpmem_shift_up(double& x, double& lost) {
  const double start = x;
  double product = 1.0, n = 0.0;
  for (; x < 10.0; x = start + n) {
    product *= x;
    n += 1.0;
  }
  lost = start > n ? n - (x - start) : start - (x - n);
  return product;
}
WARPMEM_NV_MATH double __nv_tgamma(double x) {
  if (x != x || x == __builtin_inf()) return x;
  if (x == 0.0) return __nv_copysign(__builtin_inf(), x);
  if (__builtin_fabs(x) < 1e-300) return 1.0 / x;
  if (x < 0.0) {
    if (__builtin_trunc(x) == x) return __builtin_nan("");
    if (x < -185.0) return 0.0;
    // This is gamma(x) gamma(-x) = -pi / (x sin(pi x)).
    return -3.141592653589793116 / (x * __nv_sinpi(x)) / __nv_tgamma(-x);
  }
  if (x > 171.7) return __builtin_inf();
  double lost;
  const double product = warpmem_shift_up(x, lost);
  // This uses gamma(x + d) = gamma(x) (1 + d log(x - 1/2)), nearly.
  const double correction = 1.0 + lost * __nv_log(x - 0.5);
  const double half = __nv_pow(x, 0.5 * x - 0.25);
  return 2.5066282746310005024 * correction * half *
         (half * warpmem_exp_sum(-x, warpmem_stirling(x))) / product;
}
WARPMEM_NV_MATH double __nv_lgamma(double x) {
  if (!(__builtin_fabs(x) < __builtin_inf())) return x * x;
  if (x <= 0.0 && __builtin_trunc(x) == x) return __builtin_inf();
  if (__builtin_fabs(x) < 1e-300) return -__nv_log(__builtin_fabs(x));
  if (__builtin_fabs(x) < 20.0) return __nv_log(__builtin_fabs(__nv_tgamma(x)));
  if (x < 0.0)
    return __nv_log(3.141592653589793116 / __builtin_fabs(x * __nv_sinpi(x))) - __nv_lgamma(-x);
  return (x - 0.5) * __nv_log(x) - x + 0.91893853320467274178 + warpmem_stirling(x);
}

// These are Bessel functions. Below 8 they are polynomials in t = x^2 / 32 - 1, for Y of what is
// left after its logarithm. From 8 on they are sqrt(2 / (pi x)) (P cos(c) - Q sin(c)), with P and x
// Q polynomials in 64 / x^2 (Hankel's asymptotic form) and c = x - pi/4 or x - 3 pi/4.
static __device__ __forceinline__ void warpmem_bessel_0(double x, double& j, double& y) {
  constexpr double j0[] = {0.04582966485981377,     0.93030124729584574,    -0.64846928308718327,
                           -0.80808880766926232,    1.0383794611437074,     -0.50746804585168906,
                           0.14598884856774044,     -0.028472718589028876,  0.0040580789884371892,
                           -0.00044354597585135754, 3.8473199576324888e-5,  -2.7176792902532029e-6,
                           1.595588389241496e-7,    -7.9619461654857484e-9, 3.3784616911223367e-10};
  constexpr double y0[] = {-0.38225065445942502,   -0.82843589036043413,   1.6470964788745459,
                           0.14412632369210453,    -1.0775477338215693,    0.67217707835310657,
                           -0.21895747096204263,   0.046367047634046515,   -0.0070257410557170093,
                           0.00080615872165682807, -7.2795422623057636e-5, 5.3211673515691163e-6,
                           -3.2184581188603274e-7, 1.6491849433007119e-8,  -7.1636118857261115e-10};
  constexpr double p0[] = {1.0,
                           -0.0010986328124996737,
                           2.7380883672109239e-5,
                           -2.1839190342281578e-6,
                           3.6203309520982589e-7,
                           -1.0239239990180987e-7,
                           4.3812698474206919e-8,
                           -2.539543429309294e-8,
                           1.7236203427368831e-8,
                           -1.1558696201895291e-8,
                           6.5674273584681976e-9,
                           -2.7665348387888358e-9,
                           7.4078631387029162e-10,
                           -9.2954018294169044e-11};
  constexpr double q0[] = {-0.12499999999999999,   0.0011444091796844858,  -5.544628928009024e-5,
                           6.5907520873817712e-6,  -1.4531181940317159e-6, 5.1282574309529781e-7,
                           -2.6193897979619844e-7, 1.7385986291696336e-7,  -1.2947581611102023e-7,
                           9.1965253140729692e-8,  -5.4079885904038959e-8, 2.3263294454817064e-8,
                           -6.3127574587994576e-9, 7.9922076213055868e-10};
  if (x < 8.0) {
    const double t = x * x * 0.03125 - 1.0;
    j = warpmem_polynomial(j0, t);
    y = warpmem_polynomial(y0, t) + 0.63661977236758134308 * __nv_log(x) * j;
    return;
  }
  const double z = 64.0 / (x * x), p = warpmem_polynomial(p0, z), q = warpmem_polynomial(q0, z) / x;
  double s, c;
  __nv_sincos(x, &s, &c);
  // These are cos(x - pi/4) and sin(x - pi/4), each times sqrt(2).
  const double k = __nv_sqrt(0.31830988618379067154 / x), cs = c + s, sn = s - c;
  j = k * (p * cs - q * sn);
  y = k * (p * sn + q * cs);
}
static __device__ __forceinline__ void warpmem_bessel_1(double x, double& j, double& y) {
  constexpr double j1[] = {-0.05814382795599107,   0.081058660385897588,    0.15151665143806634,
                           -0.25959486528591658,   0.15858376432721897,     -0.05474581821299503,
                           0.012456814392259903,   -0.0020290394938667203,  0.0002494945813696478,
                           -2.4045750380319614e-5, 1.8684525891685078e-6,   -1.1966856617233235e-7,
                           6.4312007607494042e-9,  -2.9580307437710987e-10, 1.1655948480684382e-11};
  constexpr double y1[] = {0.070759858821180053,   -0.24337743079193034,   0.02336757172099356,
                           0.23507209206666761,    -0.19639839859930333,   0.07854786922274865,
                           -0.019628756833109373,  0.0034224907383791175,  -0.00044381734346412231,
                           4.4674333890340302e-5,  -3.6009999901654024e-6, 2.3804437685357146e-7,
                           -1.3153170949282487e-8, 6.2025375746655369e-10, -2.4988577614309857e-11};
  constexpr double p1[] = {1.0,
                           0.0018310546874996559,
                           -3.520399329770189e-5,
                           2.5809952950010965e-6,
                           -4.1030480891202867e-7,
                           1.1317408862748068e-7,
                           -4.7635762332478566e-8,
                           2.7310862153688377e-8,
                           -1.8410150187794061e-8,
                           1.2297196893016152e-8,
                           -6.9713338107066059e-9,
                           2.9328130966958299e-9,
                           -7.846706617720914e-10,
                           9.8408210266557862e-11};
  constexpr double q1[] = {0.37499999999999999,    -0.0016021728515593267, 6.7767686931732533e-5,
                           -7.604714482931356e-6,  1.6240781446829256e-6,  -5.6169413673016736e-7,
                           2.8300006755589345e-7,  -1.8612719768003363e-7, 1.3782740528815349e-7,
                           -9.7575924266024664e-8, 5.7271026658104219e-8,  -2.460837539738151e-8,
                           6.6730600281731457e-9,  -8.4444266062434174e-10};
  if (x < 8.0) {
    const double t = x * x * 0.03125 - 1.0;
    j = x * warpmem_polynomial(j1, t);
    y = x * warpmem_polynomial(y1, t) + 0.63661977236758134308 * (__nv_log(x) * j - 1.0 / x);
    return;
  }
  const double z = 64.0 / (x * x), p = warpmem_polynomial(p1, z), q = warpmem_polynomial(q1, z) / x;
  double s, c;
  __nv_sincos(x, &s, &c);
  const double k = __nv_sqrt(0.31830988618379067154 / x), cs = s - c, sn = -s - c;
  j = k * (p * cs - q * sn);
  y = k * (p * sn + q * cs);
}
WARPMEM_NV_MATH double __nv_j0(double x) {
  double j, y;
  x = __builtin_fabs(x);
  if (!(x < __builtin_inf())) return x == x ? 0.0 : x;
  warpmem_bessel_0(x, j, y);
  return j;
}
WARPMEM_NV_MATH double __nv_j1(double x) {
  double j, y;
  const double a = __builtin_fabs(x);
  if (!(a < __builtin_inf())) return x == x ? 0.0 : x;
  warpmem_bessel_1(a, j, y);
  return x < 0.0 ? -j : j;
}
WARPMEM_NV_MATH double __nv_y0(double x) {
  double j, y;
  if (!(x > 0.0 && x < __builtin_inf()))
    return x == 0.0 ? -__builtin_inf() : x > 0.0 ? 0.0 : __builtin_nan("");
  warpmem_bessel_0(x, j, y);
  return y;
}
WARPMEM_NV_MATH double __nv_y1(double x) {
  double j, y;
  if (!(x > 0.0 && x < __builtin_inf()))
    return x == 0.0 ? -__builtin_inf() : x > 0.0 ? 0.0 : __builtin_nan("");
  warpmem_bessel_1(x, j, y);
  return y;
}
WARPMEM_NV_MATH double __nv_yn(int n, double x) {
  if (n < 0) return __builtin_nan("");
  if (n == 0) return __nv_y0(x);
  double before = __nv_y0(x), now = __nv_y1(x);
  for (int k = 1; k < n && now > -__builtin_inf(); ++k) {
    const double next = 2.0 * k / x * now - before;
    before = now;
    now = next;
  }
  return now;
}
WARPMEM_NV_MATH double __nv_jn(int n, double x) {
  if (n < 0) return __builtin_nan("");
  if (n == 0) return __nv_j0(x);
  if (n == 1) return __nv_j1(x);
  const double a = __builtin_fabs(x);
  if (a == 0.0) return 0.0;
  double r;
  if (a > n) {  // upwards is stable
    double before = __nv_j0(a), now = __nv_j1(a);
    for (int k = 1; k < n; ++k) {
      const double next = 2.0 * k / a * now - before;
      before = now;
      now = next;
    }
    r = now;
  } else {  // Miller: downwards from far above n, scaled by J0 + 2 J2 + 2 J4 + ... = 1
    int k = 2 * ((n + 20 + (int)__nv_sqrt(60.0 * n)) / 2);
    double after = 0.0, now = 1e-300, sum = 0.0;
    r = 0.0;
    for (; k > 0; --k) {
      const double next = 2.0 * k / a * now - after;
      after = now;
      now = next;
      if (__builtin_fabs(now) > 1e250) {
        now *= 1e-250;
        after *= 1e-250;
        sum *= 1e-250;
        r *= 1e-250;
      }
      if ((k - 1) % 2 == 0) sum += k == 1 ? now : 2.0 * now;
      if (k - 1 == n) r = now;
    }
    r /= sum;
  }
  return x < 0.0 && (n & 1) != 0 ? -r : r;
}
// This is the power series, all terms of which are positive, and beyond 30 the asymptotic one.
static __device__ double warpmem_bessel_i(int order, double x) {
  double term = order == 0 ? 1.0 : 0.5 * x, sum = term;
  if (x > 30.0) {
    const double m = 4.0 * order * order;
    term = sum = 1.0;
    for (int k = 1; k < 30; ++k) {
      term *= ((2 * k - 1) * (2 * k - 1) - m) / (8.0 * k * x);
      sum += term;
    }
    const double half = __nv_exp(0.5 * x);
    return half * (half * (sum / __nv_sqrt(6.2831853071795862 * x)));
  }
  const double quarter = 0.25 * x * x;
  for (int k = 1; term > sum * 1e-17; ++k) {
    term *= quarter / ((double)k * (k + order));
    sum += term;
  }
  return sum;
}
WARPMEM_NV_MATH double __nv_cyl_bessel_i0(double x) {
  return warpmem_bessel_i(0, __builtin_fabs(x));
}
WARPMEM_NV_MATH double __nv_cyl_bessel_i1(double x) {
  const double r = warpmem_bessel_i(1, __builtin_fabs(x));
  return x < 0.0 ? -r : r;
}

#endif
