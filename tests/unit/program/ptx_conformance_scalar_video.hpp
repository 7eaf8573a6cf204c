// SPDX-License-Identifier: Apache-2.0
// Cases of video instructions of whole words.
#pragma once

#include "unit/program/ptx_conformance_bits.hpp"

namespace warpmem::program::ptx {
namespace conformance {

using WordOperation = std::function<Wide(Wide, Wide)>;

inline void add_scalar_video(Cases& c, const std::string& op, const std::string& end, bool compares,
                             bool shifts, const WordOperation& f) {
  constexpr IntType kWords[] = {{"u32", 4, false}, {"s32", 4, true}};
  const std::vector<std::uint64_t> values = {
      0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x12345678, 0x87654321};
  for (const IntType d : kWords)
    for (const IntType a : kWords)
      for (const IntType b : kWords)
        for (const bool sat : {false, true})
          for (const std::string second : {"", ".add", ".min", ".max"}) {
            if ((compares && (d.is_signed || sat)) || (shifts && b.is_signed)) continue;
            const Wide most = (Wide(1) << (d.is_signed ? 31 : 32)) - 1;
            const Wide least = d.is_signed ? -most - 1 : 0;
            add_case(
                c,
                op + (compares ? "" : std::string(".") + d.name) + "." + a.name + "." + b.name +
                    (sat ? ".sat" : "") + end + second,
                {4, 4, 4, 4}, combine(values, values, {5, 0x90000000}),
                [=](auto x, auto y, auto z) -> std::uint64_t {
                  const Wide r = f(number(x, a), number(y, b));
                  const std::uint64_t bits = wrapped(sat ? clamped(r, least, most) : r, 4);
                  if (second.empty()) return bits;
                  if (second == ".add") return wrapped(Wide(bits) + Wide(z & 0xffffffff), 4);
                  const Wide v = number(bits, d), w = number(z, d);
                  return wrapped((second == ".min") == (v < w) ? v : w, 4);
                },
                second.empty() ? "%d, %a, %b" : "%d, %a, %b, %c");
          }
}

}  // namespace conformance

inline Cases scalar_video_cases() {
  using namespace conformance;
  Cases c;
  const auto with = [&](const std::string& op, const WordOperation& f) {
    add_scalar_video(c, op, "", false, false, f);
  };
  with("vadd", [](Wide a, Wide b) { return a + b; });
  with("vsub", [](Wide a, Wide b) { return a - b; });
  with("vabsdiff", [](Wide a, Wide b) { return a < b ? b - a : a - b; });
  with("vmin", [](Wide a, Wide b) { return a < b ? a : b; });
  with("vmax", [](Wide a, Wide b) { return a < b ? b : a; });
  for (const bool wraps : {false, true}) {
    const auto by = [=](Wide b) { return static_cast<int>(wraps ? b % 32 : b > 32 ? 32 : b); };
    const std::string end = wraps ? ".wrap" : ".clamp";
    add_scalar_video(c, "vshl", end, false, true, [=](Wide a, Wide b) {
      return by(b) == 32 ? Wide(0) : a * (Wide(1) << by(b));
    });
    add_scalar_video(c, "vshr", end, false, true, [=](Wide a, Wide b) { return a >> by(b); });
  }
  const auto compare = [&](const std::string& how, const std::function<bool(Wide, Wide)>& f) {
    add_scalar_video(c, "vset", how, true, false, [=](Wide a, Wide b) { return Wide(f(a, b)); });
  };
  compare(".eq", [](Wide a, Wide b) { return a == b; });
  compare(".ne", [](Wide a, Wide b) { return a != b; });
  compare(".lt", [](Wide a, Wide b) { return a < b; });
  compare(".le", [](Wide a, Wide b) { return a <= b; });
  compare(".gt", [](Wide a, Wide b) { return a > b; });
  compare(".ge", [](Wide a, Wide b) { return a >= b; });
  return c;
}

}  // namespace warpmem::program::ptx
