// SPDX-License-Identifier: Apache-2.0
// Logic, shifts, counts and permutations (PTX ISA 6.x sections 9.7.1.14-9.7.1.21 and 9.7.7).
#include <algorithm>

#include "program/ptx/ops.hpp"
#include "program/ptx/ops_video.hpp"

namespace warpmem::program::ptx {
namespace {

template <class T>
struct And {
  static T apply(T a, T b) { return static_cast<T>(a & b); }
};
template <class T>
struct Or {
  static T apply(T a, T b) { return static_cast<T>(a | b); }
};
template <class T>
struct Xor {
  static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
template <class T>
struct Not {
  static T apply(T a) { return static_cast<T>(~a); }
};
template <class T>
struct Cnot {
  static T apply(T a) { return a == 0 ? 1 : 0; }
};

/// Shift amounts of the width and more give 0, or copies of the sign.
template <class T>
struct Shl {
  static T apply(T a, std::uint32_t b) {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    return b >= bits ? T(0) : static_cast<T>(a << (b & (bits - 1)));
  }
};
template <class T>
struct Shr {
  static T apply(T a, std::uint32_t b) {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (b >= bits ? bits - 1 : b));
    else
      return b >= bits ? T(0) : static_cast<T>(a >> (b & (bits - 1)));
  }
};

template <class T>
struct Popc {
  static std::uint32_t apply(T a) { return static_cast<std::uint32_t>(__builtin_popcountll(a)); }
};
template <class T>
struct Clz {
  static std::uint32_t apply(T a) {
    if (a == 0) return 8 * sizeof(T);
    return static_cast<std::uint32_t>(__builtin_clzll(a)) - (64 - 8 * sizeof(T));
  }
};
template <class T>
struct Brev {
  static T apply(T a) {
    std::uint64_t v = a;
    v = ((v >> 1) & 0x5555555555555555ULL) | ((v & 0x5555555555555555ULL) << 1);
    v = ((v >> 2) & 0x3333333333333333ULL) | ((v & 0x3333333333333333ULL) << 2);
    v = ((v >> 4) & 0x0f0f0f0f0f0f0f0fULL) | ((v & 0x0f0f0f0f0f0f0f0fULL) << 4);
    return static_cast<T>(__builtin_bswap64(v) >> (64 - 8 * sizeof(T)));
  }
};
/// Position of the most significant bit that is not a copy of the sign; all ones when there is
/// none.
template <class T, bool shift_amount>
struct Bfind {
  static std::uint32_t apply(T a) {
    using U = std::make_unsigned_t<T>;
    U v = static_cast<U>(a);
    if (std::is_signed_v<T> && a < T(0)) v = static_cast<U>(~v);
    if (v == 0) return 0xffffffff;
    const auto position = 63 - static_cast<std::uint32_t>(__builtin_clzll(v));
    return shift_amount ? 8 * sizeof(T) - 1 - position : position;
  }
};

template <template <class> class Op>
void lower_logic(Lowering& x) {
  const Type type = x.take_type();
  if (type != Type::pred) {
    x.def_use(type, {type, type});
    return x.set(bits_handler<Op, 2>(x, type), OpClass::int_alu);
  }
  x.def_use(Type::pred, {Type::pred, Type::pred});
  x.set(
      [](Warp& w, const Inst& in) {
        set_predicate(w, in.ref[0],
                      Op<LaneMask>::apply(predicate(w, in.ref[1]), predicate(w, in.ref[2])));
      },
      OpClass::int_alu);
}
void lower_not(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(type, {type});
  if (type != Type::pred) return x.set(bits_handler<Not, 1>(x, type), OpClass::int_alu);
  x.set([](Warp& w, const Inst& in) { set_predicate(w, in.ref[0], ~predicate(w, in.ref[1])); },
        OpClass::int_alu);
}
void lower_cnot(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(type, {type});
  x.set(bits_handler<Cnot, 1>(x, type), OpClass::int_alu);
}

template <template <class> class Op, class T>
Handler shift() {
  return vector_handler<Map<Op<T>, T, T, std::uint32_t>>();
}
void lower_shl(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(type, {type, Type::u32});
  switch (type) {
    case Type::b16:
      return x.set(shift<Shl, std::uint16_t>(), OpClass::int_alu);
    case Type::b32:
      return x.set(shift<Shl, std::uint32_t>(), OpClass::int_alu);
    case Type::b64:
      return x.set(shift<Shl, std::uint64_t>(), OpClass::int_alu);
    default:
      x.unsupported();
  }
}
void lower_shr(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(type, {type, Type::u32});
  Handler handler = nullptr;
  switch (type) {
    case Type::u16:
    case Type::b16:
      handler = shift<Shr, std::uint16_t>();
      break;
    case Type::s16:
      handler = shift<Shr, std::int16_t>();
      break;
    case Type::u32:
    case Type::b32:
      handler = shift<Shr, std::uint32_t>();
      break;
    case Type::s32:
      handler = shift<Shr, std::int32_t>();
      break;
    case Type::u64:
    case Type::b64:
      handler = shift<Shr, std::uint64_t>();
      break;
    case Type::s64:
      handler = shift<Shr, std::int64_t>();
      break;
    default:
      x.unsupported();
  }
  x.set(handler, OpClass::int_alu);
}

template <template <class> class Op>
void lower_count(Lowering& x) {
  const Type type = x.take_type();
  x.def_use(Type::u32, {type});
  if (type == Type::b32)
    return x.set(vector_handler<Map<Op<std::uint32_t>, std::uint32_t, std::uint32_t>>(),
                 OpClass::int_alu);
  if (type != Type::b64) x.unsupported();
  x.set(vector_handler<Map<Op<std::uint64_t>, std::uint32_t, std::uint64_t>>(), OpClass::int_alu);
}
void lower_brev(Lowering& x) {
  const Type type = x.take_type();
  if (type != Type::b32 && type != Type::b64) x.unsupported();
  x.def_use(type, {type});
  x.set(bits_handler<Brev, 1>(x, type), OpClass::int_alu);
}
template <class T, bool amount>
Handler bfind_handler() {
  return vector_handler<Map<Bfind<T, amount>, std::uint32_t, T>>();
}
void lower_bfind(Lowering& x) {
  const bool amount = x.take("shiftamt");
  const Type type = x.take_type();
  x.def_use(Type::u32, {type});
  Handler h = nullptr;
  switch (type) {
    case Type::u32:
      h = amount ? bfind_handler<std::uint32_t, true>() : bfind_handler<std::uint32_t, false>();
      break;
    case Type::s32:
      h = amount ? bfind_handler<std::int32_t, true>() : bfind_handler<std::int32_t, false>();
      break;
    case Type::u64:
      h = amount ? bfind_handler<std::uint64_t, true>() : bfind_handler<std::uint64_t, false>();
      break;
    case Type::s64:
      h = amount ? bfind_handler<std::int64_t, true>() : bfind_handler<std::int64_t, false>();
      break;
    default:
      x.unsupported();
  }
  x.set(h, OpClass::int_alu);
}
// ---- prmt, shf, lop3
// -------------------------------------------------------------------------------

enum class Permute : std::uint8_t { selector, f4e, b4e, rc8, ecl, ecr, rc16 };

std::uint32_t permute(std::uint64_t ba, std::uint32_t c, Permute mode) {
  unsigned pick[4];
  const unsigned k = c & 3;
  for (unsigned i = 0; i < 4; ++i) {
    switch (mode) {
      case Permute::selector:
        pick[i] = c >> (4 * i) & 0xf;
        break;
      case Permute::f4e:
        pick[i] = k + i;
        break;
      case Permute::b4e:
        pick[i] = (k - i) & 7;
        break;
      case Permute::rc8:
        pick[i] = k;
        break;
      case Permute::ecl:
        pick[i] = std::max(i, k);
        break;
      case Permute::ecr:
        pick[i] = std::min(i, k);
        break;
      case Permute::rc16:
        pick[i] = (k & 1) * 2 + (i & 1);
        break;
    }
  }
  std::uint32_t r = 0;
  for (unsigned i = 0; i < 4; ++i) {
    auto byte = static_cast<std::uint32_t>(ba >> (8 * (pick[i] & 7)) & 0xff);
    if (pick[i] & 8) byte = byte & 0x80 ? 0xff : 0;  // only the selector mode sets it
    r |= byte << (8 * i);
  }
  return r;
}
void prmt(Warp& w, const Inst& in) {
  each_lane(w, [&](unsigned i) {
    const std::uint64_t a = lane<std::uint32_t>(w, in.ref[1], i),
                        b = lane<std::uint32_t>(w, in.ref[2], i);
    set_lane(w, in.ref[0], i,
             permute(b << 32 | a, lane<std::uint32_t>(w, in.ref[3], i),
                     static_cast<Permute>(in.option)));
  });
}
void lower_prmt(Lowering& x) {
  static constexpr std::pair<std::string_view, Permute> kModes[] = {
      {"f4e", Permute::f4e}, {"b4e", Permute::b4e}, {"rc8", Permute::rc8},
      {"ecl", Permute::ecl}, {"ecr", Permute::ecr}, {"rc16", Permute::rc16}};
  if (x.take_type() != Type::b32) x.unsupported();
  for (const auto& [text, mode] : kModes)
    if (x.take(text)) x.inst().option = static_cast<std::uint8_t>(mode);
  x.def_use(Type::b32, {Type::b32, Type::b32, Type::b32});
  x.set(prmt, OpClass::int_alu);
}

template <bool left, bool clamp>
struct Funnel {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t n = clamp ? std::min<std::uint32_t>(c, 32) : c & 31;
    const std::uint64_t ba = std::uint64_t(b) << 32 | a;
    return static_cast<std::uint32_t>(left ? (ba << n) >> 32 : ba >> n);
  }
};
void lower_shf(Lowering& x) {
  const bool left = x.take("l");
  if (!left && !x.take("r")) x.unsupported();
  const bool clamp = x.take("clamp");
  if (!clamp && !x.take("wrap")) x.unsupported();
  if (x.take_type() != Type::b32) x.unsupported();
  x.def_use(Type::b32, {Type::b32, Type::b32, Type::u32});
  using N = std::uint32_t;
  x.set(left ? (clamp ? map_handler<Funnel<true, true>, N, 3>()
                      : map_handler<Funnel<true, false>, N, 3>())
             : (clamp ? map_handler<Funnel<false, true>, N, 3>()
                      : map_handler<Funnel<false, false>, N, 3>()),
        OpClass::int_alu);
}

/// This is any function of three bits: the table's bit 4a+2b+c.
struct Lop3 {
  [[gnu::always_inline]] static inline void run(Warp& w, const Inst& in) {
    const auto* const a = lanes_of<std::uint32_t>(w, in.ref[1]);
    const auto* const b = lanes_of<std::uint32_t>(w, in.ref[2]);
    const auto* const c = lanes_of<std::uint32_t>(w, in.ref[3]);
    auto* const d = lanes_of<std::uint32_t>(w, in.ref[0]);
    std::uint32_t term[8];
    for (unsigned k = 0; k < 8; ++k) term[k] = in.imm >> k & 1 ? ~0u : 0u;
#pragma GCC ivdep
    for (unsigned i = 0; i < kWarpLanes; ++i) {
      const std::uint32_t p = a[i], q = b[i], r = c[i];
      const std::uint32_t v = (~p & ~q & ~r & term[0]) | (~p & ~q & r & term[1]) |
                              (~p & q & ~r & term[2]) | (~p & q & r & term[3]) |
                              (p & ~q & ~r & term[4]) | (p & ~q & r & term[5]) |
                              (p & q & ~r & term[6]) | (p & q & r & term[7]);
      d[i] = (w.lanes & kLaneBits<std::uint32_t>.bit[i]) ? v : d[i];
    }
  }
};
void lower_lop3(Lowering& x) {
  if (x.take_type() != Type::b32) x.unsupported();
  x.want_operands(5);
  x.def(0, x.operand(0), Type::b32);
  for (unsigned i = 1; i <= 3; ++i) x.use(i, x.operand(i), Type::b32);
  x.inst().imm = x.number(x.operand(4), Type::u32) & 0xff;
  x.set(vector_handler<Lop3>(), OpClass::int_alu);
}

}  // namespace

void add_bits(LowerTable& t) {
  add_video(t);
  add_scalar_video(t);
  t["and"] = lower_logic<And>;
  t["or"] = lower_logic<Or>;
  t["xor"] = lower_logic<Xor>;
  t["not"] = lower_not;
  t["cnot"] = lower_cnot;
  t["shl"] = lower_shl;
  t["shr"] = lower_shr;
  t["popc"] = lower_count<Popc>;
  t["clz"] = lower_count<Clz>;
  t["brev"] = lower_brev;
  t["bfind"] = lower_bfind;
  t["prmt"] = lower_prmt;
  t["shf"] = lower_shf;
  t["lop3"] = lower_lop3;
}

}  // namespace warpmem::program::ptx
