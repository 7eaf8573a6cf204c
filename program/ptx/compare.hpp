// SPDX-License-Identifier: Apache-2.0
// Comparison operators of set and setp, and how they combine with a third predicate.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/types.hpp"

namespace warpmem::program::ptx {

enum class Compare : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,  // true when an operand is NaN
  num,
  nan,
};

inline constexpr std::pair<std::string_view, Compare> kComparisons[] = {
    {"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},   {"le", Compare::le},
    {"gt", Compare::gt},   {"ge", Compare::ge},   {"lo", Compare::lt},   {"ls", Compare::le},
    {"hi", Compare::gt},   {"hs", Compare::ge},   {"equ", Compare::equ}, {"neu", Compare::neu},
    {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu}, {"geu", Compare::geu},
    {"num", Compare::num}, {"nan", Compare::nan},
};

enum Bool : std::uint8_t { kPlain, kAnd, kOr, kXor };

[[gnu::always_inline]] inline LaneMask combine(std::uint8_t how, LaneMask r, LaneMask c) {
  switch (how) {
    case kAnd:
      return r & c;
    case kOr:
      return r | c;
    case kXor:
      return r ^ c;
    default:
      return r;
  }
}

}  // namespace warpmem::program::ptx
