// SPDX-License-Identifier: Apache-2.0
// Video instructions: of the parts of a register (ops_video.cpp) and of whole words
// (ops_scalar_video.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "program/ptx/lower.hpp"

namespace warpmem::program::ptx {

enum class Video : std::uint8_t { add, sub, absdiff, min, max, avrg, eq, ne, lt, le, gt, ge };

/// Returns what an instruction makes of two numbers, of which `T` has room for the sum.
template <class T>
T combined(Video op, T a, T b) {
  switch (op) {
    case Video::add:
      return a + b;
    case Video::sub:
      return a - b;
    case Video::absdiff:
      return std::abs(a - b);
    case Video::min:
      return std::min(a, b);
    case Video::max:
      return std::max(a, b);
    case Video::avrg:
      return (a + b + 1) / 2;
    case Video::eq:
      return a == b;
    case Video::ne:
      return a != b;
    case Video::lt:
      return a < b;
    case Video::le:
      return a <= b;
    case Video::gt:
      return a > b;
    case Video::ge:
      break;
  }
  return a >= b;
}

/// Takes the modifier that says how vset compares.
Video take_comparison(Lowering& x);

void add_video(LowerTable& table);
void add_scalar_video(LowerTable& table);

}  // namespace warpmem::program::ptx
