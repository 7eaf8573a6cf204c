// SPDX-License-Identifier: Apache-2.0
// cvt (PTX ISA 6.x section 9.7.8.20). One function converts any type to any other under every mode;
// the conversions that kernels are full of have loops of their own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "program/ptx/float_math.hpp"
#include "program/ptx/half.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

/// This is how a float is rounded to an integral value.
enum Integral : std::uint8_t { kNone = 0, kNearestInt, kZeroInt, kDownInt, kUpInt };

/// Inst::aux where what is below zero becomes zero (.relu).
constexpr std::uint32_t kNotNegative = 1;

double to_integral(double v, std::uint8_t mode) {
  switch (mode) {
    case kNearestInt:
      return std::nearbyint(v);  // the host rounds to nearest even here
    case kZeroInt:
      return std::trunc(v);
    case kDownInt:
      return std::floor(v);
    case kUpInt:
      return std::ceil(v);
    default:
      return v;
  }
}

/// Integer of `type` in the low bits of a register: its value, sign-extended if the type has one.
std::uint64_t integer_value(std::uint64_t bits, Type type) {
  switch (type) {
    case Type::u8:
    case Type::b8:
      return static_cast<std::uint8_t>(bits);
    case Type::s8:
      return static_cast<std::uint64_t>(static_cast<std::int8_t>(bits));
    case Type::u16:
    case Type::b16:
      return static_cast<std::uint16_t>(bits);
    case Type::s16:
      return static_cast<std::uint64_t>(static_cast<std::int16_t>(bits));
    case Type::u32:
    case Type::b32:
      return static_cast<std::uint32_t>(bits);
    case Type::s32:
      return static_cast<std::uint64_t>(static_cast<std::int32_t>(bits));
    default:
      return bits;
  }
}

/// A NaN becomes 0 if neither type has 64 bits, else the number that has the top bit alone (PTX ISA
/// 8.x section 9.7.9.21).
std::uint64_t float_to_integer(double v, Type to, Type from) {
  const unsigned width = 8 * size_bytes(to);
  if (std::isnan(v)) {
    const std::uint64_t top = std::uint64_t(1) << (width - 1);
    if (width != 64 && from != Type::f64) return 0;
    return is_signed(to) ? std::uint64_t(0) - top : top;
  }
  if (is_signed(to)) {
    const double limit = std::ldexp(1.0, static_cast<int>(width) - 1);
    if (v >= limit) return (std::uint64_t(1) << (width - 1)) - 1;
    if (v < -limit) return std::uint64_t(0) - (std::uint64_t(1) << (width - 1));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
  }
  const double limit = std::ldexp(1.0, static_cast<int>(width));
  if (v <= 0) return 0;
  if (v >= limit) return width == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1;
  return static_cast<std::uint64_t>(v);
}

std::uint64_t saturate_integer(std::uint64_t value, Type from, Type to) {
  const unsigned width = 8 * size_bytes(to);
  const bool negative = is_signed(from) && static_cast<std::int64_t>(value) < 0;
  if (is_signed(to)) {
    const auto low = std::numeric_limits<std::int64_t>::min() >> (64 - width);
    const std::uint64_t high = (std::uint64_t(1) << (width - 1)) - 1;
    if (negative)
      return static_cast<std::uint64_t>(std::max(static_cast<std::int64_t>(value), low));
    return std::min(value, high);
  }
  if (negative) return 0;
  return std::min(value, width == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1);
}

/// A double NaN keeps its sign and the top of its payload; as a bfloat it is the canonical one.
std::uint64_t narrowed_nan(double v, Type to) {
  if (to == Type::bf16) return 0x7fff;
  const auto bits = bit_cast<std::uint64_t>(v);
  const std::uint64_t payload = bits & 0x000fffffffffffffu;
  return to == Type::f16 ? bits >> 63 << 15 | 0x7e00 | payload >> 42
                         : bits >> 63 << 31 | 0x7fc00000 | payload >> 29;
}

std::uint64_t float_result(double v, const Inst& in) {
  // `v` is exact here; the narrowing below is the one rounding.
  if (in.source == Type::f64 && in.type != Type::f64 && std::isnan(v) && !in.saturate)
    return narrowed_nan(v, in.type);
  if (in.type == Type::f64) {
    if (in.saturate) v = saturate(v);
    return bit_cast<std::uint64_t>(v);
  }
  if (in.type == Type::f16 || in.type == Type::bf16) {
    if (in.saturate) v = saturate(v);
    if (in.aux == kNotNegative && v <= 0) v = 0;
    return in.type == Type::f16 ? half_from_double(v, in.rounding)
                                : bfloat_from_double(v, in.rounding);
  }
  RoundingScope scope(in.rounding);
  float f = opaque(static_cast<float>(opaque(v)));
  if (in.ftz) f = flush(f);
  if (in.saturate) f = saturate(f);
  return bit_cast<std::uint32_t>(canonical(f));
}

std::uint64_t integer_to_float(std::uint64_t value, const Inst& in) {
  const bool negative_type = is_signed(in.source);
  if (in.type == Type::f64 || in.type == Type::f32) {
    RoundingScope scope(in.rounding);
    const std::uint64_t held = opaque(value);
    if (in.type == Type::f64) {
      double d = negative_type ? static_cast<double>(static_cast<std::int64_t>(held))
                               : static_cast<double>(held);
      d = opaque(d);
      return bit_cast<std::uint64_t>(in.saturate ? saturate(d) : d);
    }
    float f = negative_type ? static_cast<float>(static_cast<std::int64_t>(held))
                            : static_cast<float>(held);
    f = opaque(f);
    return bit_cast<std::uint32_t>(in.saturate ? saturate(f) : f);
  }
  if (in.type == Type::bf16) {
    // What a double has no place for is kept in its last bit, far below those of a bfloat.
    const bool negative = negative_type && static_cast<std::int64_t>(value) < 0;
    const std::uint64_t magnitude = negative ? 0 - value : value;
    const std::uint64_t top = magnitude >> 12 | ((magnitude & 0xfff) != 0 ? 1 : 0);
    const double v = magnitude >> 52 == 0 ? static_cast<double>(magnitude)
                                          : std::ldexp(static_cast<double>(top), 12);
    return bfloat_from_double(negative ? -v : v, in.rounding);
  }
  // In half precision 65520 and more overflow, so a clamped value rounds alike and fits a double.
  const double v = negative_type ? static_cast<double>(std::clamp<std::int64_t>(
                                       static_cast<std::int64_t>(value), -(1 << 20), 1 << 20))
                                 : static_cast<double>(std::min<std::uint64_t>(value, 1 << 20));
  return half_from_double(in.saturate ? saturate(v) : v, in.rounding);
}

/// The low bits of `bits` are a value of in.source; returns one of in.type.
std::uint64_t convert(std::uint64_t bits, const Inst& in) {
  if (!is_float(in.source)) {
    const std::uint64_t value = integer_value(bits, in.source);
    if (is_float(in.type)) return integer_to_float(value, in);
    return in.saturate ? saturate_integer(value, in.source, in.type)
                       : integer_value(value, in.type);
  }
  double v = 0;
  if (in.source == Type::f64) {
    v = bit_cast<double>(bits);
  } else if (in.source == Type::f32) {
    // Without any modifier this moves bits.
    if (in.type == Type::f32 && in.option == kNone && !in.ftz && !in.saturate)
      return static_cast<std::uint32_t>(bits);
    auto f = bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (in.ftz) f = flush(f);
    v = f;
  } else if (in.source == Type::bf16) {
    v = bfloat_to_float(static_cast<std::uint16_t>(bits));
  } else {
    v = half_to_float(static_cast<std::uint16_t>(bits));
  }
  v = to_integral(v, in.option);
  if (is_float(in.type)) return float_result(v, in);
  return float_to_integer(v, in.type, in.source);
}

/// Does any conversion. count: bytes of a source lane; imm: bytes of a destination lane.
void general(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const std::uint64_t bits =
        in.count == 8 ? lane<std::uint64_t>(w, in.ref[1], i) : lane<std::uint32_t>(w, in.ref[1], i);
    const std::uint64_t r = convert(bits, in);
    // The destination may be wider than its type: integers are extended by their sign.
    if (in.imm == 8)
      set_lane<std::uint64_t>(w, in.ref[0], i, r);
    else
      set_lane<std::uint32_t>(w, in.ref[0], i, static_cast<std::uint32_t>(r));
  });
}

// ---- loops
// -----------------------------------------------------------------------------------------

template <class D, class S>
struct IntToInt {
  static D apply(S v) { return static_cast<D>(v); }
};
/// s8 and s16 results fill a 32-bit register with their sign, as `convert` does.
template <class N, class S>
struct ToNarrow {
  static std::uint32_t apply(S v) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<N>(v)));
  }
};
template <class D, class S>
struct ToFloat {
  static D apply(S v) { return static_cast<D>(v); }
};
/// The host keeps a NaN's payload as `narrowed_nan` does.
struct DoubleToFloat {
  static float apply(double v) { return static_cast<float>(v); }
};
struct FloatToDouble {
  static double apply(float v) { return static_cast<double>(v); }
};
/// Converts toward zero, clamped, NaN as `float_to_integer` does. The argument of the cast is
/// always in range.
template <class T>
struct Truncate {
  [[gnu::always_inline]] static inline std::int32_t apply(T v) {
    const T high = T(2147483648.0), low = T(-2147483648.0);
    const bool inside = (v > low) & (v < high);
    const std::int32_t r = static_cast<std::int32_t>(inside ? v : T(0));
    constexpr std::int32_t kNan = sizeof(T) == 8 ? INT32_MIN : 0;
    const std::int32_t outside = v >= high ? INT32_MAX : v <= low ? INT32_MIN : kNan;
    return inside ? r : outside;
  }
};

template <class S>
Handler from_integer(Type to) {
  switch (to) {
    case Type::u8:
      return vector_handler<Map<ToNarrow<std::uint8_t, S>, std::uint32_t, S>>();
    case Type::s8:
      return vector_handler<Map<ToNarrow<std::int8_t, S>, std::uint32_t, S>>();
    case Type::u16:
      return vector_handler<Map<ToNarrow<std::uint16_t, S>, std::uint32_t, S>>();
    case Type::s16:
      return vector_handler<Map<ToNarrow<std::int16_t, S>, std::uint32_t, S>>();
    case Type::u32:
    case Type::s32:
      return vector_handler<Map<IntToInt<std::uint32_t, S>, std::uint32_t, S>>();
    case Type::u64:
    case Type::s64:
      return vector_handler<Map<IntToInt<std::uint64_t, S>, std::uint64_t, S>>();
    case Type::f32:
      return vector_handler<Map<ToFloat<float, S>, float, S>>();
    case Type::f64:
      return vector_handler<Map<ToFloat<double, S>, double, S>>();
    default:
      return nullptr;
  }
}

/// nullptr when the general routine has to do it.
Handler fast(const Inst& in) {
  // Truncation makes a zero of a subnormal with and without .ftz.
  const bool ftz_matters = in.ftz && !(in.option == kZeroInt && in.type == Type::s32);
  if (in.saturate || ftz_matters || in.rounding != Rounding::nearest) return nullptr;
  if (in.count != (reg_class(in.source) == RegClass::wide ? 8 : 4)) return nullptr;
  if (in.imm != (reg_class(in.type) == RegClass::wide ? 8u : 4u)) return nullptr;
  if (in.option == kNone) {
    switch (in.source) {
      case Type::u8:
        return from_integer<std::uint8_t>(in.type);
      case Type::s8:
        return from_integer<std::int8_t>(in.type);
      case Type::u16:
        return from_integer<std::uint16_t>(in.type);
      case Type::s16:
        return from_integer<std::int16_t>(in.type);
      case Type::u32:
        return from_integer<std::uint32_t>(in.type);
      case Type::s32:
        return from_integer<std::int32_t>(in.type);
      case Type::u64:
        return from_integer<std::uint64_t>(in.type);
      case Type::s64:
        return from_integer<std::int64_t>(in.type);
      case Type::f64:
        return in.type == Type::f32 ? vector_handler<Map<DoubleToFloat, float, double>>() : nullptr;
      case Type::f32:
        return in.type == Type::f64 ? vector_handler<Map<FloatToDouble, double, float>>() : nullptr;
      default:
        return nullptr;
    }
  }
  if (in.option == kZeroInt && in.type == Type::s32) {
    if (in.source == Type::f32) return vector_handler<Map<Truncate<float>, std::int32_t, float>>();
    if (in.source == Type::f64)
      return vector_handler<Map<Truncate<double>, std::int32_t, double>>();
  }
  return nullptr;
}

OpClass convert_class(Type to, Type from) {
  if (to == Type::f64 || from == Type::f64) return OpClass::fp64;
  return is_float(to) || is_float(from) ? OpClass::fp32 : OpClass::int_alu;
}

/// Rounds to the 10 bits of mantissa that TF32 has, ties away from zero; cuts a NaN.
struct TensorFloat {
  static std::uint32_t apply(std::uint32_t a) {
    constexpr std::uint32_t kBelow = (1u << 13) - 1, kInfinity = 0x7f800000;
    const bool nan = (a & 0x7fffffff) > kInfinity;
    return (a + (nan ? 0 : (kBelow + 1) / 2)) & ~kBelow;
  }
};

/// cvt.rna.tf32.f32 (PTX ISA 7.0)
void lower_tensor_float(Lowering& x) {
  if (!x.take("tf32") || x.take_type() != Type::f32) x.unsupported();
  x.want_operands(2);
  x.def(0, x.operand(0), Type::b32);
  x.use(1, x.operand(1), Type::f32);
  x.set(map_handler<TensorFloat, std::uint32_t, 1>(), OpClass::fp32);
}

/// cvt.rn.f16x2.f32 d, a, b and the like: a is the upper half (PTX ISA 7.0).
template <bool bfloat>
void convert_pair(Warp& w, const Inst& in) {
  const auto narrow = [&](float v) {
    if (in.aux == kNotNegative && v <= 0) v = 0;
    return bfloat ? bfloat_from_double(v, in.rounding) : half_from_double(v, in.rounding);
  };
  each_lane(w, [&](unsigned i) {
    const std::uint32_t upper = narrow(lane<float>(w, in.ref[1], i));
    const std::uint32_t lower = narrow(lane<float>(w, in.ref[2], i));
    set_lane<std::uint32_t>(w, in.ref[0], i, upper << 16 | lower);
  });
}

void lower_pair(Lowering& x, bool bfloat) {
  bool rounded = false;
  x.inst().rounding = x.take_rounding(&rounded);
  const Rounding rounding = x.inst().rounding;
  if (!rounded || (rounding != Rounding::nearest && rounding != Rounding::zero)) x.unsupported();
  if (x.take("relu")) x.inst().aux = kNotNegative;
  if (x.take_type() != Type::f32) x.unsupported();
  x.def_use(Type::b32, {Type::f32, Type::f32});
  x.set(bfloat ? convert_pair<true> : convert_pair<false>, OpClass::fp32);
}

/// What becomes a bfloat is rounded to nearest or toward zero, and a bfloat only where it becomes
/// half precision.
bool converts_bfloat(const Inst& in, bool rounded) {
  if (in.saturate || in.ftz || in.type == in.source) return false;
  if (rounded && in.rounding != Rounding::nearest && in.rounding != Rounding::zero) return false;
  if (in.type == Type::bf16 || in.type == Type::f16) return rounded;
  return !rounded && (in.option == kNone || !is_float(in.type));
}

void lower_cvt(Lowering& x) {
  if (x.take("rna")) return lower_tensor_float(x);
  if (x.take("bf16x2")) return lower_pair(x, true);
  if (x.take("f16x2")) return lower_pair(x, false);
  Inst& in = x.inst();
  static constexpr std::pair<std::string_view, Integral> kIntegral[] = {
      {"rni", kNearestInt}, {"rzi", kZeroInt}, {"rmi", kDownInt}, {"rpi", kUpInt}};
  for (const auto& [text, mode] : kIntegral)
    if (x.take(text)) in.option = mode;
  bool rounded = false;
  in.rounding = x.take_rounding(&rounded);
  in.ftz = x.take("ftz");
  in.saturate = x.take("sat");
  in.type = take_type_or_bfloat(x);
  in.source = take_type_or_bfloat(x);
  const bool narrows = (in.type == Type::f16 || in.type == Type::bf16) && in.source == Type::f32;
  const bool near = in.rounding == Rounding::nearest || in.rounding == Rounding::zero;
  if (narrows && rounded && near && !in.ftz && !in.saturate && x.take("relu"))
    in.aux = kNotNegative;
  const bool bfloat = in.type == Type::bf16 || in.source == Type::bf16;
  if (bfloat && !converts_bfloat(in, rounded)) x.unsupported();
  const auto converts = [](Type t) {
    return is_float(t) || is_signed(t) || t == Type::u8 || t == Type::u16 || t == Type::u32 ||
           t == Type::u64;
  };
  if (!converts(in.type) || !converts(in.source)) x.unsupported();
  if (in.ftz && in.type != Type::f32 && in.source != Type::f32) x.unsupported();
  const bool to_float = is_float(in.type), from_float = is_float(in.source);
  if (from_float && !to_float && in.option == kNone) x.unsupported();
  if (in.option != kNone && (rounded || !from_float)) x.unsupported();
  if (rounded && !to_float) x.unsupported();
  x.want_operands(2);
  // def_any knows the register's class; a wider one takes the extended value.
  in.imm = x.def_any(0, x.operand(0), in.type) == RegClass::wide ? 8 : 4;
  if (to_float && in.imm != (in.type == Type::f64 ? 8u : 4u)) x.bad("the destination is too wide");
  in.count = x.use_any(1, x.operand(1), in.source) == RegClass::wide ? 8 : 4;
  if (from_float && in.count != (in.source == Type::f64 ? 8 : 4)) x.bad("the source is too wide");
  const Handler loop = fast(in);
  x.set(loop != nullptr ? loop : general, convert_class(in.type, in.source));
}

}  // namespace

void add_convert(LowerTable& t) { t["cvt"] = lower_cvt; }

}  // namespace warpmem::program::ptx
