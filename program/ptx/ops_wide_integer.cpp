// SPDX-License-Identifier: Apache-2.0
// mul/mad .hi and .wide, mul24/mad24, dp4a/dp2a, and the extended-precision add/sub/mad with carry
// (PTX ISA 6.x sections 9.7.1 and 9.7.2).
#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

template <class T>
struct Twice;
template <>
struct Twice<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct Twice<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct Twice<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct Twice<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct Twice<std::uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Twice<std::int64_t> {
  using type = __int128;
};
template <class T>
using Wide = typename Twice<T>::type;

template <class T>
Wide<T> product(T a, T b) {
  return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b);
}
// uint16_t promotes to int: 0xffff * 0xffff would overflow it without the cast above.

template <class T>
struct MulHi {
  static T apply(T a, T b) { return static_cast<T>(product(a, b) >> (8 * sizeof(T))); }
};
template <class T>
struct MadHi {
  static T apply(T a, T b, T c) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(
        static_cast<U>(static_cast<U>(MulHi<T>::apply(a, b)) + static_cast<U>(c)));
  }
};
struct MadHiSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    const std::int64_t r = std::int64_t(MulHi<std::int32_t>::apply(a, b)) + c;
    return static_cast<std::int32_t>(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
  }
};
template <class T>
struct MulWide {
  static Wide<T> apply(T a, T b) { return product(a, b); }
};
template <class T>
struct MadWide {
  static Wide<T> apply(T a, T b, Wide<T> c) {
    using U = std::make_unsigned_t<Wide<T>>;
    return static_cast<Wide<T>>(static_cast<U>(product(a, b)) + static_cast<U>(c));
  }
};
/// Gives the low or high half of the 48-bit product of the operands' low 24 bits.
template <class T, bool high>
struct Mul24 {
  static std::int64_t narrow(T v) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(v) << 8) >> 8;
    else
      return v & 0xffffff;
  }
  static T apply(T a, T b) {
    const auto p = static_cast<std::uint64_t>(narrow(a) * narrow(b));
    return static_cast<T>(static_cast<std::uint32_t>(high ? p >> 16 : p));
  }
};
template <class T, bool high>
struct Mad24 {
  static T apply(T a, T b, T c) {
    return static_cast<T>(static_cast<std::uint32_t>(Mul24<T, high>::apply(a, b)) +
                          static_cast<std::uint32_t>(c));
  }
};

struct Mad24HiSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    const std::int64_t r = std::int64_t(Mul24<std::int32_t, true>::apply(a, b)) + c;
    return static_cast<std::int32_t>(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
  }
};

Type twice(const Lowering& x, Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      x.unsupported();
  }
}

template <class T>
Handler wide_handler(bool add) {
  return add ? vector_handler<Map<MadWide<T>, Wide<T>, T, T, Wide<T>>>()
             : vector_handler<Map<MulWide<T>, Wide<T>, T, T>>();
}

void lower_wide(Lowering& x, Type type, bool add) {
  const Type result = twice(x, type);
  if (add)
    x.def_use(result, {type, type, result});
  else
    x.def_use(result, {type, type});
  Handler handler = nullptr;
  switch (type) {
    case Type::u16:
      handler = wide_handler<std::uint16_t>(add);
      break;
    case Type::s16:
      handler = wide_handler<std::int16_t>(add);
      break;
    case Type::u32:
      handler = wide_handler<std::uint32_t>(add);
      break;
    default:
      handler = wide_handler<std::int32_t>(add);
      break;
  }
  x.set(handler, OpClass::int_mul);
}

template <template <class, bool> class Op, unsigned arity>
void lower_24(Lowering& x) {
  const bool high = x.take("hi");
  if (!high && !x.take("lo")) x.unsupported();
  const Type type = x.take_type();
  if (type != Type::u32 && type != Type::s32) x.unsupported();
  if constexpr (arity == 2)
    x.def_use(type, {type, type});
  else
    x.def_use(type, {type, type, type});
  using I = std::int32_t;
  using N = std::uint32_t;
  const bool s = type == Type::s32;
  if (arity == 3 && high && s && x.take("sat"))
    return x.set(map_handler<Mad24HiSat, I, 3>(), OpClass::int_mul);
  x.set(high ? (s ? map_handler<Op<I, true>, I, arity>() : map_handler<Op<N, true>, N, arity>())
             : (s ? map_handler<Op<I, false>, I, arity>() : map_handler<Op<N, false>, N, arity>()),
        OpClass::int_mul);
}

// ---- carry --------------------------------------------------------------------------------------

enum CarryOption : std::uint8_t { kSubtract = 1, kCarryIn = 2, kCarryOut = 4, kHigh = 8 };

/// Gives a + b + carry. A subtraction adds the complement of b, so that its carry says that there
/// was no borrow, to a later addition as well. PTX has no word on such a mixture; a GPU does so
/// (docs/decisions.md).
template <class T>
void carry_add(Warp& w, const Inst& in) {
  const bool subtract = in.option & kSubtract;
  LaneMask out = 0;
  each_lane(w, [&](unsigned i) {
    const T a = lane<T>(w, in.ref[1], i), b = lane<T>(w, in.ref[2], i);
    const T c = (in.option & kCarryIn) ? T(w.carry >> i & 1) : T(subtract);
    T r, first;
    bool carry = __builtin_add_overflow(a, subtract ? T(~b) : b, &first);
    carry |= __builtin_add_overflow(first, c, &r);
    set_lane<T>(w, in.ref[0], i, r);
    if (carry) out |= LaneMask(1) << i;
  });
  if (in.option & kCarryOut) w.carry = (w.carry & ~w.lanes) | out;
}

template <class T>
void carry_mad(Warp& w, const Inst& in) {
  LaneMask out = 0;
  each_lane(w, [&](unsigned i) {
    const T a = lane<T>(w, in.ref[1], i), b = lane<T>(w, in.ref[2], i),
            c = lane<T>(w, in.ref[3], i);
    using U = std::make_unsigned_t<T>;
    const U p = in.option & kHigh ? static_cast<U>(product(a, b) >> (8 * sizeof(T)))
                                  : static_cast<U>(static_cast<U>(a) * static_cast<U>(b));
    const U carry = (in.option & kCarryIn) ? U(w.carry >> i & 1) : U(0);
    U first, r;
    bool overflow = __builtin_add_overflow(p, static_cast<U>(c), &first);
    overflow |= __builtin_add_overflow(first, carry, &r);
    set_lane<U>(w, in.ref[0], i, r);
    if (overflow) out |= LaneMask(1) << i;
  });
  if (in.option & kCarryOut) w.carry = (w.carry & ~w.lanes) | out;
}

template <bool subtract>
void lower_addc(Lowering& x) {
  const bool out = x.take("cc");
  lower_carry_add(x, x.take_type(), subtract, true, out);
}
void lower_madc(Lowering& x) {
  const bool out = x.take("cc");
  lower_carry_mad(x, x.take_type(), true, out);
}

// ---- dot products
// ---------------------------------------------------------------------------------

enum DotOption : std::uint8_t { kSignedA = 1, kSignedB = 2, kUpperHalf = 4 };

std::int32_t field(std::uint32_t v, unsigned at, unsigned bits, bool is_signed_field) {
  const std::uint32_t raw = v >> at << (32 - bits);
  return is_signed_field ? static_cast<std::int32_t>(raw) >> (32 - bits)
                         : static_cast<std::int32_t>(raw >> (32 - bits));
}

template <unsigned terms>
void dot(Warp& w, const Inst& in) {
  const unsigned a_bits = 32 / terms;
  each_lane(w, [&](unsigned i) {
    const auto a = lane<std::uint32_t>(w, in.ref[1], i), b = lane<std::uint32_t>(w, in.ref[2], i);
    auto sum = lane<std::uint32_t>(w, in.ref[3], i);
    for (unsigned k = 0; k < terms; ++k) {
      const unsigned b_at = 8 * k + (in.option & kUpperHalf ? 16 : 0);
      sum += static_cast<std::uint32_t>(field(a, a_bits * k, a_bits, in.option & kSignedA)) *
             static_cast<std::uint32_t>(field(b, b_at, 8, in.option & kSignedB));
    }
    set_lane(w, in.ref[0], i, sum);
  });
}

template <unsigned terms>
void lower_dot(Lowering& x) {
  std::uint8_t option = 0;
  if (terms == 2 && x.take("hi"))
    option = kUpperHalf;
  else if (terms == 2 && !x.take("lo"))
    x.unsupported();
  const Type a = x.take_type(), b = x.take_type();
  const auto word = [](Type t) { return t == Type::u32 || t == Type::s32; };
  if (!word(a) || !word(b)) x.unsupported();
  if (is_signed(a)) option |= kSignedA;
  if (is_signed(b)) option |= kSignedB;
  x.def_use(Type::b32, {a, b, Type::b32});
  x.inst().option = option;
  x.set(dot<terms>, OpClass::int_mul);
}

}  // namespace

void lower_mul_upper(Lowering& x, Type type) {
  if (x.take("wide")) return lower_wide(x, type, false);
  if (!x.take("hi")) x.unsupported();
  x.def_use(type, {type, type});
  x.set(integer_handler<MulHi, 2>(x, type), OpClass::int_mul);
}

void lower_mad_upper(Lowering& x, Type type) {
  if (x.take("wide")) return lower_wide(x, type, true);
  if (!x.take("hi")) x.unsupported();
  x.def_use(type, {type, type, type});
  if (x.take("sat")) {
    if (type != Type::s32) x.unsupported();
    return x.set(map_handler<MadHiSat, std::int32_t, 3>(), OpClass::int_mul);
  }
  x.set(integer_handler<MadHi, 3>(x, type), OpClass::int_mul);
}

namespace {
/// Returns whether the type is one of the instructions that read or write the carry.
bool has_carry(Type t) {
  return t == Type::u32 || t == Type::s32 || t == Type::u64 || t == Type::s64;
}
}  // namespace

void lower_carry_add(Lowering& x, Type type, bool subtract, bool carry_in, bool carry_out) {
  if (!has_carry(type)) x.unsupported();
  x.def_use(type, {type, type});
  x.inst().option = static_cast<std::uint8_t>(
      (subtract ? kSubtract : 0) | (carry_in ? kCarryIn : 0) | (carry_out ? kCarryOut : 0));
  x.set(size_bytes(type) == 8 ? carry_add<std::uint64_t> : carry_add<std::uint32_t>,
        OpClass::int_alu);
}

void lower_carry_mad(Lowering& x, Type type, bool carry_in, bool carry_out) {
  const bool high = x.take("hi");
  if (!high && !x.take("lo")) x.unsupported();
  x.def_use(type, {type, type, type});
  x.inst().option = static_cast<std::uint8_t>((high ? kHigh : 0) | (carry_in ? kCarryIn : 0) |
                                              (carry_out ? kCarryOut : 0));
  Handler handler = nullptr;
  switch (type) {
    case Type::u32:
      handler = carry_mad<std::uint32_t>;
      break;
    case Type::s32:
      handler = carry_mad<std::int32_t>;
      break;
    case Type::u64:
      handler = carry_mad<std::uint64_t>;
      break;
    case Type::s64:
      handler = carry_mad<std::int64_t>;
      break;
    default:
      x.unsupported();
  }
  x.set(handler, OpClass::int_mul);
}

void add_wide_integer(LowerTable& t) {
  t["mul24"] = lower_24<Mul24, 2>;
  t["mad24"] = lower_24<Mad24, 3>;
  t["addc"] = lower_addc<false>;
  t["subc"] = lower_addc<true>;
  t["madc"] = lower_madc;
  t["dp4a"] = lower_dot<4>;
  t["dp2a"] = lower_dot<2>;
}

}  // namespace warpmem::program::ptx
