// SPDX-License-Identifier: Apache-2.0
// rcp sqrt rsqrt sin cos ex2 lg2 tanh (PTX ISA 6.x section 9.7.3). The .approx forms are computed
// to the host library's accuracy, which is better than the errors PTX allows.
#include "program/ptx/float_math.hpp"
#include "program/ptx/half.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

struct Rcp {
  template <class T>
  static T apply(T a) {
    return T(1) / a;
  }
};
struct Sqrt {
  static float apply(float a) { return __builtin_sqrtf(a); }
  static double apply(double a) { return __builtin_sqrt(a); }
};
struct Rsqrt {
  static float apply(float a) {
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)));
  }
  static double apply(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct Sin {
  static float apply(float a) { return std::sin(a); }
};
struct Cos {
  static float apply(float a) { return std::cos(a); }
};
struct Ex2 {
  static float apply(float a) { return std::exp2(a); }
};
struct Lg2 {
  static float apply(float a) { return std::log2(a); }
};
struct Tanh {
  static float apply(float a) { return std::tanh(a); }
};

/// The .approx.ftz.f64 forms: Op of the upper word, with subnormal numbers made zeros; the lower
/// word of the result is 0.
template <class Op>
struct UpperWord {
  static double cut(double v) {
    constexpr std::uint64_t kUpper = 0xffffffff00000000u;
    const double upper = bit_cast<double>(bit_cast<std::uint64_t>(v) & kUpper);
    if (std::isnan(v)) return bit_cast<double>(0x7fffffff00000000u);
    return std::fabs(upper) < 0x1p-1022 ? std::copysign(0.0, upper) : upper;
  }
  static double apply(double v) { return cut(Op::apply(cut(v))); }
};

template <class Op, bool ftz>
struct Plain {
  template <class T>
  [[gnu::always_inline]] static inline T apply(T v) {
    if constexpr (ftz)
      return canonical(flush(Op::apply(flush(v))));
    else
      return canonical(Op::apply(v));
  }
};

/// These go lane by lane: library calls, and every rounding mode.
template <class Op, class T>
void general(Warp& w, const Inst& in) {
  RoundingScope scope(in.rounding);
  each_lane(w, [&](unsigned i) {
    T v = lane<T>(w, in.ref[1], i);
    if (in.ftz) v = flush(v);
    T r = opaque(Op::apply(opaque(v)));
    if (in.ftz) r = flush(r);
    set_lane<T>(w, in.ref[0], i, canonical(r));
  });
}

template <class Op, class T>
Handler choose(const Inst& in) {
  if (in.rounding != Rounding::nearest) return general<Op, T>;
  return in.ftz ? map_handler<Plain<Op, true>, T, 1>() : map_handler<Plain<Op, false>, T, 1>();
}

/// These are rcp and sqrt, with .approx or a rounding mode, f32 or f64.
template <class Op, bool reciprocal>
void lower_root(Lowering& x) {
  Inst& in = x.inst();
  const bool approximate = x.take("approx");
  bool rounded = false;
  in.rounding = x.take_rounding(&rounded);
  in.ftz = x.take("ftz");
  const Type type = x.take_type();
  if (approximate == rounded) x.unsupported();
  x.def_use(type, {type});
  if (type == Type::f32)
    return x.set(choose<Op, float>(in), approximate ? OpClass::sfu : OpClass::div);
  // Of the approximations, only rcp.approx.ftz.f64 exists for doubles.
  if (type != Type::f64 || (approximate ? !(reciprocal && in.ftz) : in.ftz)) x.unsupported();
  x.set(in.ftz ? choose<UpperWord<Op>, double>(in) : choose<Op, double>(in),
        approximate ? OpClass::sfu : OpClass::div);
}

void lower_rsqrt(Lowering& x) {
  Inst& in = x.inst();
  if (!x.take("approx")) x.unsupported();
  in.ftz = x.take("ftz");
  const Type type = x.take_type();
  x.def_use(type, {type});
  if (type == Type::f32) return x.set(choose<Rsqrt, float>(in), OpClass::sfu);
  if (type != Type::f64) x.unsupported();
  x.set(in.ftz ? choose<UpperWord<Rsqrt>, double>(in) : choose<Rsqrt, double>(in), OpClass::sfu);
}

/// The same of one or two halves in a register, rounded from float.
template <class Op>
void of_halves(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const auto v = lane<std::uint32_t>(w, in.ref[1], i);
    std::uint32_t r = 0;
    for (unsigned at = 0; at < 16u * in.count; at += 16) {
      const float value = Op::apply(half_to_float(static_cast<std::uint16_t>(v >> at)));
      r |= std::uint32_t(half_from_double(value, Rounding::nearest)) << at;
    }
    set_lane(w, in.ref[0], i, r);
  });
}

template <class Op, bool has_halves = false>
void lower_function(Lowering& x) {
  Inst& in = x.inst();
  if (!x.take("approx")) x.unsupported();
  in.ftz = x.take("ftz");
  const Type type = x.take_type();
  if (has_halves && is_half(type) && !in.ftz) {
    in.count = type == Type::f16x2 ? 2 : 1;
    x.def_use(type, {type});
    return x.set(of_halves<Op>, OpClass::sfu);
  }
  if (type != Type::f32) x.unsupported();
  x.def_use(Type::f32, {Type::f32});
  x.set(general<Op, float>, OpClass::sfu);
}

}  // namespace

void add_sfu(LowerTable& t) {
  t["rcp"] = lower_root<Rcp, true>;
  t["sqrt"] = lower_root<Sqrt, false>;
  t["rsqrt"] = lower_rsqrt;
  t["sin"] = lower_function<Sin>;
  t["cos"] = lower_function<Cos>;
  t["ex2"] = lower_function<Ex2, true>;
  t["lg2"] = lower_function<Lg2>;
  t["tanh"] = lower_function<Tanh, true>;
}

}  // namespace warpmem::program::ptx
