// SPDX-License-Identifier: Apache-2.0
// Two halfwords or four bytes of a register at a time: vadd vsub vabsdiff vmin vmax vavrg vset (PTX
// ISA 6.x sections 9.7.15.1 and 9.7.15.2), with operands and result of one type and without
// selectors and masks. A result wraps unless it saturates (.sat); .add gives c and the sum of all.
// How a signed average rounds is not clear, so that it is not supported.
#include "program/ptx/ops_video.hpp"

#include <algorithm>
#include <array>

#include "program/ptx/ops.hpp"

namespace warpmem::program::ptx {
namespace {

// Of Inst::option.
constexpr std::uint8_t kSigned = 1, kAdds = 2;

/// ref: 0 = d, 1 = a, 2 = b, 3 = c; count: parts; aux: the operation.
void video(Warp& w, const Inst& in) {
  const unsigned bits = 32u / in.count;
  const std::uint32_t mask = (1u << bits) - 1;
  const bool is_signed = in.option & kSigned;
  const std::int32_t most = static_cast<std::int32_t>(is_signed ? mask >> 1 : mask);
  const std::int32_t least = is_signed ? -most - 1 : 0;
  const auto number = [&](std::uint32_t part) {
    const auto value = static_cast<std::int32_t>(part & mask);
    return is_signed && value > most ? value - static_cast<std::int32_t>(mask) - 1 : value;
  };
  each_lane(w, [&](unsigned i) {
    const auto a = lane<std::uint32_t>(w, in.ref[1], i), b = lane<std::uint32_t>(w, in.ref[2], i);
    std::uint32_t packed = 0, sum = lane<std::uint32_t>(w, in.ref[3], i);
    for (unsigned part = 0; part < in.count; ++part) {
      const unsigned at = bits * part;
      std::int32_t value = combined(static_cast<Video>(in.aux), number(a >> at), number(b >> at));
      if (in.saturate) value = std::min(std::max(value, least), most);
      packed |= (static_cast<std::uint32_t>(value) & mask) << at;
      sum += static_cast<std::uint32_t>(number(static_cast<std::uint32_t>(value)));
    }
    set_lane<std::uint32_t>(w, in.ref[0], i, in.option & kAdds ? sum : packed);
  });
}

template <Video op, unsigned parts>
void lower_video(Lowering& x) {
  Inst& in = x.inst();
  in.count = static_cast<std::uint8_t>(parts);
  const Type type = x.take_type();
  constexpr bool kCompares = op == Video::eq;
  for (int i = kCompares ? 1 : 2; i > 0; --i)
    if (x.take_type() != type) x.unsupported();
  if (type != Type::u32 && type != Type::s32) x.unsupported();
  if (op == Video::avrg && type == Type::s32) x.unsupported();
  in.saturate = !kCompares && x.take("sat");
  in.option = type == Type::s32 ? kSigned : 0;
  if (!in.saturate && x.take("add")) in.option |= kAdds;
  in.aux = static_cast<std::uint32_t>(kCompares ? take_comparison(x) : op);
  x.want_operands(4);
  x.def(0, x.operand(0), Type::b32);
  for (unsigned i = 1; i < 4; ++i) x.use(i, x.operand(i), Type::b32);
  x.set(video, OpClass::int_alu);
}

}  // namespace

Video take_comparison(Lowering& x) {
  constexpr std::array<std::pair<const char*, Video>, 6> kHow = {{{"eq", Video::eq},
                                                                  {"ne", Video::ne},
                                                                  {"lt", Video::lt},
                                                                  {"le", Video::le},
                                                                  {"gt", Video::gt},
                                                                  {"ge", Video::ge}}};
  for (const auto& [text, how] : kHow)
    if (x.take(text)) return how;
  x.unsupported();
}

void add_video(LowerTable& t) {
  t["vadd2"] = lower_video<Video::add, 2>;
  t["vadd4"] = lower_video<Video::add, 4>;
  t["vsub2"] = lower_video<Video::sub, 2>;
  t["vsub4"] = lower_video<Video::sub, 4>;
  t["vabsdiff2"] = lower_video<Video::absdiff, 2>;
  t["vabsdiff4"] = lower_video<Video::absdiff, 4>;
  t["vmin2"] = lower_video<Video::min, 2>;
  t["vmin4"] = lower_video<Video::min, 4>;
  t["vmax2"] = lower_video<Video::max, 2>;
  t["vmax4"] = lower_video<Video::max, 4>;
  t["vavrg2"] = lower_video<Video::avrg, 2>;
  t["vavrg4"] = lower_video<Video::avrg, 4>;
  t["vset2"] = lower_video<Video::eq, 2>;
  t["vset4"] = lower_video<Video::eq, 4>;
}

}  // namespace warpmem::program::ptx
