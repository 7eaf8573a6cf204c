// SPDX-License-Identifier: Apache-2.0
// Conformance cases: an instruction as written, and a check of it against arithmetic of the host.
// ptx_coverage_test.cpp compares their spellings with what the interpreter accepts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {

struct Case {
  std::string spelling;  ///< opcode with all modifiers
  std::function<void()> run;
};
using Cases = std::vector<Case>;

/// Returns the expected bits of the result for raw operand bits.
using Expected = std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)>;

/// Adds a case of `spelling %d, %a, ...` (or other operands) on all combinations.
inline void add_case(Cases& cases, const std::string& spelling, Widths widths, Combinations in,
                     Expected expected, const std::string& operands, const std::string& before = "",
                     const std::string& after = "") {
  cases.push_back({spelling, [=] {
                     check(before + spelling + " " + operands + ";" + after, widths, in, expected);
                   }});
}

inline void run_all(const Cases& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.spelling);
    c.run();
    if (testing::Test::HasFatalFailure()) return;
  }
}

using Wide = __int128;

/// This is an integer type of PTX.
struct IntType {
  const char* name;
  unsigned bytes;
  bool is_signed;
};
inline const std::vector<IntType>& integer_types() {
  static const std::vector<IntType> kTypes = {{"u16", 2, false}, {"s16", 2, true},
                                              {"u32", 4, false}, {"s32", 4, true},
                                              {"u64", 8, false}, {"s64", 8, true}};
  return kTypes;
}

inline std::uint64_t low_bytes(unsigned bytes) {
  return bytes >= 8 ? ~0ULL : (1ULL << (8 * bytes)) - 1;
}
/// Returns the number that the bits of a type stand for.
inline Wide number(std::uint64_t bits, IntType t) {
  bits &= low_bytes(t.bytes);
  if (t.is_signed && bits >> (8 * t.bytes - 1) & 1) return Wide(bits) - (Wide(1) << (8 * t.bytes));
  return Wide(bits);
}
inline std::uint64_t wrapped(Wide v, unsigned bytes) {
  return static_cast<std::uint64_t>(v) & low_bytes(bytes);
}
inline Wide clamped(Wide v, Wide low, Wide high) { return v < low ? low : v > high ? high : v; }

// There is one function a theme, each in a header of its name.
inline Cases integer_cases();
inline Cases bits_cases();
inline Cases float_cases();
inline Cases half_cases();
inline Cases compare_cases();
inline Cases convert_cases();
inline Cases memory_cases();
inline Cases atomic_cases();
inline Cases flow_cases();

}  // namespace warpmem::program::ptx
