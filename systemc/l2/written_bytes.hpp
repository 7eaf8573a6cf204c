// SPDX-License-Identifier: Apache-2.0
// Which bytes of the lines of a bank are valid, where writes take lines without fetching them
// (l2.write_miss: validate). A line lacks bytes from such a write until others have written the
// rest or its fetch has arrived; all other lines are whole.
#pragma once

#include <vector>

#include "base/byte_mask.hpp"
#include "base/types.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::l2 {

class WrittenBytes {
 public:
  /// `lines` is 0 in a bank whose lines are always whole.
  WrittenBytes(std::uint32_t lines, std::uint32_t line_bytes)
      : whole_(ByteMask::range(0, line_bytes)), valid_(lines, whole_) {}

  bool partial(cache::LineId line) const { return !valid_.empty() && valid_[line] != whole_; }
  /// Precondition: partial(line).
  const ByteMask& of(cache::LineId line) const { return valid_[line]; }
  bool contains(cache::LineId line, const ByteMask& bytes) const {
    return valid_[line].contains(bytes);
  }
  bool whole(const ByteMask& bytes) const { return bytes == whole_; }
  /// Only these bytes of a line are valid now.
  void begin(cache::LineId line, const ByteMask& bytes) { valid_[line] = bytes; }
  /// These have become valid too.
  void add(cache::LineId line, const ByteMask& bytes) { valid_[line] |= bytes; }
  /// The line is whole, or holds nothing any more.
  void complete(cache::LineId line) {
    if (!valid_.empty()) valid_[line] = whole_;
  }

 private:
  ByteMask whole_;
  std::vector<ByteMask> valid_;
};

}  // namespace warpmem::l2
