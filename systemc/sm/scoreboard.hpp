// SPDX-License-Identifier: Apache-2.0
// The registers of each warp that have a write in flight. An instruction waits while one of its
// sources (RAW) or destinations (WAW) has one.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace warpmem::sm {

class Scoreboard {
 public:
  explicit Scoreboard(unsigned warps) : warps_(warps) {}

  /// Sizes the bit sets for kernels with up to `registers` registers. All bits must be clear.
  void resize(unsigned registers) {
    const unsigned words = (registers + 63) / 64;
    if (words > words_) {
      words_ = words;
      bits_.assign(std::size_t(warps_) * 2 * words_, 0);
    }
  }
  /// The registers of `inst` below 64, a bit for each: all that most kernels have.
  static std::uint64_t low_registers(const program::InstInfo& inst) {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < inst.sources; ++i) bits |= bit(inst.source[i]);
    for (unsigned i = 0; i < inst.destinations; ++i) bits |= bit(inst.destination[i]);
    return bits;
  }
  /// `low` is low_registers(inst).
  bool clear(unsigned warp, const program::InstInfo& inst, std::uint64_t low) const {
    return words_ == 1 ? (bits_[2 * warp] & low) == 0 : !any(pending(warp), inst);
  }
  /// Returns whether what blocks `inst` includes a memory access (for the stall classes).
  bool waits_for_memory(unsigned warp, const program::InstInfo& inst) const {
    return any(pending(warp) + words_, inst);
  }
  void reserve(unsigned warp, const program::InstInfo& inst, bool memory) {
    std::uint64_t* const row = bits_.data() + std::size_t(warp) * 2 * words_;
    for (unsigned i = 0; i < inst.destinations; ++i) {
      const unsigned reg = inst.destination[i];
      row[reg / 64] |= bit(reg);
      if (memory) row[words_ + reg / 64] |= bit(reg);
    }
  }
  void release(unsigned warp, const program::InstInfo& inst) {
    std::uint64_t* const row = bits_.data() + std::size_t(warp) * 2 * words_;
    for (unsigned i = 0; i < inst.destinations; ++i) {
      const unsigned reg = inst.destination[i];
      row[reg / 64] &= ~bit(reg);
      row[words_ + reg / 64] &= ~bit(reg);
    }
  }

 private:
  static std::uint64_t bit(unsigned reg) { return std::uint64_t(1) << (reg % 64); }
  const std::uint64_t* pending(unsigned warp) const {
    return bits_.data() + std::size_t(warp) * 2 * words_;
  }
  static bool any(const std::uint64_t* row, const program::InstInfo& inst) {
    std::uint64_t hit = 0;
    for (unsigned i = 0; i < inst.sources; ++i)
      hit |= row[inst.source[i] / 64] & bit(inst.source[i]);
    for (unsigned i = 0; i < inst.destinations; ++i)
      hit |= row[inst.destination[i] / 64] & bit(inst.destination[i]);
    return hit != 0;
  }

  unsigned warps_;
  unsigned words_ = 0;
  // Of each warp words_ words of the pending registers, and as many of those that memory writes.
  std::vector<std::uint64_t> bits_;
};

}  // namespace warpmem::sm
