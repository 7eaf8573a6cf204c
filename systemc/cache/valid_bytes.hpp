// SPDX-License-Identifier: Apache-2.0
// Which bytes of the lines of a cache are there, where lines may lack some: lines of sectors
// (l1d.sector, l2.sector), and writes that take a line without fetching it (l2.write_miss:
// validate).
#pragma once

#include <vector>

#include "base/byte_mask.hpp"
#include "base/types.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::cache {

class ValidBytes {
 public:
  /// `lines` is 0 in a cache whose valid lines are always whole.
  ValidBytes(std::uint32_t lines, std::uint32_t line_bytes)
      : whole_(ByteMask::range(0, line_bytes)), valid_(lines) {}

  /// Whether valid lines may lack bytes. If not, only whole() has a meaning.
  bool used() const { return !valid_.empty(); }
  /// The bytes of a whole line.
  const ByteMask& whole() const { return whole_; }
  bool partial(LineId line) const { return used() && valid_[line] != whole_; }
  /// Precondition of all the others: used().
  const ByteMask& of(LineId line) const { return valid_[line]; }
  bool contains(LineId line, const ByteMask& bytes) const { return valid_[line].contains(bytes); }
  /// Only these bytes of a line are valid now.
  void begin(LineId line, const ByteMask& bytes) { valid_[line] = bytes; }
  /// These have become valid too.
  void add(LineId line, const ByteMask& bytes) { valid_[line] |= bytes; }
  /// These are gone. Returns whether any is left.
  bool remove(LineId line, const ByteMask& bytes) {
    valid_[line] -= bytes;
    return !valid_[line].empty();
  }

 private:
  ByteMask whole_;
  std::vector<ByteMask> valid_;
};

}  // namespace warpmem::cache
