// SPDX-License-Identifier: Apache-2.0
// Set-associative tags with a replacement policy, shared by L1D and L2. A line is invalid, valid
// (clean or dirty) or reserved. An outstanding miss has taken the tag of a reserved
// line, whose data is not there yet.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/address_hash.hpp"
#include "base/types.hpp"
#include "cache/replacement/registry.hpp"

namespace warpmem::cache {

/// How an address selects its set.
enum class IndexHash : std::uint8_t {
  linear,
  xor5,       ///< the low five index bits XOR the five bits above the index (BU section V)
  polynomial  ///< PolynomialHash of the whole line number
};

/// When a miss takes its line.
enum class Allocate : std::uint8_t { on_miss, on_fill };

enum class LineState : std::uint8_t { invalid, reserved, valid };

inline constexpr LineId kNoLine = ~LineId(0);

class TagArray {
 public:
  /// `line_bytes` is a power of two, `sets` any number; `ways` is 1..kMaxWays.
  TagArray(std::uint32_t sets, std::uint32_t ways, std::uint32_t line_bytes, IndexHash hash,
           const ReplacementParams& replacement = {});

  std::uint32_t ways() const { return ways_; }
  std::uint32_t line_bytes() const { return line_bytes_; }
  std::uint32_t lines() const { return static_cast<std::uint32_t>(lines_.size()); }
  Addr block_of(Addr address) const { return address & ~Addr(line_bytes_ - 1); }

  /// The set of an address, and the set of a line.
  std::uint32_t set_of(Addr key) const;
  std::uint32_t set_of_line(LineId line) const { return line / ways_; }
  /// The line that holds `block` (reserved or valid), or kNoLine. `key` is the address that the set
  /// index is taken from: the block itself at L1D, the partition-local address at L2.
  LineId find(Addr block, Addr key) const;
  /// The line to give up in the set of `key`: an invalid one, else the one that the policy chooses
  /// among those that are not reserved, else kNoLine (every line of the set is reserved).
  LineId victim(Addr key) const;

  LineState state(LineId line) const { return lines_[line].state; }
  Addr block(LineId line) const { return tags_[line]; }
  bool dirty(LineId line) const { return lines_[line].dirty; }
  void set_dirty(LineId line) { lines_[line].dirty = true; }

  /// Notes a hit: the policy learns of it, and the line's hit bit is set.
  void touch(LineId line) {
    replacement_->touched(line);
    lines_[line].hit = true;
  }
  /// The hit bit (KI 5.2): whether a request has hit the line since its miss.
  bool hit(LineId line) const { return lines_[line].hit; }
  /// Takes `line` for an outstanding miss of `block`; what the line held is gone.
  void reserve(LineId line, Addr block);
  /// Makes a valid line wait for more bytes of its block: it is reserved, and keeps its place in
  /// the order of replacement.
  void await(LineId line) { lines_[line].state = LineState::reserved; }
  /// From now on `block` is present in `line`, and clean.
  void install(LineId line, Addr block);
  void invalidate(LineId line) {
    tags_[line] = kNoBlock;
    lines_[line] = {};
  }
  void invalidate_all();

 private:
  void take(LineId line, Addr block);

  static constexpr Addr kNoBlock = ~Addr(0);  // tag of an invalid line; no block has this address
  struct Line {
    LineState state = LineState::invalid;
    bool dirty = false;
    bool hit = false;
  };

  std::uint32_t sets_;
  bool power_of_two_;  // of sets; no division then
  std::uint32_t ways_;
  std::uint32_t line_bytes_;
  unsigned line_bits_;
  unsigned set_bits_;  // of the number of a set
  IndexHash hash_;
  PolynomialHash polynomial_;
  std::unique_ptr<Replacement> replacement_;
  std::vector<Addr> tags_;  // kept apart from the rest, since a look-up reads only these
  std::vector<Line> lines_;
};

}  // namespace warpmem::cache
