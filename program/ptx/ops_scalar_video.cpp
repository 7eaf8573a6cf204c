// SPDX-License-Identifier: Apache-2.0
// Video instructions of whole words: vadd vsub vabsdiff vmin vmax vshl vshr vset (PTX ISA 6.x
// section 9.7.15.1), without selectors of bytes and halfwords. What is computed has more bits than
// a word; it is saturated or cut, and a second operation combines it with c.
#include <algorithm>

#include "program/ptx/ops.hpp"
#include "program/ptx/ops_video.hpp"

namespace warpmem::program::ptx {
namespace {

// Of Inst::option: the types of the result and of a and b, a shift that counts modulo 32, and what
// combines with c.
constexpr std::uint8_t kResultSigned = 1, kASigned = 2, kBSigned = 4, kWraps = 8, kAdds = 16,
                       kLeast = 32, kMost = 64;

std::int64_t shifted(bool right, std::int64_t a, std::int64_t b, bool wraps) {
  const std::int64_t by = wraps ? b & 31 : std::min<std::int64_t>(b, 32);
  return right ? a >> by : by == 32 ? 0 : a * (std::int64_t(1) << by);
}

std::int64_t number_of(std::uint32_t bits, bool is_signed) {
  return is_signed ? std::int64_t(static_cast<std::int32_t>(bits)) : std::int64_t(bits);
}

/// ref: 0 = d, 1 = a, 2 = b, 3 = c (or none); aux: the operation, or whether it shifts right.
template <bool shifts>
void scalar_video(Warp& w, const Inst& in) {
  const bool is_signed = in.option & kResultSigned;
  const std::int64_t most = is_signed ? INT32_MAX : UINT32_MAX, least = is_signed ? INT32_MIN : 0;
  each_lane(w, [&](unsigned i) {
    const std::int64_t a = number_of(lane<std::uint32_t>(w, in.ref[1], i), in.option & kASigned);
    const std::int64_t b = number_of(lane<std::uint32_t>(w, in.ref[2], i), in.option & kBSigned);
    std::int64_t value = shifts ? shifted(in.aux != 0, a, b, in.option & kWraps)
                                : combined(static_cast<Video>(in.aux), a, b);
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

/// Lowers what follows the types of a and b: saturation, the second operation and the operands.
void lower_rest(Lowering& x, Handler handler, bool may_saturate) {
  Inst& in = x.inst();
  in.saturate = may_saturate && x.take("sat");
  const std::uint8_t second = x.take("add")   ? kAdds
                              : x.take("min") ? kLeast
                              : x.take("max") ? kMost
                                              : 0;
  in.option |= second;
  x.want_operands(second != 0 ? 4 : 3);
  x.def(0, x.operand(0), Type::b32);
  for (unsigned i = 1; i < x.operands(); ++i) x.use(i, x.operand(i), Type::b32);
  x.set(handler, OpClass::int_alu);
}

template <Video op>
void lower_scalar_video(Lowering& x) {
  constexpr bool kCompares = op == Video::eq;
  if (!kCompares) take_word(x, kResultSigned);
  take_word(x, kASigned);
  take_word(x, kBSigned);
  x.inst().aux = static_cast<std::uint32_t>(kCompares ? take_comparison(x) : op);
  lower_rest(x, scalar_video<false>, !kCompares);
}

template <bool right>
void lower_shift(Lowering& x) {
  take_word(x, kResultSigned);
  take_word(x, kASigned);
  if (x.take_type() != Type::u32) x.unsupported();
  x.inst().aux = right;
  if (x.take("wrap"))
    x.inst().option |= kWraps;
  else if (!x.take("clamp"))
    x.unsupported();
  lower_rest(x, scalar_video<true>, true);
}

}  // namespace

void add_scalar_video(LowerTable& t) {
  t["vadd"] = lower_scalar_video<Video::add>;
  t["vsub"] = lower_scalar_video<Video::sub>;
  t["vabsdiff"] = lower_scalar_video<Video::absdiff>;
  t["vmin"] = lower_scalar_video<Video::min>;
  t["vmax"] = lower_scalar_video<Video::max>;
  t["vshl"] = lower_shift<false>;
  t["vshr"] = lower_shift<true>;
  t["vset"] = lower_scalar_video<Video::eq>;
}

}  // namespace warpmem::program::ptx
