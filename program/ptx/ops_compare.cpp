// SPDX-License-Identifier: Apache-2.0
// setp set selp slct (PTX ISA 6.x section 9.7.6).
#include "program/ptx/compare.hpp"
#include "program/ptx/float_math.hpp"
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

template <Compare c>
struct Relation {
  template <class T>
  [[gnu::always_inline]] static inline bool apply(T a, T b) {
    if constexpr (c == Compare::eq) return a == b;
    if constexpr (c == Compare::ne) return (a < b) | (a > b);  // false on NaN
    if constexpr (c == Compare::lt) return a < b;
    if constexpr (c == Compare::le) return a <= b;
    if constexpr (c == Compare::equ) return !((a < b) | (a > b));
    if constexpr (c == Compare::neu) return a != b;
    if constexpr (c == Compare::ltu) return !(a >= b);
    if constexpr (c == Compare::leu) return !(a > b);
    // NOLINTBEGIN(misc-redundant-expression): a NaN does not equal itself.
    if constexpr (c == Compare::num) return (a == a) & (b == b);
    if constexpr (c == Compare::nan) return (a != a) | (b != b);
    // NOLINTEND(misc-redundant-expression)
    return false;
  }
};
template <Compare c>
struct IntegerRelation {
  template <class T>
  [[gnu::always_inline]] static inline bool apply(T a, T b) {
    if constexpr (c == Compare::ne)
      return a != b;
    else
      return Relation<c>::apply(a, b);
  }
};
template <Compare c>
struct FlushedRelation {
  [[gnu::always_inline]] static inline bool apply(float a, float b) {
    return Relation<c>::apply(flush(a), flush(b));
  }
};

/// ref: 0 = p, 1 = a, 2 = b, 3 = q (or none), 4 = c
template <class Op, class T>
struct Setp {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    const LaneMask r = compare_lanes<Op, T>(w, in.ref[1], in.ref[2]);
    if (in.option == kPlain && in.ref[3] == kNoRef) return set_predicate(w, in.ref[0], r);
    const LaneMask c = in.option == kPlain ? ~LaneMask(0) : predicate(w, in.ref[4]);
    const LaneMask p = combine(in.option, r, c), q = combine(in.option, ~r, c);
    set_predicate(w, in.ref[0], p);
    if (in.ref[3] != kNoRef) set_predicate(w, in.ref[3], q);
  }
};
/// ref: 0 = d, 1 = a, 2 = b, 4 = c; imm is d where the relation holds
template <class Op, class T>
struct Set {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    LaneMask r = compare_lanes<Op, T>(w, in.ref[1], in.ref[2]);
    if (in.option != kPlain) r = combine(in.option, r, predicate(w, in.ref[4]));
    const auto yes = static_cast<std::uint32_t>(in.imm);
    auto* const d = lanes_of<std::uint32_t>(w, in.ref[0]);
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const std::uint32_t v = r & kLaneBits<std::uint32_t>.bit[i] ? yes : 0;
      d[i] = (w.lanes & kLaneBits<std::uint32_t>.bit[i]) ? v : d[i];
    }
  }
};

template <template <class, class> class Body, class Op, class T>
Handler body() {
  return vector_handler<Body<Op, T>>();
}

template <template <class, class> class Body, template <Compare> class Rel, class T>
Handler ordered(const Lowering& x, Compare c) {
  switch (c) {
    case Compare::lt:
      return body<Body, Rel<Compare::lt>, T>();
    case Compare::le:
      return body<Body, Rel<Compare::le>, T>();
    default:
      x.unsupported();
  }
}
/// Whether integers are equal does not depend on their sign.
template <template <class, class> class Body, class T>
Handler integer_comparison(const Lowering& x, Compare c) {
  using Bits = std::make_unsigned_t<T>;
  switch (c) {
    case Compare::eq:
      return body<Body, IntegerRelation<Compare::eq>, Bits>();
    case Compare::ne:
      return body<Body, IntegerRelation<Compare::ne>, Bits>();
    default:
      return ordered<Body, IntegerRelation, T>(x, c);
  }
}
template <template <class, class> class Body, template <Compare> class Rel, class T>
Handler float_comparison(const Lowering& x, Compare c) {
  switch (c) {
    case Compare::eq:
      return body<Body, Rel<Compare::eq>, T>();
    case Compare::ne:
      return body<Body, Rel<Compare::ne>, T>();
    case Compare::equ:
      return body<Body, Rel<Compare::equ>, T>();
    case Compare::neu:
      return body<Body, Rel<Compare::neu>, T>();
    case Compare::ltu:
      return body<Body, Rel<Compare::ltu>, T>();
    case Compare::leu:
      return body<Body, Rel<Compare::leu>, T>();
    case Compare::num:
      return body<Body, Rel<Compare::num>, T>();
    case Compare::nan:
      return body<Body, Rel<Compare::nan>, T>();
    default:
      return ordered<Body, Rel, T>(x, c);
  }
}
template <template <class, class> class Body>
Handler comparison(const Lowering& x, Compare c, Type type, bool ftz) {
  if (ftz && type != Type::f32) x.unsupported();
  const bool bits = type == Type::b16 || type == Type::b32 || type == Type::b64;
  if (bits && c != Compare::eq && c != Compare::ne) x.unsupported();
  switch (type) {
    case Type::u16:
    case Type::b16:
      return integer_comparison<Body, std::uint16_t>(x, c);
    case Type::s16:
      return integer_comparison<Body, std::int16_t>(x, c);
    case Type::u32:
    case Type::b32:
      return integer_comparison<Body, std::uint32_t>(x, c);
    case Type::s32:
      return integer_comparison<Body, std::int32_t>(x, c);
    case Type::u64:
    case Type::b64:
      return integer_comparison<Body, std::uint64_t>(x, c);
    case Type::s64:
      return integer_comparison<Body, std::int64_t>(x, c);
    case Type::f32:
      return ftz ? float_comparison<Body, FlushedRelation, float>(x, c)
                 : float_comparison<Body, Relation, float>(x, c);
    case Type::f64:
      return float_comparison<Body, Relation, double>(x, c);
    default:
      x.unsupported();
  }
}

/// a > b is b < a, so that half of the orders need no loops of their own. `c` becomes the one that
/// has some; returns whether the operands must change places.
bool mirror(Compare& c) {
  switch (c) {
    case Compare::gt:
      c = Compare::lt;
      return true;
    case Compare::ge:
      c = Compare::le;
      return true;
    case Compare::gtu:
      c = Compare::ltu;
      return true;
    case Compare::geu:
      c = Compare::leu;
      return true;
    default:
      return false;
  }
}

Compare take_comparison(Lowering& x) {
  for (const auto& [text, c] : kComparisons)
    if (x.take(text)) return c;
  x.unsupported();
}

std::uint8_t take_bool(Lowering& x) {
  if (x.take("and")) return kAnd;
  if (x.take("or")) return kOr;
  if (x.take("xor")) return kXor;
  return kPlain;
}

OpClass compare_class(Type type) {
  return type == Type::f32 ? OpClass::fp32 : type == Type::f64 ? OpClass::fp64 : OpClass::int_alu;
}

void lower_setp(Lowering& x) {
  Compare c = take_comparison(x);
  x.inst().option = take_bool(x);
  const bool ftz = x.take("ftz");
  const Type type = take_type_or_bfloat(x);
  x.want_operands(x.inst().option == kPlain ? 3 : 4);
  Operand p = x.operand(0);
  if (!p.elements.empty()) {
    x.def(3, p.elements[0], Type::pred);
    p.elements.clear();
  }
  x.def(0, p, Type::pred);
  if (is_narrow(type))
    return lower_half_compare(x, static_cast<unsigned>(c), ftz, Type::pred, type);
  const bool mirrored = mirror(c);
  x.use(mirrored ? 2 : 1, x.operand(1), type);
  x.use(mirrored ? 1 : 2, x.operand(2), type);
  if (x.inst().option != kPlain) x.use(4, x.operand(3), Type::pred);
  x.set(comparison<Setp>(x, c, type, ftz), compare_class(type));
}

void lower_set(Lowering& x) {
  Compare c = take_comparison(x);
  x.inst().option = take_bool(x);
  const bool ftz = x.take("ftz");
  const Type result = take_type_or_bfloat(x), type = take_type_or_bfloat(x);
  if (result == Type::pred) x.unsupported();
  x.want_operands(x.inst().option == kPlain ? 3 : 4);
  x.def(0, x.operand(0), result);
  if (is_narrow(type)) return lower_half_compare(x, static_cast<unsigned>(c), ftz, result, type);
  switch (result) {
    case Type::u32:
    case Type::s32:
      x.inst().imm = 0xffffffff;
      break;
    case Type::f32:
      x.inst().imm = 0x3f800000;
      break;
    case Type::f16:
      x.inst().imm = 0x3c00;
      break;
    default:
      x.unsupported();
  }
  const bool mirrored = mirror(c);
  x.use(mirrored ? 2 : 1, x.operand(1), type);
  x.use(mirrored ? 1 : 2, x.operand(2), type);
  if (x.inst().option != kPlain) x.use(4, x.operand(3), Type::pred);
  x.set(comparison<Set>(x, c, type, ftz), compare_class(type));
}

// ---- select
// ------------------------------------------------------------------------------------------

/// ref: 0 = d, 1 = a, 2 = b, 3 = predicate
template <class S>
struct Selp {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    const S p = predicate(w, in.ref[3]), lanes = w.lanes;
    const S* const a = lanes_of<S>(w, in.ref[1]);
    const S* const b = lanes_of<S>(w, in.ref[2]);
    S* const d = lanes_of<S>(w, in.ref[0]);
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const S v = (p & kLaneBits<S>.bit[i]) ? a[i] : b[i];
      d[i] = (lanes & kLaneBits<S>.bit[i]) ? v : d[i];
    }
  }
};
void lower_selp(Lowering& x) {
  const Type type = x.take_type();
  if (type == Type::pred) {
    x.def_use(type, {type, type, type});
    return x.set(
        [](Warp& w, const Inst& in) {
          const LaneMask p = predicate(w, in.ref[3]);
          set_predicate(w, in.ref[0],
                        (predicate(w, in.ref[1]) & p) | (predicate(w, in.ref[2]) & ~p));
        },
        OpClass::int_alu);
  }
  if (size_bytes(type) == 1) x.unsupported();
  x.def_use(type, {type, type, Type::pred});
  x.set(reg_class(type) == RegClass::wide ? vector_handler<Selp<std::uint64_t>>()
                                          : vector_handler<Selp<std::uint32_t>>(),
        OpClass::int_alu);
}

template <class S, class C, bool ftz>
struct Slct {
  static S apply(S a, S b, C c) {
    if constexpr (ftz) return flush(c) >= C(0) ? a : b;
    return c >= C(0) ? a : b;  // NaN selects b
  }
};
template <class S>
Handler slct_handler(Type selector, bool ftz) {
  if (selector == Type::s32)
    return vector_handler<Map<Slct<S, std::int32_t, false>, S, S, S, std::int32_t>>();
  return ftz ? vector_handler<Map<Slct<S, float, true>, S, S, S, float>>()
             : vector_handler<Map<Slct<S, float, false>, S, S, S, float>>();
}
void lower_slct(Lowering& x) {
  const bool ftz = x.take("ftz");
  const Type type = x.take_type(), selector = x.take_type();
  if (selector != Type::f32 && (selector != Type::s32 || ftz)) x.unsupported();
  x.def_use(type, {type, type, selector});
  switch (size_bytes(type)) {
    case 2:
      return x.set(slct_handler<std::uint16_t>(selector, ftz), OpClass::int_alu);
    case 4:
      return x.set(slct_handler<std::uint32_t>(selector, ftz), OpClass::int_alu);
    case 8:
      return x.set(slct_handler<std::uint64_t>(selector, ftz), OpClass::int_alu);
    default:
      x.unsupported();
  }
}

}  // namespace

void add_compare(LowerTable& t) {
  t["setp"] = lower_setp;
  t["set"] = lower_set;
  t["selp"] = lower_selp;
  t["slct"] = lower_slct;
}

}  // namespace warpmem::program::ptx
