// SPDX-License-Identifier: Apache-2.0
// Classes of the un-coalescing degree, the lines that a load instruction asks for (BU section II).
#pragma once

#include <array>

namespace warpmem {

inline constexpr std::array<const char*, 6> kDegreeNames = {"1",   "2",    "3_4",
                                                            "5_8", "9_16", "17_up"};
inline constexpr unsigned kDegreeClasses = kDegreeNames.size();

/// Returns the class of `degree`, 1..32.
constexpr unsigned degree_class(unsigned degree) {
  return degree <= 2 ? degree - 1 : degree <= 4 ? 2 : degree <= 8 ? 3 : degree <= 16 ? 4 : 5;
}

}  // namespace warpmem
