// SPDX-License-Identifier: Apache-2.0
// Cases of single and double precision: the host's arithmetic under each rounding mode, with
// subnormals flushed and results saturated by rules of their own.
#pragma once

#include <cfenv>
#include <cmath>

#include "unit/program/ptx_conformance.hpp"

namespace warpmem::program::ptx {

namespace conformance {

inline float without_subnormals(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}
inline double without_subnormals(double v) {  // .ftz of a double: rcp.approx.ftz.f64 alone
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0, v) : v;
}
template <class T>
T between_0_and_1(T v) {
  return !(v > 0) ? T(0) : v > 1 ? T(1) : v;
}
/// A single-precision NaN is the canonical one; a double's is any quiet one.
inline std::uint64_t result_bits(float v) { return std::isnan(v) ? 0x7fffffff : raw(v); }
inline std::uint64_t result_bits(double v) {
  return std::isnan(v) ? 0x7ff8000000000000ULL : raw(v);
}
/// Returns instructions that make every double NaN in %d the quiet one, so that payloads do not
/// matter.
inline const char* quieten() {
  return " testp.notanumber.f64 %p, %d; @%p mov.b64 %d, 0x7ff8000000000000;";
}

/// Operands are volatile so that the host computes at run time, under the mode.
template <class T>
using Operation = std::function<T(volatile T&, volatile T&, volatile T&)>;

template <class T>
void add_float(Cases& c, const std::string& op, int mode, bool ftz, bool sat, unsigned arity,
               const Operation<T>& f) {
  constexpr unsigned n = sizeof(T);
  const auto& values = n == 4 ? float_values() : double_values();
  const std::vector<std::uint64_t> few(values.begin(), values.begin() + 14);
  const auto in = arity == 1   ? combine(values, {0})
                  : arity == 2 ? combine(values, values)
                               : combine(few, values, few);
  add_case(
      c, op, {n, n, n, n}, in,
      [=](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        volatile T a = unraw<T>(x), b = unraw<T>(y), third = unraw<T>(z);
        if (ftz) {
          a = without_subnormals(static_cast<T>(a));
          b = without_subnormals(static_cast<T>(b));
          third = without_subnormals(static_cast<T>(third));
        }
        volatile T r;
        {
          const FlushScope flushing(ftz);
          std::fesetround(mode);
          r = f(a, b, third);
          std::fesetround(FE_TONEAREST);
        }
        T v = r;
        if (ftz) v = without_subnormals(v);
        if (sat) v = between_0_and_1(v);
        return result_bits(v);
      },
      arity == 1   ? "%d, %a"
      : arity == 2 ? "%d, %a, %b"
                   : "%d, %a, %b, %c",
      "", n == 8 ? quieten() : "");
}

/// Adds the four modes, and the form without one where that is allowed; .ftz and .sat in single
/// precision.
template <class T>
void add_arithmetic(Cases& c, const std::string& op, unsigned arity, const Operation<T>& f,
                    bool needs_mode, bool saturates) {
  const bool single = sizeof(T) == 4;
  std::vector<RoundingMode> modes(std::begin(kRoundingModes), std::end(kRoundingModes));
  if (!needs_mode) modes.push_back({"", FE_TONEAREST});
  for (const RoundingMode& m : modes)
    for (const bool ftz : {false, true})
      for (const bool sat : {false, true}) {
        if ((ftz && !single) || (sat && !(single && saturates))) continue;
        const std::string name = op + (*m.name ? "." : "") + m.name + (ftz ? ".ftz" : "") +
                                 (sat ? ".sat" : "") + (single ? ".f32" : ".f64");
        add_float<T>(c, name, m.host, ftz, sat, arity, f);
      }
}

template <class T>
T smaller_or_larger(T a, T b, bool maximum) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) == maximum ? b : a;  // of two zeros: -0 is the smaller
  return (a < b) != maximum ? a : b;
}

template <class T>
void add_float_type(Cases& c) {
  add_arithmetic<T>(
      c, "add", 2, [](auto& a, auto& b, auto&) { return a + b; }, false, true);
  add_arithmetic<T>(
      c, "sub", 2, [](auto& a, auto& b, auto&) { return a - b; }, false, true);
  add_arithmetic<T>(
      c, "mul", 2, [](auto& a, auto& b, auto&) { return a * b; }, false, true);
  add_arithmetic<T>(
      c, "div", 2, [](auto& a, auto& b, auto&) { return a / b; }, true, false);
  const Operation<T> fma = [](auto& a, auto& b, auto& d) { return std::fma(T(a), T(b), T(d)); };
  add_arithmetic<T>(c, "fma", 3, fma, true, true);
  add_arithmetic<T>(c, "mad", 3, fma, true, true);
  add_arithmetic<T>(
      c, "rcp", 1, [](auto& a, auto&, auto&) { return T(1) / a; }, true, false);
  add_arithmetic<T>(
      c, "sqrt", 1, [](auto& a, auto&, auto&) { return std::sqrt(T(a)); }, true, false);
  const std::string type = sizeof(T) == 4 ? ".f32" : ".f64";
  for (const bool ftz : {false, true}) {
    if (ftz && sizeof(T) == 8) continue;
    const std::string s = (ftz ? ".ftz" : "") + type;
    for (const bool maximum : {false, true}) {
      const std::string op = maximum ? "max" : "min";
      add_float<T>(c, op + s, FE_TONEAREST, ftz, false, 2,
                   [=](auto& a, auto& b, auto&) { return smaller_or_larger<T>(a, b, maximum); });
      if (sizeof(T) == 8) continue;
      add_float<T>(c, op + (ftz ? ".ftz.NaN" : ".NaN") + type, FE_TONEAREST, ftz, false, 2,
                   [=](auto& a, auto& b, auto&) {
                     if (std::isnan(T(a)) || std::isnan(T(b))) return T(NAN);
                     return smaller_or_larger<T>(a, b, maximum);
                   });
    }
  }
}

/// Adds neg, abs and copysign, which work on bits, whatever they stand for, and testp.
template <class T>
void add_signs(Cases& c) {
  constexpr unsigned n = sizeof(T);
  const auto& values = n == 4 ? float_values() : double_values();
  const std::string type = n == 4 ? ".f32" : ".f64";
  const std::uint64_t sign = 1ULL << (8 * n - 1), rest = sign - 1;
  const std::uint64_t exponent = n == 4 ? 0x7f800000ULL : 0x7ff0000000000000ULL;
  const Widths w{n, n, n, n};
  for (const bool ftz : {false, true}) {
    if (ftz && n == 8) continue;
    const auto before = [=](std::uint64_t a) {
      return ftz ? raw(without_subnormals(unraw<T>(a))) : a;
    };
    const std::string s = (ftz ? ".ftz" : "") + type;
    // A NaN in single precision becomes the canonical one; a double keeps its sign.
    const auto nan = [=](std::uint64_t a) { return (a & rest) > exponent; };
    add_case(
        c, "neg" + s, w, combine(values, {0}),
        [=](auto a, auto, auto) { return nan(a) ? n == 4 ? 0x7fffffff : a : before(a) ^ sign; },
        "%d, %a");
    add_case(
        c, "abs" + s, w, combine(values, {0}),
        [=](auto a, auto, auto) { return nan(a) && n == 4 ? 0x7fffffff : before(a) & rest; },
        "%d, %a");
  }
  add_case(
      c, "copysign" + type, w, combine(values, values),
      [=](auto a, auto b, auto) { return (a & sign) | (b & rest); }, "%d, %a, %b");
  const std::pair<const char*, std::function<bool(std::uint64_t)>> tests[] = {
      {"finite", [=](auto v) { return (v & exponent) != exponent; }},
      {"infinite", [=](auto v) { return (v & rest) == exponent; }},
      {"number", [=](auto v) { return (v & rest) <= exponent; }},
      {"notanumber", [=](auto v) { return (v & rest) > exponent; }},
      {"normal",
       [=](auto v) {
         return (v & exponent) != exponent && ((v & exponent) != 0 || (v & rest) == 0);
       }},
      {"subnormal", [=](auto v) { return (v & exponent) == 0 && (v & rest) != 0; }}};
  for (const auto& [name, f] : tests)
    add_case(
        c, std::string("testp.") + name + type, {4, n, n, n}, combine(values, {0}),
        [g = f](auto a, auto, auto) { return std::uint64_t(g(a)); }, "%p, %a", "",
        " selp.u32 %d, 1, 0, %p;");
}

/// Adds an approximation, compared with the exact function: within `ulp` units, special values
/// exactly.
template <class T>
void add_approximation(Cases& c, const std::string& op, bool ftz, double ulp, bool two,
                       const std::function<long double(long double, long double)>& f) {
  c.push_back({op, [=] {
                 constexpr unsigned n = sizeof(T);
                 std::vector<std::uint64_t> values = n == 4 ? float_values() : double_values();
                 for (int k = -20; k < 20; ++k)
                   values.push_back(raw(static_cast<T>(k * 0.37 + 0.01)));
                 const auto in = combine(values, two ? values : std::vector<std::uint64_t>{0});
                 const auto got =
                     evaluate(op + (two ? " %d, %a, %b;" : " %d, %a;"), {n, n, n, n}, in.a, in.b);
                 for (std::size_t i = 0; i < got.size(); ++i) {
                   if (n == 8 && ftz) {
                     ASSERT_EQ(got[i] << 32, 0u) << op << " " << i;
                   }
                   T x = unraw<T>(in.a[i]), y = unraw<T>(in.b[i]);
                   if (ftz) {
                     x = without_subnormals(x);
                     y = without_subnormals(y);
                   }
                   const long double exact = f(x, y);
                   T want = static_cast<T>(exact);
                   if (ftz) want = without_subnormals(want);
                   const T r = unraw<T>(got[i]);
                   if (std::isnan(want) || std::isinf(want) || want == 0) {
                     ASSERT_TRUE(std::isnan(want) ? std::isnan(r) : r == want)
                         << op << " " << x << " " << y << " -> " << r << ", not " << want;
                     continue;
                   }
                   const long double unit = std::fabs(std::nextafter(want, T(INFINITY)) - want);
                   ASSERT_LE(std::fabs(static_cast<long double>(r) - exact), ulp * unit)
                       << op << " " << x << " " << y << " -> " << r << ", not " << want;
                 }
               }});
}

inline void add_approximations(Cases& c) {
  using L = long double;
  const std::pair<const char*, std::function<L(L, L)>> functions[] = {
      {"sin", [](L x, L) { return std::sin(x); }},
      {"cos", [](L x, L) { return std::cos(x); }},
      {"ex2", [](L x, L) { return std::exp2(x); }},
      {"lg2", [](L x, L) { return std::log2(x); }},
      {"tanh", [](L x, L) { return std::tanh(x); }},
      {"sqrt", [](L x, L) { return std::sqrt(x); }},
      {"rcp", [](L x, L) { return L(1) / x; }},
      {"rsqrt", [](L x, L) { return L(1) / std::sqrt(x); }}};
  for (const auto& [name, f] : functions)
    for (const bool ftz : {false, true})
      add_approximation<float>(c, std::string(name) + ".approx" + (ftz ? ".ftz" : "") + ".f32", ftz,
                               2, false, f);
  for (const char* kind : {"approx", "full"})
    for (const bool ftz : {false, true})
      // .approx multiplies by the reciprocal, which may be a zero.
      add_approximation<float>(c, std::string("div.") + kind + (ftz ? ".ftz" : "") + ".f32", ftz, 2,
                               true, [zero = std::string(kind) == "approx"](L x, L y) {
                                 const bool large = std::fabs(y) > 0x1p126L && !std::isinf(y);
                                 return zero && large ? x * std::copysign(0.0L, y) : x / y;
                               });
  // Those with .ftz take the upper word and give one.
  add_approximation<double>(c, "rcp.approx.ftz.f64", true, 0x1p33, false, functions[6].second);
  add_approximation<double>(c, "rsqrt.approx.f64", false, 2, false, functions[7].second);
  add_approximation<double>(c, "rsqrt.approx.ftz.f64", true, 0x1p33, false, functions[7].second);
}

}  // namespace conformance

inline Cases float_cases() {
  Cases c;
  conformance::add_float_type<float>(c);
  conformance::add_float_type<double>(c);
  conformance::add_signs<float>(c);
  conformance::add_signs<double>(c);
  conformance::add_approximations(c);
  return c;
}

}  // namespace warpmem::program::ptx
