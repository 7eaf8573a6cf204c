// SPDX-License-Identifier: Apache-2.0
// Single and double precision against the host under each rounding mode; NaN, zeros, subnormals,
// saturation; comparisons and selections.
#include <cfenv>
#include <cmath>
#include <functional>

#include "unit/program/ptx_fixture.hpp"
#include "unit/program/ptx_numbers.hpp"

namespace warpmem::program::ptx {
namespace {

float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }
double flushed(double v) { return v; }
template <class T>
T saturated(T v) {
  return std::isnan(v) ? T(0) : v <= 0 ? T(0) : v >= 1 ? T(1) : v;
}
/// A single-precision NaN is the canonical one; any double NaN will do.
std::uint64_t expected_bits(float v) { return std::isnan(v) ? 0x7fffffff : raw(v); }
std::uint64_t expected_bits(double v) { return std::isnan(v) ? 0x7ff8000000000000ULL : raw(v); }
std::uint64_t nan_normalised(std::uint64_t bits, unsigned bytes) {
  return bytes == 8 && std::isnan(unraw<double>(bits)) ? 0x7ff8000000000000ULL : bits;
}

/// Makes an operation on volatile operands, so that it is computed at run time under the mode.
template <class T>
using Operation = std::function<T(volatile T&, volatile T&, volatile T&)>;

template <class T>
void check_float(const std::string& op, int mode, bool ftz, bool sat, unsigned arity,
                 const Operation<T>& f) {
  SCOPED_TRACE(op);
  constexpr unsigned n = sizeof(T);
  const auto& values = n == 4 ? float_values() : double_values();
  const std::vector<std::uint64_t> few(values.begin(), values.begin() + 14);
  const auto in = arity == 1   ? combine(values, {0})
                  : arity == 2 ? combine(values, values)
                               : combine(few, values, few);
  const std::string operands = arity == 1   ? " %d, %a;"
                               : arity == 2 ? " %d, %a, %b;"
                                            : " %d, %a, %b, %c;";
  const auto got = evaluate(op + operands, {n, n, n, n}, in.a, in.b, in.c);
  for (std::size_t i = 0; i < got.size(); ++i) {
    volatile T a = unraw<T>(in.a[i]), b = unraw<T>(in.b[i]), c = unraw<T>(in.c[i]);
    if (ftz) {
      a = flushed(static_cast<T>(a));
      b = flushed(static_cast<T>(b));
      c = flushed(static_cast<T>(c));
    }
    volatile T r;
    {
      const FlushScope flushing(ftz);
      std::fesetround(mode);
      r = f(a, b, c);
      std::fesetround(FE_TONEAREST);
    }
    T v = r;
    if (ftz) v = flushed(v);
    if (sat) v = saturated(v);
    ASSERT_EQ(nan_normalised(got[i], n), expected_bits(v))
        << std::hex << in.a[i] << " " << in.b[i] << " " << in.c[i];
  }
}

template <class T>
void check_arithmetic(const std::string& op, unsigned arity, const Operation<T>& f,
                      bool needs_mode) {
  const std::string type = sizeof(T) == 4 ? ".f32" : ".f64";
  for (const auto& [name, mode] : kRoundingModes)
    check_float<T>(op + "." + name + type, mode, false, false, arity, f);
  if (!needs_mode) check_float<T>(op + type, FE_TONEAREST, false, false, arity, f);
  if (sizeof(T) == 8) return;
  check_float<T>(op + ".rn.ftz.f32", FE_TONEAREST, true, false, arity, f);
  check_float<T>(op + ".rz.ftz.f32", FE_TOWARDZERO, true, false, arity, f);
}

template <class T>
void check_all() {
  const Operation<T> add = [](auto& a, auto& b, auto&) { return a + b; };
  const Operation<T> sub = [](auto& a, auto& b, auto&) { return a - b; };
  const Operation<T> mul = [](auto& a, auto& b, auto&) { return a * b; };
  const Operation<T> div = [](auto& a, auto& b, auto&) { return a / b; };
  const Operation<T> fma = [](auto& a, auto& b, auto& c) { return std::fma(T(a), T(b), T(c)); };
  const Operation<T> rcp = [](auto& a, auto&, auto&) { return T(1) / a; };
  const Operation<T> root = [](auto& a, auto&, auto&) { return std::sqrt(T(a)); };
  check_arithmetic<T>("add", 2, add, false);
  check_arithmetic<T>("sub", 2, sub, false);
  check_arithmetic<T>("mul", 2, mul, false);
  check_arithmetic<T>("div", 2, div, true);
  check_arithmetic<T>("fma", 3, fma, true);
  check_arithmetic<T>("mad", 3, fma, true);
  check_arithmetic<T>("rcp", 1, rcp, true);
  check_arithmetic<T>("sqrt", 1, root, true);
}

TEST(PtxFloat, SinglePrecisionInEveryMode) { check_all<float>(); }
TEST(PtxFloat, DoublePrecisionInEveryMode) { check_all<double>(); }

TEST(PtxFloat, Saturation) {
  check_float<float>("add.sat.f32", FE_TONEAREST, false, true, 2,
                     [](auto& a, auto& b, auto&) { return a + b; });
  check_float<float>("mul.ftz.sat.f32", FE_TONEAREST, true, true, 2,
                     [](auto& a, auto& b, auto&) { return a * b; });
  check_float<float>("fma.rm.sat.f32", FE_DOWNWARD, false, true, 3, [](auto& a, auto& b, auto& c) {
    return std::fma(float(a), float(b), float(c));
  });
}

template <class T>
T pick(T a, T b, bool maximum) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) == maximum ? b : a;  // of two zeros: -0 is the smaller
  return (a < b) != maximum ? a : b;
}
TEST(PtxFloat, MinAndMaxIgnoreNanAndOrderZeros) {
  for (const bool maximum : {false, true}) {
    const std::string op = maximum ? "max" : "min";
    check_float<float>(op + ".f32", FE_TONEAREST, false, false, 2,
                       [=](auto& a, auto& b, auto&) { return pick<float>(a, b, maximum); });
    check_float<float>(op + ".ftz.f32", FE_TONEAREST, true, false, 2,
                       [=](auto& a, auto& b, auto&) { return pick<float>(a, b, maximum); });
    check_float<double>(op + ".f64", FE_TONEAREST, false, false, 2,
                        [=](auto& a, auto& b, auto&) { return pick<double>(a, b, maximum); });
  }
}

TEST(PtxFloat, SignsAreBitsOfNumbers) {
  const auto f = combine(float_values(), {0}), d = combine(double_values(), {0});
  const auto nan = [](std::uint64_t a) { return std::isnan(unraw<float>(a)); };
  check("neg.f32 %d, %a;", {}, f, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return nan(a) ? 0x7fffffffu : a ^ 0x80000000u;
  });
  check("abs.f32 %d, %a;", {}, f, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return nan(a) ? 0x7fffffffu : a & 0x7fffffffu;
  });
  check("abs.ftz.f32 %d, %a;", {}, f, [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return nan(a) ? 0x7fffffffu : raw(flushed(unraw<float>(a))) & 0x7fffffffu;
  });
  check("neg.f64 %d, %a;", {8, 8, 8, 8}, d, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return std::isnan(unraw<double>(a)) ? a : a ^ (1ULL << 63);
  });
  check("abs.f64 %d, %a;", {8, 8, 8, 8}, d,
        [](std::uint64_t a, std::uint64_t, std::uint64_t) { return a & ~(1ULL << 63); });
  check("copysign.f32 %d, %a, %b;", {}, combine(float_values(), float_values()),
        [](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return (a & 0x80000000u) | (b & 0x7fffffffu);
        });
}

TEST(PtxFloat, ApproximationsAreWithinTheErrorsOfPtx) {
  const std::pair<const char*, double (*)(double)> functions[] = {
      {"sin", std::sin},  {"cos", std::cos},   {"ex2", std::exp2},
      {"lg2", std::log2}, {"tanh", std::tanh}, {"sqrt", std::sqrt}};
  std::vector<std::uint64_t> values;
  for (float v = -20; v < 20; v += 0.37f) values.push_back(raw(v));
  for (const auto v : float_values()) values.push_back(v);
  for (const auto& [name, f] : functions) {
    SCOPED_TRACE(name);
    const auto got = evaluate(std::string(name) + ".approx.f32 %d, %a;", {}, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float x = unraw<float>(values[i]), r = unraw<float>(got[i]);
      const auto want = static_cast<float>(f(x));
      if (std::isnan(want)) {
        EXPECT_EQ(got[i], 0x7fffffffu) << x;
      } else if (std::isinf(want) || want == 0) {
        EXPECT_EQ(got[i], raw(want)) << x;
      } else {
        EXPECT_NEAR(r, want, std::fabs(want) * 2.5e-7 + 1e-44) << x;
      }
    }
  }
  const auto rsqrt = evaluate("rsqrt.approx.f32 %d, %a;", {}, float_values());
  EXPECT_EQ(unraw<float>(rsqrt[2]), 1.0f);
  EXPECT_EQ(rsqrt[0], 0x7f800000u);  // +0 -> +inf
  EXPECT_EQ(rsqrt[1], 0xff800000u);  // -0 -> -inf
  EXPECT_EQ(rsqrt[3], 0x7fffffffu);  // negative -> NaN
  const auto ftz = evaluate("ex2.approx.ftz.f32 %d, %a;", {}, {raw(-140.0f), raw(3.0f)});
  EXPECT_EQ(ftz[0], 0u);
  EXPECT_EQ(unraw<float>(ftz[1]), 8.0f);
}

TEST(PtxFloat, Testp) {
  const auto in = combine(float_values(), {0});
  const std::pair<const char*, std::function<bool(float)>> tests[] = {
      {"finite", [](float v) { return std::isfinite(v); }},
      {"infinite", [](float v) { return std::isinf(v); }},
      {"number", [](float v) { return !std::isnan(v); }},
      {"notanumber", [](float v) { return std::isnan(v); }},
      {"normal", [](float v) { return std::isnormal(v) || v == 0; }},
      {"subnormal", [](float v) { return std::fpclassify(v) == FP_SUBNORMAL; }}};
  for (const auto& [name, f] : tests)
    check(std::string("testp.") + name + ".f32 %p, %a; selp.u32 %d, 1, 0, %p;", {}, in,
          [&f = f](std::uint64_t a, std::uint64_t, std::uint64_t) {
            return f(unraw<float>(a)) ? 1 : 0;
          });
}

// ---- comparisons
// -----------------------------------------------------------------------------------

template <class T>
bool relation(const std::string& op, T a, T b) {
  const bool unordered = a != a || b != b;
  if (op == "num") return !unordered;
  if (op == "nan") return unordered;
  if (op == "eq") return !unordered && a == b;
  if (op == "ne") return !unordered && a != b;
  if (op == "lt" || op == "lo") return a < b;
  if (op == "le" || op == "ls") return a <= b;
  if (op == "gt" || op == "hi") return a > b;
  if (op == "ge" || op == "hs") return a >= b;
  return unordered || relation<T>(op.substr(0, 2), a, b);
}
template <class T>
void check_relations(const char* type, const std::vector<std::string>& ops,
                     const std::vector<std::uint64_t>& values) {
  constexpr unsigned n = sizeof(T);
  const auto in = combine(values, values);
  for (const auto& op : ops) {
    const std::string s = op + std::string(".") + type;
    check("setp." + s + " %p, %a, %b; selp.u32 %d, 1, 0, %p;", {4, n, n, n}, in,
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
            return relation<T>(op, unraw<T>(a), unraw<T>(b)) ? 1 : 0;
          });
    check("set." + op + ".u32." + type + " %d, %a, %b;", {4, n, n, n}, in,
          [&](std::uint64_t a, std::uint64_t b, std::uint64_t) {
            return relation<T>(op, unraw<T>(a), unraw<T>(b)) ? 0xffffffffULL : 0;
          });
  }
}
TEST(PtxCompare, EveryRelationOfEveryType) {
  const std::vector<std::string> integers = {"eq", "ne", "lt", "le", "gt", "ge"};
  std::vector<std::string> unsigneds = integers, floats = integers;
  unsigneds.insert(unsigneds.end(), {"lo", "ls", "hi", "hs"});
  floats.insert(floats.end(), {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  check_relations<std::uint16_t>("u16", unsigneds, integer_values());
  check_relations<std::int16_t>("s16", integers, integer_values());
  check_relations<std::uint32_t>("u32", unsigneds, integer_values());
  check_relations<std::int32_t>("s32", integers, integer_values());
  check_relations<std::uint64_t>("u64", unsigneds, integer_values());
  check_relations<std::int64_t>("s64", integers, integer_values());
  check_relations<std::uint32_t>("b32", {"eq", "ne"}, integer_values());
  check_relations<float>("f32", floats, float_values());
  check_relations<double>("f64", floats, double_values());
}

TEST(PtxCompare, FlushTreatsSubnormalsAsZero) {
  check("setp.eq.ftz.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", {},
        combine(float_values(), float_values()),
        [](std::uint64_t a, std::uint64_t b, std::uint64_t) {
          return flushed(unraw<float>(a)) == flushed(unraw<float>(b)) ? 1 : 0;
        });
}

TEST(PtxCompare, BooleanCombinationAndComplement) {
  const auto in = combine({0, 1, 2}, {0, 1, 2}, {0, 1});
  const std::pair<const char*, std::function<bool(bool, bool)>> ops[] = {
      {"and", [](bool x, bool y) { return x && y; }},
      {"or", [](bool x, bool y) { return x || y; }},
      {"xor", [](bool x, bool y) { return x != y; }}};
  for (const auto& [name, f] : ops)
    for (const bool negate : {false, true})
      check(std::string("setp.ne.u32 %guard, %c, 0; setp.lt.") + name + ".u32 %p|%q, %a, %b, " +
                (negate ? "!" : "") +
                "%guard; selp.u32 %x, 1, 0, %p; selp.u32 %d, 2, 0, %q; add.u32 %d, %d, %x;",
            {}, in, [&, g = f](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
              const bool third = (c != 0) != negate;
              return (g(a < b, third) ? 1u : 0u) + (g(!(a < b), third) ? 2u : 0u);
            });
  check("setp.ne.u32 %p, %c, 0; set.lt.and.f32.u32 %d, %a, %b, %p;", {}, in,
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return a < b && c != 0 ? raw(1.0f) : 0;
        });
}

TEST(PtxCompare, Select) {
  const auto in =
      combine({1, 2}, {3, 4}, {0, 0x80000000u, 0xbf800000u, 0x3f800000u, 0x7fc00000u, 0x80000001u});
  check("slct.u32.s32 %d, %a, %b, %c;", {}, in,
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return static_cast<std::int32_t>(c) >= 0 ? a : b;
        });
  check("slct.u32.f32 %d, %a, %b, %c;", {}, in,
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return unraw<float>(c) >= 0 ? a : b;
        });
  check("slct.ftz.f64.f32 %d, %a, %b, %c;", {8, 8, 8, 4}, in,
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
          return flushed(unraw<float>(c)) >= 0 ? a : b;
        });
  check("setp.eq.u32 %p, %c, 0; selp.b64 %d, %a, %b, !%p;", {8, 8, 8, 4}, in,
        [](std::uint64_t a, std::uint64_t b, std::uint64_t c) { return c != 0 ? a : b; });
  check("setp.eq.u32 %p, %c, 0; not.pred %q, %p; and.pred %p, %p, %q; selp.b16 %d, %a, %b, %p;",
        {2, 2, 2, 4}, in, [](std::uint64_t, std::uint64_t b, std::uint64_t) { return b; });
}

}  // namespace
}  // namespace warpmem::program::ptx
