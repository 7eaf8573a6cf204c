// SPDX-License-Identifier: Apache-2.0
// The line of an instruction as it came last. Most lines of a trace say again what an earlier one
// said, but for the mask and the addresses: they are recognised as bytes, and only what differs is
// read. What is recognised means what the words of the line would have meant; whatever is not
// exactly of the usual form is left to those who read words and tell what is wrong.
#pragma once

#include <string>
#include <string_view>

#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

class RepeatedLine {
 public:
  /// Keeps `line`: its mask of 8 digits at `mask`, and as much as the instruction says each time,
  /// which ends at `end`. `step` is what it stands for, apart from lanes and addresses.
  void remember(std::string_view line, std::size_t mask, std::size_t end, const Step& step);
  /// Returns whether `ahead` begins with such a line, and if so its mask. `ahead` ends before a
  /// "\n" that may be read.
  bool matches(std::string_view ahead, LaneMask& lanes) const;
  /// Returns where what is the same each time ends.
  std::size_t length() const { return text_.size(); }
  const Step& step() const { return step_; }

  static constexpr std::size_t kMaskDigits = 8;

 private:
  std::string text_;      // with the mask of that line; empty: nothing is known yet
  std::size_t mask_ = 0;  // where in text_ the mask is
  LaneMask lanes_ = 0;    // its value
  Step step_;
};

/// Reads " mode addresses" and an immediate that may follow, in the form that tracers write: one
/// blank between words, "0x" before addresses. Moves `at` behind it, to what must be the end of
/// the line, and returns true; or returns false for anything else, with `address` in any state. A
/// "\n" must follow somewhere.
bool scan_addresses(const char*& at, LaneMask lanes, Addr* address);

}  // namespace warpmem::program::trace
