// SPDX-License-Identifier: Apache-2.0
// add sub mul fma mad div min max abs neg copysign testp for f32 and f64 (PTX ISA 6.x
// section 9.7.3).
#include <cmath>
#include <limits>

#include "program/ptx/float_math.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
  /// With .ftz.
  [[gnu::always_inline]] static inline float flushed(float a, float b) {
    return flush_scaled(a * b, kScale32 * a * b);
  }
};
struct Div {
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
};
/// div.approx.f32 multiplies by the reciprocal, which is a zero where it would be subnormal.
struct DivApprox {
  [[gnu::always_inline]] static inline float apply(float a, float b) {
    const bool large = std::fabs(b) > 0x1p126f && std::fabs(b) < INFINITY;
    return large ? a * std::copysign(0.0f, b) : a / b;
  }
};
struct Fma {
  static float apply(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
  static float flushed(float a, float b, float c) {
    const float r = flush(apply(a, b, c));
    if (std::fabs(r) != 0x1p-126f) return r;
    return flush_scaled(r, apply(kScale32 * a, b, kScale32 * c));
  }
};
/// Op under .ftz: most results in the range of subnormal numbers are exact, so that it does not
/// matter when they are flushed.
template <class Op, class = void>
struct Flushed {
  template <class... T>
  [[gnu::always_inline]] static inline auto apply(T... v) {
    return flush(Op::apply(v...));
  }
};
template <class Op>
struct Flushed<Op, std::void_t<decltype(&Op::flushed)>> {
  template <class... T>
  [[gnu::always_inline]] static inline auto apply(T... v) {
    return Op::flushed(v...);
  }
};
/// A NaN loses against a number; -0 is less than +0.
template <bool maximum>
struct MinMax {
  template <class T>
  [[gnu::always_inline]] static inline T apply(T a, T b) {
    using S = Storage<T>;
    const S x = bit_cast<S>(a), y = bit_cast<S>(b);
    // Equal numbers differ at most in the sign of zero.
    const S equal = maximum ? x & y : x | y;
    const bool first = maximum ? a > b : a < b;
    S r = first ? x : y;
    r = a == b ? equal : r;
    // NOLINTBEGIN(misc-redundant-expression): a NaN does not equal itself.
    r = b != b ? x : r;
    r = a != a ? y : r;
    const T v = bit_cast<T>(r);
    return canonical(v);
    // NOLINTEND(misc-redundant-expression)
  }
};
/// A NaN wins against a number (.NaN).
template <bool maximum>
struct MinMaxNan {
  template <class T>
  [[gnu::always_inline]] static inline T apply(T a, T b) {
    const bool nan = std::isnan(a) || std::isnan(b);
    return nan ? canonical(std::numeric_limits<T>::quiet_NaN()) : MinMax<maximum>::apply(a, b);
  }
};

/// These round to nearest even, without a modifier but perhaps .ftz; they are the loops that
/// vectorise.
template <class Op, bool ftz>
struct Plain {
  template <class... T>
  [[gnu::always_inline]] static inline auto apply(T... v) {
    if constexpr (ftz)
      return canonical(Flushed<Op>::apply(flush(v)...));
    else
      return canonical(Op::apply(v...));
  }
};

/// These take any rounding mode, .ftz and .sat.
template <class Op, class T, unsigned arity>
void general(Warp& w, const Inst& in) {
  RoundingScope scope(in.rounding);
  each_lane(w, [&](unsigned i) {
    T v[3] = {};
    for (unsigned k = 0; k < arity; ++k) {
      v[k] = lane<T>(w, in.ref[1 + k], i);
      if (in.ftz) v[k] = flush(v[k]);
      v[k] = opaque(v[k]);
    }
    const auto apply = [&](auto op) {
      if constexpr (arity == 2)
        return decltype(op)::apply(v[0], v[1]);
      else
        return decltype(op)::apply(v[0], v[1], v[2]);
    };
    T r;
    if constexpr (sizeof(T) == 4)
      r = in.ftz ? apply(Flushed<Op>{}) : apply(Op{});
    else
      r = apply(Op{});
    r = opaque(r);
    if (in.saturate) r = saturate(r);
    set_lane<T>(w, in.ref[0], i, canonical(r));
  });
}

template <class Op, class T, unsigned arity>
Handler choose(const Inst& in) {
  if (in.rounding != Rounding::nearest || in.saturate) return general<Op, T, arity>;
  return in.ftz ? map_handler<Plain<Op, true>, T, arity>()
                : map_handler<Plain<Op, false>, T, arity>();
}

/// Which modifiers an instruction has beside .ftz.
enum Takes : unsigned { kNothing = 0, kRounding = 1, kMustRound = 2, kSaturate = 4 };

/// Takes the modifiers and operands that arithmetic shares and picks the handler.
template <class Op, unsigned arity>
void lower_arithmetic(Lowering& x, Type type, OpClass single, OpClass dual, unsigned takes) {
  Inst& in = x.inst();
  bool rounded = false;
  if (takes & (kRounding | kMustRound)) in.rounding = x.take_rounding(&rounded);
  if ((takes & kMustRound) && !rounded) x.unsupported();
  in.ftz = x.take("ftz");
  if (takes & kSaturate) in.saturate = x.take("sat");
  if (type == Type::f64 && (in.ftz || in.saturate)) x.unsupported();
  if constexpr (arity == 2)
    x.def_use(type, {type, type});
  else
    x.def_use(type, {type, type, type});
  if (type == Type::f32)
    x.set(choose<Op, float, arity>(in), single);
  else if (type == Type::f64)
    x.set(choose<Op, double, arity>(in), dual);
  else
    x.unsupported();
}

/// A NaN becomes the canonical one, and a double NaN keeps its sign under neg, as on a GPU (PTX
/// leaves it open).
template <class T, bool absolute>
struct Sign {
  using S = Storage<T>;
  static constexpr S kSign = S(1) << (8 * sizeof(S) - 1);
  [[gnu::always_inline]] static inline S apply(S a) {
    const S r = absolute ? a & ~kSign : a ^ kSign;
    if constexpr (sizeof(T) == 4)
      return (a & ~kSign) > 0x7f800000u ? kCanonicalNan32 : r;
    else
      return !absolute && (a & ~kSign) > 0x7ff0000000000000u ? a : r;
  }
};
template <bool absolute>
struct SignFlush {
  static std::uint32_t apply(std::uint32_t a) {
    return Sign<float, absolute>::apply(bit_cast<std::uint32_t>(flush(bit_cast<float>(a))));
  }
};
template <bool absolute>
Handler sign_handler(Type type, bool ftz) {
  if (type == Type::f64) return map_handler<Sign<double, absolute>, std::uint64_t, 1>();
  return ftz ? map_handler<SignFlush<absolute>, std::uint32_t, 1>()
             : map_handler<Sign<float, absolute>, std::uint32_t, 1>();
}

/// Takes the sign of a and the magnitude of b.
template <class S>
struct CopySign {
  static S apply(S a, S b) {
    constexpr S sign = S(1) << (8 * sizeof(S) - 1);
    return (a & sign) | (b & ~sign);
  }
};
void lower_copysign(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(type, {type, type});
  if (type == Type::f32)
    x.set(map_handler<CopySign<std::uint32_t>, std::uint32_t, 2>(), OpClass::fp32);
  else if (type == Type::f64)
    x.set(map_handler<CopySign<std::uint64_t>, std::uint64_t, 2>(), OpClass::fp64);
  else
    x.unsupported();
}

// ---- testp
// -----------------------------------------------------------------------------------------

enum class Test : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };

template <class T>
bool test(T v, Test what) {
  switch (what) {
    case Test::finite:
      return std::isfinite(v);
    case Test::infinite:
      return std::isinf(v);
    case Test::number:
      return !std::isnan(v);
    case Test::notanumber:
      return std::isnan(v);
    case Test::normal:  // PTX counts zeros among them
      return std::isnormal(v) || v == 0;
    case Test::subnormal:
      return std::fpclassify(v) == FP_SUBNORMAL;
  }
  return false;
}
template <class T>
void testp(Warp& w, const Inst& in) {
  LaneMask r = 0;
  each_lane(w, [&](unsigned i) {
    if (test(lane<T>(w, in.ref[1], i), static_cast<Test>(in.option))) r |= LaneMask(1) << i;
  });
  set_predicate(w, in.ref[0], r);
}
void lower_testp(Lowering& x) {
  static constexpr std::pair<std::string_view, Test> kTests[] = {
      {"finite", Test::finite}, {"infinite", Test::infinite},
      {"number", Test::number}, {"notanumber", Test::notanumber},
      {"normal", Test::normal}, {"subnormal", Test::subnormal}};
  bool found = false;
  for (const auto& [text, what] : kTests)
    if (x.take(text)) {
      x.inst().option = static_cast<std::uint8_t>(what);
      found = true;
    }
  const Type type = x.take_type();
  if (!found || (type != Type::f32 && type != Type::f64)) x.unsupported();
  x.def_use(Type::pred, {type});
  x.set(type == Type::f32 ? testp<float> : testp<double>,
        type == Type::f32 ? OpClass::fp32 : OpClass::fp64);
}

void lower_fma(Lowering& x) { lower_float_fma(x, take_type_or_bfloat(x)); }

}  // namespace

void lower_float_add(Lowering& x, Type type, bool subtract) {
  if (is_narrow(type)) return lower_half_arithmetic(x, type, subtract ? 1 : 0);
  if (subtract)
    lower_arithmetic<Sub, 2>(x, type, OpClass::fp32, OpClass::fp64, kRounding | kSaturate);
  else
    lower_arithmetic<Add, 2>(x, type, OpClass::fp32, OpClass::fp64, kRounding | kSaturate);
}
void lower_float_mul(Lowering& x, Type type) {
  if (is_narrow(type)) return lower_half_arithmetic(x, type, 2);
  lower_arithmetic<Mul, 2>(x, type, OpClass::fp32, OpClass::fp64, kRounding | kSaturate);
}
void lower_float_fma(Lowering& x, Type type) {
  if (is_narrow(type)) return lower_half_arithmetic(x, type, 3);
  lower_arithmetic<Fma, 3>(x, type, OpClass::fp32, OpClass::fp64, kMustRound | kSaturate);
}
void lower_float_div(Lowering& x, Type type) {
  // .approx and .full may be off by 2 ulp on the hardware; the exact quotient is within that.
  const bool approximate = x.take("approx");
  if (approximate || x.take("full")) {
    Inst& in = x.inst();
    in.ftz = x.take("ftz");
    if (type != Type::f32) x.unsupported();
    x.def_use(type, {type, type});
    return x.set(approximate ? choose<DivApprox, float, 2>(in) : choose<Div, float, 2>(in),
                 OpClass::sfu);
  }
  lower_arithmetic<Div, 2>(x, type, OpClass::div, OpClass::div, kMustRound);
}

void lower_float_min_max(Lowering& x, Type type, bool maximum) {
  if (is_narrow(type)) return lower_half_min_max(x, type, maximum);
  if (x.take("NaN")) {
    if (type != Type::f32) x.unsupported();
    if (maximum)
      lower_arithmetic<MinMaxNan<true>, 2>(x, type, OpClass::fp32, OpClass::fp64, kNothing);
    else
      lower_arithmetic<MinMaxNan<false>, 2>(x, type, OpClass::fp32, OpClass::fp64, kNothing);
    return;
  }
  if (maximum)
    lower_arithmetic<MinMax<true>, 2>(x, type, OpClass::fp32, OpClass::fp64, kNothing);
  else
    lower_arithmetic<MinMax<false>, 2>(x, type, OpClass::fp32, OpClass::fp64, kNothing);
}

void lower_float_sign(Lowering& x, Type type, bool absolute) {
  if (is_narrow(type)) return lower_half_sign(x, type, absolute);
  const bool ftz = x.take("ftz");
  if (type != Type::f32 && (type != Type::f64 || ftz)) x.unsupported();
  x.def_use(type, {type});
  x.set(absolute ? sign_handler<true>(type, ftz) : sign_handler<false>(type, ftz),
        type == Type::f32 ? OpClass::fp32 : OpClass::fp64);
}

void add_float(LowerTable& t) {
  t["fma"] = lower_fma;
  t["copysign"] = lower_copysign;
  t["testp"] = lower_testp;
}

}  // namespace warpmem::program::ptx
