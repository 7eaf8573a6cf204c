// SPDX-License-Identifier: Apache-2.0
// cvt between all types and modes. Expected values come from exact arithmetic in long double and
// from the host's own conversion instructions.
#include <cfenv>
#include <cmath>
#include <limits>

#include "unit/program/ptx_fixture.hpp"
#include "unit/program/ptx_numbers.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpmem::program::ptx {
namespace {

constexpr IntType kIntegers[] = {{"u8", 1, false},  {"s8", 1, true},   {"u16", 2, false},
                                 {"s16", 2, true},  {"u32", 4, false}, {"s32", 4, true},
                                 {"u64", 8, false}, {"s64", 8, true}};

Wide highest(IntType t) { return (Wide(1) << (8 * t.bytes - (t.is_signed ? 1 : 0))) - 1; }
Wide lowest(IntType t) { return t.is_signed ? -(Wide(1) << (8 * t.bytes - 1)) : 0; }
/// Registers have 16 bits and more; an 8-bit result is extended by its sign.
unsigned register_bytes(IntType t) { return t.bytes == 1 ? 4 : t.bytes; }
std::uint64_t in_register(Wide v, IntType t) {
  return wrapped(number(static_cast<std::uint64_t>(v), t), register_bytes(t));
}

TEST(PtxConvert, BetweenIntegers) {
  const auto in = combine(integer_values(), {0});
  for (const IntType from : kIntegers)
    for (const IntType to : kIntegers) {
      const Widths w{register_bytes(to), register_bytes(from), 4, 4};
      check(std::string("cvt.") + to.name + "." + from.name + " %d, %a;", w, in,
            [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
              return in_register(number(a, from), to);
            });
      check(std::string("cvt.sat.") + to.name + "." + from.name + " %d, %a;", w, in,
            [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
              return in_register(std::min(std::max(number(a, from), lowest(to)), highest(to)), to);
            });
    }
  // Registers wider than the types, as clang writes sign extension in place.
  check("cvt.s64.s8 %d, %a;", {8, 8, 4, 4}, in, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return static_cast<std::uint64_t>(static_cast<std::int8_t>(a));
  });
  check("cvt.s64.s32 %d, %a;", {8, 8, 4, 4}, in, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return static_cast<std::uint64_t>(static_cast<std::int32_t>(a));
  });
  check("cvt.s32.s16 %d, %a;", {4, 4, 4, 4}, in, [](std::uint64_t a, std::uint64_t, std::uint64_t) {
    return std::uint64_t(std::uint32_t(static_cast<std::int16_t>(a)));
  });
}

long double rounded(long double v, const std::string& mode) {
  if (mode == "rni") return std::nearbyint(v);
  if (mode == "rzi") return std::trunc(v);
  return mode == "rmi" ? std::floor(v) : std::ceil(v);
}

TEST(PtxConvert, FloatToIntegerClampsAndNanIsZeroOrTheTopBit) {
  for (const std::string mode : {"rni", "rzi", "rmi", "rpi"})
    for (const IntType to : kIntegers)
      for (const unsigned bytes : {4u, 8u}) {
        const auto& values = bytes == 4 ? float_values() : double_values();
        check("cvt." + mode + "." + to.name + (bytes == 4 ? ".f32" : ".f64") + " %d, %a;",
              {register_bytes(to), bytes, 4, 4}, combine(values, {0}),
              [&](std::uint64_t a, std::uint64_t, std::uint64_t) -> std::uint64_t {
                const long double v = bytes == 4 ? static_cast<long double>(unraw<float>(a))
                                                 : static_cast<long double>(unraw<double>(a));
                if (std::isnan(v))
                  return bytes == 8 || to.bytes == 8
                             ? in_register(Wide(1) << (8 * to.bytes - 1), to)
                             : 0;
                const long double r = rounded(v, mode);
                if (r >= static_cast<long double>(highest(to))) return in_register(highest(to), to);
                if (r <= static_cast<long double>(lowest(to))) return in_register(lowest(to), to);
                return in_register(static_cast<Wide>(r), to);
              });
      }
}

TEST(PtxConvert, FloatToIntegralFloat) {
  for (const std::string mode : {"rni", "rzi", "rmi", "rpi"}) {
    check("cvt." + mode + ".f32.f32 %d, %a;", {}, combine(float_values(), {0}),
          [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
            const auto v = unraw<float>(a);
            return std::isnan(v) ? 0x7fffffffULL : raw(static_cast<float>(rounded(v, mode)));
          });
    check("cvt." + mode + ".f64.f64 %d, %a;", {8, 8, 4, 4},
          combine({0x3ff8000000000000ULL, 0xbfe0000000000000ULL, 0x8000000000000000ULL,
                   0x4330000000000001ULL},
                  {0}),
          [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
            return raw(static_cast<double>(rounded(unraw<double>(a), mode)));
          });
  }
}

template <class F>
F integer_to(Wide v, int mode) {
  std::fesetround(mode);
  volatile F r;
  if (v < 0) {
    volatile std::int64_t i = static_cast<std::int64_t>(v);
    r = static_cast<F>(i);
  } else {
    volatile std::uint64_t i = static_cast<std::uint64_t>(v);
    r = static_cast<F>(i);
  }
  std::fesetround(FE_TONEAREST);
  return r;
}
TEST(PtxConvert, IntegerToFloatRounds) {
  std::vector<std::uint64_t> values = integer_values();
  for (const auto v : {0x1000001ULL, 0x1000003ULL, 0x7fffff80ULL, 0x20000000000001ULL,
                       0x20000000000003ULL, 0x7fffffbfffffffffULL, 0xffffff8000000001ULL})
    values.push_back(v);
  const auto in = combine(values, {0});
  for (const IntType from : kIntegers)
    for (const auto& [name, mode] : kRoundingModes) {
      const Widths single{4, register_bytes(from), 4, 4}, dual{8, register_bytes(from), 4, 4};
      check(std::string("cvt.") + name + ".f32." + from.name + " %d, %a;", single, in,
            [&, m = mode](std::uint64_t a, std::uint64_t, std::uint64_t) {
              return raw(integer_to<float>(number(a, from), m));
            });
      check(std::string("cvt.") + name + ".f64." + from.name + " %d, %a;", dual, in,
            [&, m = mode](std::uint64_t a, std::uint64_t, std::uint64_t) {
              return raw(integer_to<double>(number(a, from), m));
            });
    }
}

TEST(PtxConvert, DoubleToSingleInEveryMode) {
  for (const auto& [name, mode] : kRoundingModes)
    check(std::string("cvt.") + name + ".f32.f64 %d, %a;", {4, 8, 4, 4},
          combine(double_values(), {0}), [m = mode](std::uint64_t a, std::uint64_t, std::uint64_t) {
            volatile double v = unraw<double>(a);
            std::fesetround(m);
            volatile float r = static_cast<float>(v);
            std::fesetround(FE_TONEAREST);
            return std::isnan(v) ? 0x7fc00000ULL : raw(static_cast<float>(r));
          });
  check("cvt.rn.ftz.sat.f32.f64 %d, %a;", {4, 8, 4, 4}, combine(double_values(), {0}),
        [](std::uint64_t a, std::uint64_t, std::uint64_t) {
          const auto v = unraw<double>(a);
          const auto f = static_cast<float>(v);
          return std::isnan(v) || f <= 0 || std::fpclassify(f) == FP_SUBNORMAL
                     ? 0
                     : raw(std::min(f, 1.0f));
        });
  check("cvt.f64.f32 %d, %a;", {8, 4, 4, 4},
        combine({0x3f800000, 0x00000001, 0x80000000, 0xff800000}, {0}),
        [](std::uint64_t a, std::uint64_t, std::uint64_t) {
          return raw(static_cast<double>(unraw<float>(a)));
        });
  check("cvt.ftz.f64.f32 %d, %a;", {8, 4, 4, 4}, combine({0x00000001, 0x807fffff}, {0}),
        [](std::uint64_t a, std::uint64_t, std::uint64_t) { return (a >> 31) << 63; });
}

#if defined(__x86_64__)
template <int mode>
__attribute__((target("f16c"))) std::uint64_t to_half(float v) {
  return static_cast<std::uint16_t>(_cvtss_sh(v, mode));
}
__attribute__((target("f16c"))) float from_half(std::uint16_t h) { return _cvtsh_ss(h); }

TEST(PtxConvert, HalfAgreesWithTheHost) {
  if (!__builtin_cpu_supports("f16c")) GTEST_SKIP() << "the host has no half-precision conversions";
  std::vector<std::uint64_t> halves;
  for (unsigned h = 0; h < 0x10000; ++h) halves.push_back(h);
  check("cvt.f32.f16 %d, %a;", {4, 2, 4, 4}, combine(halves, {0}),
        [](std::uint64_t a, std::uint64_t, std::uint64_t) {
          const float v = from_half(static_cast<std::uint16_t>(a));
          return std::isnan(v) ? 0x7fffffffULL : raw(v);
        });
  std::vector<std::uint64_t> floats = float_values();
  for (unsigned h = 1; h < 0x7c00; h += 13) {
    const auto bits = static_cast<std::uint32_t>(raw(from_half(static_cast<std::uint16_t>(h))));
    for (const std::uint32_t near :
         {bits - 1, bits, bits + 1, bits + 0xfffu, bits + 0x1000u, bits + 0x1001u}) {
      floats.push_back(near);
      floats.push_back(near | 0x80000000u);
    }
  }
  std::uint64_t (*const host[])(float) = {
      to_half<_MM_FROUND_TO_NEAREST_INT>, to_half<_MM_FROUND_TO_ZERO>,
      to_half<_MM_FROUND_TO_NEG_INF>, to_half<_MM_FROUND_TO_POS_INF>};
  for (unsigned m = 0; m < 4; ++m)
    check(std::string("cvt.") + kRoundingModes[m].name + ".f16.f32 %d, %a;", {2, 4, 4, 4},
          combine(floats, {0}), [&](std::uint64_t a, std::uint64_t, std::uint64_t) {
            const float v = unraw<float>(a);
            return std::isnan(v) ? 0x7fffULL : host[m](v);
          });
}
#endif

}  // namespace
}  // namespace warpmem::program::ptx
