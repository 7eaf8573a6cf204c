// SPDX-License-Identifier: Apache-2.0
// Half precision and bfloat16, one or two in a register: add sub mul fma min max neg abs set setp
// (PTX ISA 7.x section 9.7.4 and 9.7.7).
#include <cmath>

#include "program/ptx/compare.hpp"
#include "program/ptx/float_math.hpp"
#include "program/ptx/half.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

enum class Half : std::uint8_t { add, sub, mul, fma };

template <bool bfloat>
bool is_half_nan(std::uint16_t h) {
  return (h & 0x7fff) > (bfloat ? 0x7f80 : 0x7c00);
}

/// Returns zero for what is below zero, with `cut`; -0 becomes 0, too.
template <bool bfloat>
std::uint16_t not_negative(std::uint16_t h, bool cut) {
  return cut && (h & 0x8000) != 0 && !is_half_nan<bfloat>(h) ? 0 : h;
}

std::uint16_t flush_half(std::uint16_t h) {
  return static_cast<std::uint16_t>((h & 0x7c00) == 0 ? h & 0x8000 : h);
}

/// Returns a * b + c with one rounding: what the sum drops is kept in its last bit, so that the
/// rounding to half precision, whose last place lies far above, sees it.
double fma_to_odd(double a, double b, double c) {
  const double p = a * b;  // exact: 22 bits
  const double s = p + c;
  if (!std::isfinite(s)) return s;
  const double back = s - p;
  const double lost = (p - (s - back)) + (c - back);
  const auto bits = bit_cast<std::uint64_t>(s);
  if (lost == 0 || (bits & 1) != 0) return s;
  // The result goes toward the lost part: its magnitude up or down by one place.
  const bool away = (lost > 0) == (s > 0);
  return bit_cast<double>(away ? bits + 1 : bits - 1);
}

/// Of Inst::option of arithmetic: a result below zero becomes zero.
constexpr std::uint8_t kNotNegative = 1;

template <bool bfloat>
std::uint16_t half_result(Half op, const std::uint16_t v[3], const Inst& in) {
  double x[3];
  for (unsigned k = 0; k < 3; ++k)
    x[k] = bfloat ? bfloat_to_float(v[k]) : half_to_float(in.ftz ? flush_half(v[k]) : v[k]);
  double r = 0;
  switch (op) {
    case Half::add:
      r = x[0] + x[1];
      break;
    case Half::sub:
      r = x[0] - x[1];
      break;
    case Half::mul:
      r = x[0] * x[1];
      break;
    case Half::fma:
      r = fma_to_odd(x[0], x[1], x[2]);
      break;
  }
  if constexpr (bfloat) {
    const std::uint16_t b = bfloat_from_double(r, Rounding::nearest);
    return not_negative<bfloat>(b, in.option & kNotNegative);
  }
  std::uint16_t h = half_from_double(r, Rounding::nearest);
  // As flush_scaled() does.
  constexpr double kScale = 0x1p10, kLeastNormal = 0x1p-14;
  if (in.ftz && std::fabs(r) < kLeastNormal &&
      std::fabs(half_to_float(half_from_double(r * kScale, Rounding::nearest))) <
          kLeastNormal * kScale)
    h &= 0x8000;
  if (in.saturate) h = half_from_double(saturate(double(half_to_float(h))), Rounding::nearest);
  return not_negative<bfloat>(h, in.option & kNotNegative);
}

/// count: halves in the register.
template <Half op, bool bfloat>
void half_arithmetic(Warp& w, const Inst& in) {
  constexpr unsigned arity = op == Half::fma ? 3 : 2;
  each_lane(w, [&](unsigned i) {
    std::uint32_t source[3] = {};
    for (unsigned k = 0; k < arity; ++k) source[k] = lane<std::uint32_t>(w, in.ref[1 + k], i);
    std::uint32_t r = 0;
    for (unsigned h = 0; h < in.count; ++h) {
      std::uint16_t v[3];
      for (unsigned k = 0; k < 3; ++k) v[k] = static_cast<std::uint16_t>(source[k] >> (16 * h));
      r |= std::uint32_t(half_result<bfloat>(op, v, in)) << (16 * h);
    }
    set_lane(w, in.ref[0], i, r);
  });
}

// Of Inst::option of min and max.
constexpr std::uint8_t kMaximum = 1, kGivesNan = 2;

/// -0 is below +0. The other operand stands for one that is a NaN, unless .NaN wants it.
template <bool bfloat>
std::uint16_t half_extreme(std::uint16_t a, std::uint16_t b, const Inst& in) {
  const bool no_a = is_half_nan<bfloat>(a), no_b = is_half_nan<bfloat>(b);
  if ((no_a && no_b) || ((no_a || no_b) && in.option & kGivesNan)) return 0x7fff;
  if (in.ftz) a = flush_half(a), b = flush_half(b);
  if (no_a || no_b) return no_a ? b : a;
  const auto order = [](std::uint16_t h) { return h & 0x8000 ? ~int(h & 0x7fff) : int(h); };
  return (order(a) < order(b)) != bool(in.option & kMaximum) ? a : b;
}

template <bool bfloat>
void half_min_max(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const auto a = lane<std::uint32_t>(w, in.ref[1], i), b = lane<std::uint32_t>(w, in.ref[2], i);
    std::uint32_t r = 0;
    for (unsigned at = 0; at < 16u * in.count; at += 16)
      r |= std::uint32_t(half_extreme<bfloat>(static_cast<std::uint16_t>(a >> at),
                                              static_cast<std::uint16_t>(b >> at), in))
           << at;
    set_lane(w, in.ref[0], i, r);
  });
}

/// imm has the bit to clear, aux the bit to turn round. A NaN becomes the canonical one, as on a
/// GPU.
template <bool bfloat>
void half_sign(Warp& w, const Inst& in) {
  const auto one = [&](std::uint32_t half) -> std::uint32_t {
    auto h = static_cast<std::uint16_t>(half);
    if (is_half_nan<bfloat>(h)) return 0x7fff;
    if (in.ftz) h = flush_half(h);
    return (h & ~static_cast<std::uint32_t>(in.imm)) ^ in.aux;
  };
  each_lane(w, [&](unsigned i) {
    const auto v = lane<std::uint32_t>(w, in.ref[1], i);
    set_lane(w, in.ref[0], i, one(v) | (in.count == 1 ? 0 : one(v >> 16) << 16));
  });
}

bool relation(Compare c, float a, float b) {
  const bool unordered = a != a || b != b;
  switch (c) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return !unordered && a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    case Compare::equ:
      return unordered || a == b;
    case Compare::neu:
      return a != b;
    case Compare::ltu:
      return unordered || a < b;
    case Compare::leu:
      return unordered || a <= b;
    case Compare::gtu:
      return unordered || a > b;
    case Compare::geu:
      return unordered || a >= b;
    case Compare::num:
      return !unordered;
    case Compare::nan:
      return unordered;
  }
  return false;
}

/// Returns the lanes whose halves at bit `at` of sources 1 and 2 fulfil Inst::aux. Inst::source is
/// their type.
LaneMask compare_halves(Warp& w, const Inst& in, unsigned at) {
  LaneMask r = 0;
  each_lane(w, [&](unsigned i) {
    const auto half = [&](unsigned slot) {
      const auto h = static_cast<std::uint16_t>(lane<std::uint32_t>(w, in.ref[slot], i) >> at);
      if (is_bfloat(in.source)) return bfloat_to_float(h);
      return half_to_float(in.ftz ? flush_half(h) : h);
    };
    if (relation(static_cast<Compare>(in.aux), half(1), half(2))) r |= LaneMask(1) << i;
  });
  return r;
}

/// ref: 0 = p, 1 = a, 2 = b, 3 = q (or none), 4 = c. Two halves: p is the lower one's relation, q
/// the upper one's.
void half_setp(Warp& w, const Inst& in) {
  const LaneMask c = in.option == kPlain ? 0 : predicate(w, in.ref[4]);
  const LaneMask low = compare_halves(w, in, 0);
  const LaneMask other = in.count == 2 ? compare_halves(w, in, 16) : ~low;
  set_predicate(w, in.ref[0], combine(in.option, low, c));
  if (in.ref[3] != kNoRef) set_predicate(w, in.ref[3], combine(in.option, other, c));
}

/// ref is as above. imm is what a half (count 2 and an f16x2 result: 16 bits) becomes when the
/// relation holds.
void half_set(Warp& w, const Inst& in) {
  const LaneMask c = in.option == kPlain ? 0 : predicate(w, in.ref[4]);
  const LaneMask low = combine(in.option, compare_halves(w, in, 0), c);
  const LaneMask high = in.count == 2 ? combine(in.option, compare_halves(w, in, 16), c) : 0;
  each_lane(w, [&](unsigned i) {
    std::uint32_t r = low >> i & 1 ? static_cast<std::uint32_t>(in.imm) : 0;
    if (high >> i & 1) r |= static_cast<std::uint32_t>(in.imm) << 16;
    set_lane(w, in.ref[0], i, r);
  });
}

}  // namespace

std::uint16_t add_half(std::uint16_t a, std::uint16_t b) {
  const std::uint16_t v[3] = {a, b, 0};
  return half_result<false>(Half::add, v, Inst{});
}
std::uint16_t add_bfloat(std::uint16_t a, std::uint16_t b) {
  const std::uint16_t v[3] = {a, b, 0};
  return half_result<true>(Half::add, v, Inst{});
}

Type take_type_or_bfloat(Lowering& x) {
  for (const std::string_view modifier : x.modifiers()) {
    const Type bfloat = modifier == "bf16"     ? Type::bf16
                        : modifier == "bf16x2" ? Type::bf16x2
                                               : Type::none;
    if (bfloat != Type::none) {
      x.take(modifier);
      return bfloat;
    }
    if (parse_type(modifier) != Type::none) break;
  }
  return x.take_type();
}

void lower_half_arithmetic(Lowering& x, Type type, unsigned operation) {
  Inst& in = x.inst();
  const auto op = static_cast<Half>(operation);
  if (!x.take("rn") && op == Half::fma) x.unsupported();
  const bool bfloat = is_bfloat(type);
  in.ftz = !bfloat && x.take("ftz");
  in.saturate = !bfloat && x.take("sat");
  if (op == Half::fma && !in.saturate && x.take("relu")) in.option = kNotNegative;
  in.count = is_pair(type) ? 2 : 1;
  if (op == Half::fma)
    x.def_use(type, {type, type, type});
  else
    x.def_use(type, {type, type});
  static constexpr Handler kHandlers[][2] = {
      {half_arithmetic<Half::add, false>, half_arithmetic<Half::add, true>},
      {half_arithmetic<Half::sub, false>, half_arithmetic<Half::sub, true>},
      {half_arithmetic<Half::mul, false>, half_arithmetic<Half::mul, true>},
      {half_arithmetic<Half::fma, false>, half_arithmetic<Half::fma, true>}};
  x.set(kHandlers[operation][bfloat ? 1 : 0], OpClass::fp32);
}

void lower_half_min_max(Lowering& x, Type type, bool maximum) {
  Inst& in = x.inst();
  in.ftz = !is_bfloat(type) && x.take("ftz");
  in.option = static_cast<std::uint8_t>((maximum ? kMaximum : 0) | (x.take("NaN") ? kGivesNan : 0));
  in.count = is_pair(type) ? 2 : 1;
  x.def_use(type, {type, type});
  x.set(is_bfloat(type) ? half_min_max<true> : half_min_max<false>, OpClass::fp32);
}

void lower_half_sign(Lowering& x, Type type, bool absolute) {
  Inst& in = x.inst();
  in.ftz = !is_bfloat(type) && x.take("ftz");
  in.count = is_pair(type) ? 2 : 1;
  in.imm = absolute ? 0x8000 : 0;
  in.aux = absolute ? 0 : 0x8000;
  x.def_use(type, {type});
  x.set(is_bfloat(type) ? half_sign<true> : half_sign<false>, OpClass::fp32);
}

void lower_half_compare(Lowering& x, unsigned compare, bool ftz, Type result, Type type) {
  Inst& in = x.inst();
  in.aux = compare;
  if (ftz && is_bfloat(type)) x.unsupported();
  in.ftz = ftz;
  in.source = type;
  in.count = is_pair(type) ? 2 : 1;
  x.use(1, x.operand(1), type);
  x.use(2, x.operand(2), type);
  if (in.option != kPlain) x.use(4, x.operand(3), Type::pred);
  if (result == Type::pred) return x.set(half_setp, OpClass::fp32);
  const bool pair = in.count == 2;
  switch (result) {
    case Type::f16:
    case Type::f16x2:
    case Type::bf16:
    case Type::bf16x2:
      if (is_pair(result) != pair || is_bfloat(result) != is_bfloat(type)) x.unsupported();
      in.imm = is_bfloat(result) ? 0x3f80 : 0x3c00;
      break;
    case Type::f32:
      if (pair) x.unsupported();
      in.imm = 0x3f800000;
      break;
    case Type::u16:
    case Type::s16:
      if (pair) x.unsupported();
      in.imm = 0xffff;
      break;
    case Type::u32:
    case Type::s32:
      in.imm = pair ? 0xffff : 0xffffffff;
      break;
    default:
      x.unsupported();
  }
  x.set(half_set, OpClass::fp32);
}

}  // namespace warpmem::program::ptx
