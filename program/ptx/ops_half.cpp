// SPDX-License-Identifier: Apache-2.0
// Half precision, one or two in a register: add sub mul fma min max neg abs set setp (PTX ISA 7.x
// section 9.7.4 and 9.7.7).
#include <cmath>

#include "program/ptx/compare.hpp"
#include "program/ptx/float_math.hpp"
#include "program/ptx/half.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

enum class Half : std::uint8_t { add, sub, mul, fma };

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

std::uint16_t half_result(Half op, const std::uint16_t v[3], const Inst& in) {
  double x[3];
  for (unsigned k = 0; k < 3; ++k) x[k] = half_to_float(in.ftz ? flush_half(v[k]) : v[k]);
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
  std::uint16_t h = half_from_double(r, Rounding::nearest);
  // As flush_scaled() does.
  constexpr double kScale = 0x1p10, kLeastNormal = 0x1p-14;
  if (in.ftz && std::fabs(r) < kLeastNormal &&
      std::fabs(half_to_float(half_from_double(r * kScale, Rounding::nearest))) <
          kLeastNormal * kScale)
    h &= 0x8000;
  if (in.saturate) h = half_from_double(saturate(double(half_to_float(h))), Rounding::nearest);
  return h;
}

/// count: halves in the register.
template <Half op>
void half_arithmetic(Warp& w, const Inst& in) {
  constexpr unsigned arity = op == Half::fma ? 3 : 2;
  each_lane(w, [&](unsigned i) {
    std::uint32_t source[3] = {};
    for (unsigned k = 0; k < arity; ++k) source[k] = lane<std::uint32_t>(w, in.ref[1 + k], i);
    std::uint32_t r = 0;
    for (unsigned h = 0; h < in.count; ++h) {
      std::uint16_t v[3];
      for (unsigned k = 0; k < 3; ++k) v[k] = static_cast<std::uint16_t>(source[k] >> (16 * h));
      r |= std::uint32_t(half_result(op, v, in)) << (16 * h);
    }
    set_lane(w, in.ref[0], i, r);
  });
}

// Of Inst::option of min and max.
constexpr std::uint8_t kMaximum = 1, kGivesNan = 2;

bool is_half_nan(std::uint16_t h) { return (h & 0x7fff) > 0x7c00; }

/// -0 is below +0. The other operand stands for one that is a NaN, unless .NaN wants it.
std::uint16_t half_extreme(std::uint16_t a, std::uint16_t b, const Inst& in) {
  const bool no_a = is_half_nan(a), no_b = is_half_nan(b);
  if ((no_a && no_b) || ((no_a || no_b) && in.option & kGivesNan)) return 0x7fff;
  if (in.ftz) a = flush_half(a), b = flush_half(b);
  if (no_a || no_b) return no_a ? b : a;
  const auto order = [](std::uint16_t h) { return h & 0x8000 ? ~int(h & 0x7fff) : int(h); };
  return (order(a) < order(b)) != bool(in.option & kMaximum) ? a : b;
}

void half_min_max(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const auto a = lane<std::uint32_t>(w, in.ref[1], i), b = lane<std::uint32_t>(w, in.ref[2], i);
    std::uint32_t r = 0;
    for (unsigned at = 0; at < 16u * in.count; at += 16)
      r |= std::uint32_t(half_extreme(static_cast<std::uint16_t>(a >> at),
                                      static_cast<std::uint16_t>(b >> at), in))
           << at;
    set_lane(w, in.ref[0], i, r);
  });
}

/// imm has the bit to clear, aux the bit to turn round. A NaN becomes the canonical one, as on a
/// GPU.
void half_sign(Warp& w, const Inst& in) {
  const auto one = [&](std::uint32_t half) -> std::uint32_t {
    auto h = static_cast<std::uint16_t>(half);
    if (is_half_nan(h)) return 0x7fff;
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

/// Returns the lanes whose halves at bit `at` of sources 1 and 2 fulfil Inst::aux.
LaneMask compare_halves(Warp& w, const Inst& in, unsigned at) {
  LaneMask r = 0;
  each_lane(w, [&](unsigned i) {
    const auto half = [&](unsigned slot) {
      const auto h = static_cast<std::uint16_t>(lane<std::uint32_t>(w, in.ref[slot], i) >> at);
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
  return half_result(Half::add, v, Inst{});
}

void lower_half_arithmetic(Lowering& x, Type type, unsigned operation) {
  Inst& in = x.inst();
  const auto op = static_cast<Half>(operation);
  if (!x.take("rn") && op == Half::fma) x.unsupported();
  in.ftz = x.take("ftz");
  in.saturate = x.take("sat");
  in.count = type == Type::f16x2 ? 2 : 1;
  if (op == Half::fma)
    x.def_use(type, {type, type, type});
  else
    x.def_use(type, {type, type});
  static constexpr Handler kHandlers[] = {half_arithmetic<Half::add>, half_arithmetic<Half::sub>,
                                          half_arithmetic<Half::mul>, half_arithmetic<Half::fma>};
  x.set(kHandlers[operation], OpClass::fp32);
}

void lower_half_min_max(Lowering& x, Type type, bool maximum) {
  Inst& in = x.inst();
  in.ftz = x.take("ftz");
  in.option = static_cast<std::uint8_t>((maximum ? kMaximum : 0) | (x.take("NaN") ? kGivesNan : 0));
  in.count = type == Type::f16x2 ? 2 : 1;
  x.def_use(type, {type, type});
  x.set(half_min_max, OpClass::fp32);
}

void lower_half_sign(Lowering& x, Type type, bool absolute) {
  Inst& in = x.inst();
  in.ftz = x.take("ftz");
  in.count = type == Type::f16x2 ? 2 : 1;
  in.imm = absolute ? 0x8000 : 0;
  in.aux = absolute ? 0 : 0x8000;
  x.def_use(type, {type});
  x.set(half_sign, OpClass::fp32);
}

void lower_half_compare(Lowering& x, unsigned compare, bool ftz, Type result, Type type) {
  Inst& in = x.inst();
  in.aux = compare;
  in.ftz = ftz;
  in.count = type == Type::f16x2 ? 2 : 1;
  x.use(1, x.operand(1), type);
  x.use(2, x.operand(2), type);
  if (in.option != kPlain) x.use(4, x.operand(3), Type::pred);
  if (result == Type::pred) return x.set(half_setp, OpClass::fp32);
  const bool pair = in.count == 2;
  switch (result) {
    case Type::f16:
    case Type::f16x2:
      if ((result == Type::f16x2) != pair) x.unsupported();
      in.imm = 0x3c00;
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
