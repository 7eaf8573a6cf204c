// SPDX-License-Identifier: Apache-2.0
// add sub mul.lo mad.lo div rem min max abs neg sad, integer and floating-point opcodes sharing a
// name being told apart by their type (PTX ISA 6.x section 9.7.1; floats are in ops_float.cpp).
#include <limits>

#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

template <class T>
using U = std::make_unsigned_t<T>;

template <class T>
struct Add {
  static T apply(T a, T b) { return static_cast<T>(static_cast<U<T>>(a) + static_cast<U<T>>(b)); }
};
template <class T>
struct Sub {
  static T apply(T a, T b) { return static_cast<T>(static_cast<U<T>>(a) - static_cast<U<T>>(b)); }
};
// 16-bit operands are widened first: the product of two uint16_t is computed in int, which
// overflows.
template <class T>
struct MulLo {
  static T apply(T a, T b) {
    if constexpr (sizeof(T) == 2)
      return static_cast<T>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
    else
      return static_cast<T>(static_cast<U<T>>(a) * static_cast<U<T>>(b));
  }
};
template <class T>
struct MadLo {
  static T apply(T a, T b, T c) { return Add<T>::apply(MulLo<T>::apply(a, b), c); }
};
/// Division by zero gives all ones, for the remainder as well, as on a GPU (PTX leaves it open);
/// the most negative number divided by -1 wraps.
template <class T>
struct Div {
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T(0));
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return static_cast<T>(U<T>(0) - static_cast<U<T>>(a));
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Rem {
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(~T(0));
    if constexpr (std::is_signed_v<T>)
      if (b == T(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Min {
  static T apply(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct Max {
  static T apply(T a, T b) { return a < b ? b : a; }
};
template <class T>
struct Abs {
  static T apply(T a) { return a < 0 ? static_cast<T>(U<T>(0) - static_cast<U<T>>(a)) : a; }
};
template <class T>
struct Neg {
  static T apply(T a) { return static_cast<T>(U<T>(0) - static_cast<U<T>>(a)); }
};
/// This gives c + |a - b|.
template <class T>
struct Sad {
  static T apply(T a, T b, T c) {
    const U<T> d = a < b ? static_cast<U<T>>(b) - static_cast<U<T>>(a)
                         : static_cast<U<T>>(a) - static_cast<U<T>>(b);
    return static_cast<T>(static_cast<U<T>>(c) + d);
  }
};
struct AddSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b) {
    const std::int64_t r = std::int64_t(a) + b;
    return static_cast<std::int32_t>(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
  }
};
struct SubSat {
  static std::int32_t apply(std::int32_t a, std::int32_t b) {
    const std::int64_t r = std::int64_t(a) - b;
    return static_cast<std::int32_t>(r > INT32_MAX ? INT32_MAX : r < INT32_MIN ? INT32_MIN : r);
  }
};

bool is_any_float(Type t) { return is_float(t) || is_narrow(t); }

template <template <class> class Op>
void lower_two(Lowering& x, Type type, OpClass op_class) {
  x.def_use(type, {type, type});
  x.set(integer_handler<Op, 2>(x, type), op_class);
}

template <template <class> class Op, class Sat>
void lower_add(Lowering& x) {
  const bool carry = x.take("cc");
  const Type type = take_type_or_bfloat(x);
  if (is_any_float(type) && !carry) return lower_float_add(x, type, std::is_same_v<Sat, SubSat>);
  if (carry) return lower_carry_add(x, type, std::is_same_v<Sat, SubSat>, false, true);
  if (!is_integer(type) || size_bytes(type) == 1) x.unsupported();
  if (x.take("sat")) {
    if (type != Type::s32) x.unsupported();
    x.def_use(type, {type, type});
    return x.set(vector_handler<Map<Sat, std::int32_t, std::int32_t, std::int32_t>>(),
                 OpClass::int_alu);
  }
  lower_two<Op>(x, type, OpClass::int_alu);
}

void lower_mul(Lowering& x) {
  const Type type = take_type_or_bfloat(x);
  if (is_any_float(type)) return lower_float_mul(x, type);
  if (x.take("lo")) return lower_two<MulLo>(x, type, OpClass::int_mul);
  lower_mul_upper(x, type);
}

void lower_mad(Lowering& x) {
  const bool carry = x.take("cc");
  const Type type = x.take_type();
  if (is_float(type) && type != Type::f16 && !carry) return lower_float_fma(x, type);
  if (carry) return lower_carry_mad(x, type, false, true);
  if (!x.take("lo")) return lower_mad_upper(x, type);
  x.def_use(type, {type, type, type});
  x.set(integer_handler<MadLo, 3>(x, type), OpClass::int_mul);
}

void lower_div(Lowering& x) {
  const Type type = x.take_type();
  if (is_any_float(type)) return lower_float_div(x, type);
  lower_two<Div>(x, type, OpClass::div);
}
void lower_rem(Lowering& x) { lower_two<Rem>(x, x.take_type(), OpClass::div); }

template <template <class> class Op>
void lower_min_max(Lowering& x) {
  const Type type = take_type_or_bfloat(x);
  if (is_any_float(type)) return lower_float_min_max(x, type, std::is_same_v<Op<int>, Max<int>>);
  lower_two<Op>(x, type, OpClass::int_alu);
}

void lower_abs(Lowering& x) {
  const Type type = take_type_or_bfloat(x);
  if (is_any_float(type)) return lower_float_sign(x, type, true);
  x.def_use(type, {type});
  switch (type) {
    case Type::s16:
      return x.set(map_handler<Abs<std::int16_t>, std::int16_t, 1>(), OpClass::int_alu);
    case Type::s32:
      return x.set(map_handler<Abs<std::int32_t>, std::int32_t, 1>(), OpClass::int_alu);
    case Type::s64:
      return x.set(map_handler<Abs<std::int64_t>, std::int64_t, 1>(), OpClass::int_alu);
    default:
      x.unsupported();
  }
}
void lower_neg(Lowering& x) {
  const Type type = take_type_or_bfloat(x);
  if (is_any_float(type)) return lower_float_sign(x, type, false);
  if (!is_signed(type)) x.unsupported();
  x.def_use(type, {type});
  x.set(integer_handler<Neg, 1>(x, type), OpClass::int_alu);
}
void lower_sad(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(type, {type, type, type});
  x.set(integer_handler<Sad, 3>(x, type), OpClass::int_alu);
}

}  // namespace

void add_integer(LowerTable& t) {
  t["add"] = lower_add<Add, AddSat>;
  t["sub"] = lower_add<Sub, SubSat>;
  t["mul"] = lower_mul;
  t["mad"] = lower_mad;
  t["div"] = lower_div;
  t["rem"] = lower_rem;
  t["min"] = lower_min_max<Min>;
  t["max"] = lower_min_max<Max>;
  t["abs"] = lower_abs;
  t["neg"] = lower_neg;
  t["sad"] = lower_sad;
}

}  // namespace warpmem::program::ptx
