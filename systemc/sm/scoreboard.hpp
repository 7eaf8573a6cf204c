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
    return inst.sources.low() | inst.destinations.low();
  }
  /// Whether the kernels have no register beyond those, so that one word a warp says all.
  bool one_word() const { return words_ == 1; }
  /// Whether none of these low_registers() is pending. Precondition: one_word().
  bool clear(unsigned warp, std::uint64_t registers) const {
    return (bits_[2 * warp] & registers) == 0;
  }
  bool clear(unsigned warp, const program::InstInfo& inst) const {
    return !any(pending(warp), inst);
  }
  /// Returns whether what blocks `inst` includes a memory access (for the stall classes).
  bool waits_for_memory(unsigned warp, const program::InstInfo& inst) const {
    if (one_word()) return (bits_[2 * warp + 1] & low_registers(inst)) != 0;
    return any(pending(warp) + words_, inst);
  }
  void reserve(unsigned warp, const program::InstInfo& inst, bool memory) {
    std::uint64_t* const row = bits_.data() + std::size_t(warp) * 2 * words_;
    if (one_word()) {
      row[0] |= inst.destinations.low();
      if (memory) row[1] |= inst.destinations.low();
      return;
    }
    for (const unsigned reg : inst.destinations) {
      row[reg / 64] |= bit(reg);
      if (memory) row[words_ + reg / 64] |= bit(reg);
    }
  }
  void release(unsigned warp, const program::InstInfo& inst) {
    std::uint64_t* const row = bits_.data() + std::size_t(warp) * 2 * words_;
    if (one_word()) {
      row[0] &= ~inst.destinations.low();
      row[1] &= ~inst.destinations.low();
      return;
    }
    for (const unsigned reg : inst.destinations) {
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
    for (const unsigned reg : inst.sources) hit |= row[reg / 64] & bit(reg);
    for (const unsigned reg : inst.destinations) hit |= row[reg / 64] & bit(reg);
    return hit != 0;
  }

  unsigned warps_;
  unsigned words_ = 0;
  // Of each warp words_ words of the pending registers, and as many of those that memory writes.
  std::vector<std::uint64_t> bits_;
};

}  // namespace warpmem::sm
