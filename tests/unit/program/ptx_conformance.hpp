// SPDX-License-Identifier: Apache-2.0
// Conformance cases: an instruction as written, and a check of it against arithmetic of the host.
// ptx_coverage_test.cpp compares their spellings with what the interpreter accepts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "unit/program/ptx_fixture.hpp"
#include "unit/program/ptx_numbers.hpp"

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

inline Wide clamped(Wide v, Wide low, Wide high) { return v < low ? low : v > high ? high : v; }

// There is one function a theme, each in a header of its name.
inline Cases integer_cases();
inline Cases bits_cases();
inline Cases float_cases();
inline Cases half_cases();
inline Cases compare_cases();
inline Cases convert_cases();
inline Cases memory_cases();
inline Cases mbarrier_cases();
inline Cases bulk_cases();
inline Cases async_write_cases();
inline Cases atomic_cases();
inline Cases flow_cases();
inline Cases matrix_cases();

}  // namespace warpmem::program::ptx
