// SPDX-License-Identifier: Apache-2.0
// Set-associative tags with a replacement policy, shared by L1D and L2. A line is invalid, valid
// (sectors of it clean or dirty) or reserved: an outstanding miss has taken its tag, and none of
// its bytes are there yet. Outstanding misses hold their lines, valid ones too when sectors of them
// are missed; a line that is held is not replaced.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/address_hash.hpp"
#include "base/assert.hpp"
#include "base/types.hpp"
#include "cache/block_map.hpp"
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

/// Sectors of a line, a bit for each from the lowest; at most kMaxLineBytes / kSectorBytes.
using SectorMask = std::uint8_t;

enum class LineState : std::uint8_t { invalid, reserved, valid };

inline constexpr LineId kNoLine = ~LineId(0);

class TagArray {
 public:
  /// `line_bytes` is a power of two, `sets` any number; `ways` is 1..kMaxWays.
  TagArray(std::uint32_t sets, std::uint32_t ways, std::uint32_t line_bytes, IndexHash hash,
           const ReplacementParams& replacement = {});

  std::uint32_t ways() const { return ways_; }
  /// The ways of each set that lines may be in, the first ones; all of them at first.
  std::uint32_t used_ways() const { return used_ways_; }
  /// Changes that; 1..ways(). Precondition: every line is invalid.
  void use_ways(std::uint32_t ways);
  std::uint32_t line_bytes() const { return line_bytes_; }
  std::uint32_t lines() const { return static_cast<std::uint32_t>(lines_.size()); }
  Addr block_of(Addr address) const { return address & ~Addr(line_bytes_ - 1); }

  /// The set of an address. Set s has the lines s * ways() and following.
  std::uint32_t set_of(Addr key) const;
  /// The line that holds `block` (reserved or valid), or kNoLine. `key` is the address that the set
  /// index is taken from: the block itself at L1D, the partition-local address at L2. A block has
  /// one key.
  LineId find(Addr block, Addr key) const {
    if (found_.address != block) found_ = {block, search(block, key)};
    return found_.line;
  }
  /// The line to give up in the set of `key`: an invalid one, else the one that the policy chooses
  /// among the valid ones that are not held, else kNoLine (every line of the set is held).
  LineId victim(Addr key) const {
    if (victim_.address != key) victim_ = {key, choose(key)};
    return victim_.line;
  }

  LineState state(LineId line) const { return lines_[line].state; }
  Addr block(LineId line) const { return tags_[line]; }
  /// The dirty sectors, a bit for each. A line without sectors is one sector.
  SectorMask dirty(LineId line) const { return lines_[line].dirty; }
  void set_dirty(LineId line, SectorMask sectors = 1) { lines_[line].dirty |= sectors; }

  /// Notes a hit: the policy learns of it, and the line's hit bit is set.
  void touch(LineId line) {
    refer(line);
    lines_[line].hit = true;
  }
  /// Notes a miss on sectors of a valid line: the policy learns of it.
  void refer(LineId line) {
    replacement_->touched(line);
    victim_ = {};
  }
  /// The hit bit (KI 5.2): whether a request has hit the line since its miss.
  bool hit(LineId line) const { return lines_[line].hit; }
  /// Takes `line` for an outstanding miss of `block`, which holds it; what the line held is gone.
  void reserve(LineId line, Addr block);
  /// One more outstanding miss holds the line, which is reserved or valid.
  void hold(LineId line) {
    assert(lines_[line].state != LineState::invalid && lines_[line].holds < 255);
    ++lines_[line].holds;
    note_state(line);
  }
  /// A miss does not hold the line any more.
  void let_go(LineId line) {
    assert(lines_[line].holds > 0);
    --lines_[line].holds;
    note_state(line);
  }
  bool held(LineId line) const { return lines_[line].holds != 0; }
  /// From now on bytes of `block` are present in `line`, and clean. The miss for which it was
  /// reserved, if any, does not hold it any more.
  void install(LineId line, Addr block);
  /// No bytes of a line that is held are present any more.
  void empty(LineId line) {
    assert(held(line));
    lines_[line] = {LineState::reserved, lines_[line].holds, 0, false};
    note_state(line);
  }
  void invalidate(LineId line) {
    set_tag(line, kNoBlock);
    lines_[line] = {};
    note_state(line);
  }
  void invalidate_all();

 private:
  LineId search(Addr block, Addr key) const;
  LineId choose(Addr key) const;
  void take(LineId line, Addr block);
  void set_tag(LineId line, Addr block);
  /// Keeps the bits of the line; after each change of its state or its holds.
  void note_state(LineId line) {
    const Line& l = lines_[line];
    invalid_.assign(line, l.state == LineState::invalid);
    evictable_.assign(line, l.state == LineState::valid && l.holds == 0);
    victim_ = {};
  }

  static constexpr Addr kNoBlock = ~Addr(0);  // tag of an invalid line; no block has this address
  struct Line {
    LineState state = LineState::invalid;
    std::uint8_t holds = 0;  // outstanding misses that hold it
    SectorMask dirty = 0;
    bool hit = false;
  };

  /// A bit for each line, of which those of a set are read at once.
  class LineBits {
   public:
    LineBits(std::size_t lines, bool value)
        : words_(lines / 64 + 2, value ? ~std::uint64_t{0} : 0) {}
    void assign(LineId line, bool value) {
      const std::uint64_t bit = std::uint64_t{1} << (line % 64);
      std::uint64_t& word = words_[line / 64];
      word = value ? word | bit : word & ~bit;
    }
    /// Returns the bits of the `count` lines from `first` on, at most 64.
    std::uint64_t from(LineId first, unsigned count) const {
      const std::uint64_t* const word = words_.data() + first / 64;
      const unsigned shift = first % 64;
      const std::uint64_t bits = shift == 0 ? word[0] : word[0] >> shift | word[1] << (64 - shift);
      return count == 64 ? bits : bits & ((std::uint64_t{1} << count) - 1);
    }

   private:
    std::vector<std::uint64_t> words_;  // one more than there are bits for, to be read in pairs
  };

  std::uint32_t sets_;
  bool power_of_two_;  // of sets; no division then
  std::uint32_t ways_;
  std::uint32_t used_ways_;
  std::uint32_t line_bytes_;
  unsigned line_bits_;
  unsigned set_bits_;  // of the number of a set
  IndexHash hash_;
  PolynomialHash polynomial_;
  std::unique_ptr<Replacement> replacement_;
  std::vector<Addr> tags_;  // kept apart from the rest, since a look-up reads only these
  std::optional<BlockMap> line_of_block_;  // with many ways, which it would read one by one
  std::vector<Line> lines_;
  LineBits invalid_;
  LineBits evictable_;  // valid and not held

  /// The last answer, for a request that is refused and asks again; forgotten when it may change.
  struct Answer {
    Addr address = kNoBlock;
    LineId line = kNoLine;
  };
  mutable Answer found_;
  mutable Answer victim_;
};

}  // namespace warpmem::cache
