// SPDX-License-Identifier: Apache-2.0
// Video instructions of whole words: vadd vsub vabsdiff vmin vmax vshl vshr vset (PTX ISA 6.x
// section 9.7.15.1), without selectors of bytes and halfwords. What is computed has more bits than
// a word; it is saturated or cut, and a second operation combines it with c.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "program/ptx/ops.hpp"
#include "program/ptx/ops_video.hpp"

namespace warpmem::program::ptx {
namespace {

enum class Word : std::uint8_t { add, sub, absdiff, min, max, shl, shr, eq, ne, lt, le, gt, ge };
// Of Inst::option: the types of the result and of a and b, a shift that counts modulo 32, and what
// combines with c.
constexpr std::uint8_t kResultSigned = 1, kASigned = 2, kBSigned = 4, kWraps = 8, kAdds = 16,
                       kLeast = 32, kMost = 64;

std::int64_t computed(Word op, std::int64_t a, std::int64_t b, bool wraps) {
  switch (op) {
    case Word::add:
      return a + b;
    case Word::sub:
      return a - b;
    case Word::absdiff:
      return std::abs(a - b);
    case Word::min:
      return std::min(a, b);
    case Word::max:
      return std::max(a, b);
    case Word::shl:
    case Word::shr: {
      const std::int64_t by = wraps ? b & 31 : std::min<std::int64_t>(b, 32);
      return op == Word::shr ? a >> by : by == 32 ? 0 : a * (std::int64_t(1) << by);
    }
    case Word::eq:
      return a == b;
    case Word::ne:
      return a != b;
    case Word::lt:
      return a < b;
    case Word::le:
      return a <= b;
    case Word::gt:
      return a > b;
    case Word::ge:
      break;
  }
  return a >= b;
}

std::int64_t number_of(std::uint32_t bits, bool is_signed) {
  return is_signed ? std::int64_t(static_cast<std::int32_t>(bits)) : std::int64_t(bits);
}

/// ref: 0 = d, 1 = a, 2 = b, 3 = c (or none); aux: the operation.
void scalar_video(Warp& w, const Inst& in) {
  const bool is_signed = in.option & kResultSigned;
  const std::int64_t most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
  each_lane(w, [&](unsigned i) {
    const std::int64_t a = number_of(lane<std::uint32_t>(w, in.ref[1], i), in.option & kASigned);
    const std::int64_t b = number_of(lane<std::uint32_t>(w, in.ref[2], i), in.option & kBSigned);
    std::int64_t value = computed(static_cast<Word>(in.aux), a, b, in.option & kWraps);
    if (in.saturate) value = std::clamp(value, least, most);
    auto bits = static_cast<std::uint32_t>(value);
    if (in.ref[3] != kNoRef) {
      const auto c = lane<std::uint32_t>(w, in.ref[3], i);
      const bool below = number_of(bits, is_signed) < number_of(c, is_signed);
      if (in.option & kAdds)
        bits += c;
      else if (below != bool(in.option & kLeast))
        bits = c;
    }
    set_lane(w, in.ref[0], i, bits);
  });
}

/// Takes a type of a word; `flag` says that it is signed.
void take_word(Lowering& x, std::uint8_t flag) {
  const Type type = x.take_type();
  if (type != Type::u32 && type != Type::s32) x.unsupported();
  if (type == Type::s32) x.inst().option |= flag;
}

Word take_comparison(Lowering& x) {
  constexpr std::array<std::pair<const char*, Word>, 6> kHow = {{{"eq", Word::eq},
                                                                 {"ne", Word::ne},
                                                                 {"lt", Word::lt},
                                                                 {"le", Word::le},
                                                                 {"gt", Word::gt},
                                                                 {"ge", Word::ge}}};
  for (const auto& [text, how] : kHow)
    if (x.take(text)) return how;
  x.unsupported();
}

template <Word op>
void lower_scalar_video(Lowering& x) {
  Inst& in = x.inst();
  constexpr bool kShifts = op == Word::shl || op == Word::shr, kCompares = op == Word::eq;
  if (!kCompares) take_word(x, kResultSigned);
  take_word(x, kASigned);
  take_word(x, kBSigned);
  if (kShifts && in.option & kBSigned) x.unsupported();
  in.aux = static_cast<std::uint32_t>(kCompares ? take_comparison(x) : op);
  in.saturate = !kCompares && x.take("sat");
  if (kShifts) {
    if (x.take("wrap"))
      in.option |= kWraps;
    else if (!x.take("clamp"))
      x.unsupported();
  }
  const std::uint8_t second = x.take("add")   ? kAdds
                              : x.take("min") ? kLeast
                              : x.take("max") ? kMost
                                              : 0;
  in.option |= second;
  x.want_operands(second != 0 ? 4 : 3);
  x.def(0, x.operand(0), Type::b32);
  for (unsigned i = 1; i < x.operands(); ++i) x.use(i, x.operand(i), Type::b32);
  x.set(scalar_video, OpClass::int_alu);
}

}  // namespace

void add_scalar_video(LowerTable& t) {
  t["vadd"] = lower_scalar_video<Word::add>;
  t["vsub"] = lower_scalar_video<Word::sub>;
  t["vabsdiff"] = lower_scalar_video<Word::absdiff>;
  t["vmin"] = lower_scalar_video<Word::min>;
  t["vmax"] = lower_scalar_video<Word::max>;
  t["vshl"] = lower_scalar_video<Word::shl>;
  t["vshr"] = lower_scalar_video<Word::shr>;
  t["vset"] = lower_scalar_video<Word::eq>;
}

}  // namespace warpmem::program::ptx
