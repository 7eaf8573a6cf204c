// SPDX-License-Identifier: Apache-2.0
// Fields of bits in a word: their extraction, insertion and extension, masks of them, and where a
// set bit is (PTX ISA 7.x sections 9.7.1.16 to 9.7.1.22).
#include <algorithm>

#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

/// Position and length are taken from the low byte; bits beyond the sign bit replicate it.
template <class T>
struct Bfe {
  static T apply(T a, std::uint32_t b, std::uint32_t c) {
    const int msb = 8 * sizeof(T) - 1;
    const int position = static_cast<int>(b & 0xff), length = static_cast<int>(c & 0xff);
    using U = std::make_unsigned_t<T>;
    U sign = 0;
    if (std::is_signed_v<T> && length != 0)
      sign = static_cast<U>(a) >> std::min(position + length - 1, msb) & 1;
    U r = position > msb ? U(0) : static_cast<U>(a) >> position;
    if (length <= msb) {
      const U keep = (U(1) << length) - 1;
      // Bits that the field takes from beyond the most significant bit are sign as well.
      const int inside = std::max(0, std::min(length, msb + 1 - position));
      const U have = inside > msb ? ~U(0) : (U(1) << inside) - 1;
      r &= keep & have;
      if (sign) r |= ~have;
    } else if (sign) {
      const int inside = std::max(0, msb + 1 - position);
      const U have = inside > msb ? ~U(0) : (U(1) << inside) - 1;
      r |= ~have;
    }
    return static_cast<T>(r);
  }
};
template <class T>
void bfi(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const T a = lane<T>(w, in.ref[1], i);
    T r = lane<T>(w, in.ref[2], i);
    const unsigned bits = 8 * sizeof(T);
    const unsigned position = lane<std::uint32_t>(w, in.ref[3], i) & 0xff;
    const unsigned length = lane<std::uint32_t>(w, in.ref[4], i) & 0xff;
    if (position < bits && length > 0) {
      const unsigned inside = std::min(length, bits - position);
      const T field = inside >= bits ? ~T(0) : static_cast<T>((T(1) << inside) - 1);
      r = static_cast<T>((r & ~(field << position)) | ((a & field) << position));
    }
    set_lane<T>(w, in.ref[0], i, r);
  });
}
/// A mask of `b` bits from position `a` on. Both count modulo 32, or what is more is beyond the
/// word.
template <bool clamp>
struct Bmsk {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    if (clamp && a >= 32) return 0;
    const std::uint32_t from = ~0u << (a & 31), width = clamp ? b : b & 31;
    const std::uint64_t end = std::uint64_t(a & 31) + width;
    return end >= 32 ? from : from & ~(~0u << end);
  }
};
/// Extends a number of `b` bits, of which none are left modulo 32, or which are the whole word.
template <class T, bool clamp>
struct Szext {
  static T apply(T a, std::uint32_t b) {
    if (clamp && b >= 32) return a;
    const std::uint32_t bits = b & 31;
    if (bits == 0) return 0;
    return static_cast<T>(static_cast<std::uint32_t>(a) << (32 - bits)) >> (32 - bits);
  }
};

/// Finds the position of the n-th set bit from `base` on, upwards or downwards: fns.b32 d, mask,
/// base, n.
struct FindNthSet {
  static std::uint32_t apply(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
    if (n == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xffffffff;
    std::int64_t left = n < 0 ? -std::int64_t(n) : n;
    for (std::int64_t at = base; at >= 0 && at<32; at += n> 0 ? 1 : -1)
      if ((mask >> at & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
    return 0xffffffff;
  }
};
template <class T>
Handler bfe_handler() {
  return vector_handler<Map<Bfe<T>, T, T, std::uint32_t, std::uint32_t>>();
}
void lower_bfe(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(type, {type, Type::u32, Type::u32});
  Handler h = nullptr;
  switch (type) {
    case Type::u32:
      h = bfe_handler<std::uint32_t>();
      break;
    case Type::s32:
      h = bfe_handler<std::int32_t>();
      break;
    case Type::u64:
      h = bfe_handler<std::uint64_t>();
      break;
    case Type::s64:
      h = bfe_handler<std::int64_t>();
      break;
    default:
      x.unsupported();
  }
  x.set(h, OpClass::int_alu);
}
void lower_bfi(Lowering& x) {
  const Type type = x.take_type();
  if (type != Type::b32 && type != Type::b64) x.unsupported();
  x.def_use(type, {type, type, Type::u32, Type::u32});
  x.set(type == Type::b32 ? bfi<std::uint32_t> : bfi<std::uint64_t>, OpClass::int_alu);
}

bool take_clamp(Lowering& x) {
  const bool clamp = x.take("clamp");
  if (!clamp && !x.take("wrap")) x.unsupported();
  return clamp;
}
void lower_bmsk(Lowering& x) {
  const bool clamp = take_clamp(x);
  if (x.take_type() != Type::b32) x.unsupported();
  x.def_use(Type::b32, {Type::b32, Type::b32});
  using N = std::uint32_t;
  x.set(clamp ? map_handler<Bmsk<true>, N, 2>() : map_handler<Bmsk<false>, N, 2>(),
        OpClass::int_alu);
}
template <class T>
Handler szext_handler(bool clamp) {
  return clamp ? vector_handler<Map<Szext<T, true>, T, T, std::uint32_t>>()
               : vector_handler<Map<Szext<T, false>, T, T, std::uint32_t>>();
}
void lower_szext(Lowering& x) {
  const bool clamp = take_clamp(x);
  const Type type = x.take_type();
  if (type != Type::u32 && type != Type::s32) x.unsupported();
  x.def_use(type, {type, Type::u32});
  x.set(
      type == Type::s32 ? szext_handler<std::int32_t>(clamp) : szext_handler<std::uint32_t>(clamp),
      OpClass::int_alu);
}

void lower_fns(Lowering& x) {
  if (x.take_type() != Type::b32) x.unsupported();
  x.def_use(Type::b32, {Type::b32, Type::b32, Type::s32});
  using N = std::uint32_t;
  x.set(vector_handler<Map<FindNthSet, N, N, N, std::int32_t>>(), OpClass::int_alu);
}

}  // namespace

void add_fields(LowerTable& t) {
  t["bfe"] = lower_bfe;
  t["bfi"] = lower_bfi;
  t["bmsk"] = lower_bmsk;
  t["szext"] = lower_szext;
  t["fns"] = lower_fns;
}

}  // namespace warpmem::program::ptx
