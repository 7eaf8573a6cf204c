// SPDX-License-Identifier: Apache-2.0
// The state of all sets of a DAU, read from the RTL's pins or from the core.
#pragma once

#include <array>
#include <cstdint>

#include "units/bits_for.hpp"
#include "units/dau/dau_unit.hpp"

namespace warpmem::units {

/// Spreads eight bits, one into the lowest bit of each byte.
inline std::uint64_t dau_spread(std::uint64_t bits) {
  constexpr std::uint64_t kOwnBit = 0x8040201008040201ULL;
  constexpr std::uint64_t kLowSeven = 0x7f7f7f7f7f7f7f7fULL;
  const std::uint64_t own = bits * 0x0101010101010101ULL & kOwnBit;
  return ((own + kLowSeven) | own) >> 7 & 0x0101010101010101ULL;
}

/// This table gives the state by the bits H, L, S_free, S_full, fail, releasing (bit 0 to 5), and
/// 15 for what no state gives.
inline constexpr unsigned kDauIllegal = 15;
constexpr std::array<std::uint8_t, 64> dau_state_table(bool reserved) {
  std::array<std::uint8_t, 64> table{};
  for (unsigned i = 0; i < 64; ++i) {
    const bool head = i & 1, linked = i & 2;
    const unsigned rest = i >> 2;  // S_free, S_full, fail, releasing
    const unsigned base = head ? 0 : 5;
    unsigned state = kDauIllegal;
    if (rest == 0b0001 && !linked && head == reserved) state = 0;
    if (rest == 0b0000 && !linked) state = base + 1;
    if (rest == 0b0010) state = base + (linked ? 3 : 2);
    if (rest == 0b0110 && !linked) state = base + 4;
    if (rest == 0b1000) state = base + 5;
    table[i] = static_cast<std::uint8_t>(state);
  }
  return table;
}

template <unsigned kSets, unsigned kSlots, unsigned kReserved>
class DauStateReader {
 public:
  /// `bits.byte(port, lsb)` gives eight bits of a port. The ports count, next and peer are bit
  /// planes: bit b of set i stands at b * kSets + i.
  template <class Top, class Bits>
  DauSets of_pins(const Top& top, const Bits& bits) {
    for (unsigned i = 0; i < kSets; i += 8) {
      const std::uint64_t linked = dau_spread(bits.byte(top.linked_o, i));
      const std::uint64_t state = dau_spread(bits.byte(top.head_o, i)) | linked << 1 |
                                  dau_spread(bits.byte(top.s_free_o, i)) << 2 |
                                  dau_spread(bits.byte(top.s_full_o, i)) << 3 |
                                  dau_spread(bits.byte(top.fail_o, i)) << 4 |
                                  dau_spread(bits.byte(top.releasing_o, i)) << 5;
      for (unsigned j = 0; j < 8; ++j) {
        const unsigned reserved = i + j < kReserved ? 1 : 0;
        state_[i + j] = static_cast<DauState>(kState[reserved][state >> 8 * j & 63]);
        linked_[i + j] = static_cast<std::uint8_t>(linked >> 8 * j & 1);
      }
      numbers(bits, top.count_o, i, bits_for(kSlots), &count_[i]);
      numbers(bits, top.next_o, i, bits_for(kSets), &next_[i]);
      numbers(bits, top.peer_o, i, bits_for(kSets), &peer_[i]);
    }
    return sets();
  }
  template <class Core>
  DauSets of_core(const Core& core) {
    for (unsigned i = 0; i < kSets; ++i) {
      state_[i] = static_cast<DauState>(core.state(i));
      count_[i] = core.count(i);
      linked_[i] = core.linked(i);
      next_[i] = core.next(i);
      peer_[i] = core.peer(i);
    }
    return sets();
  }

 private:
  static constexpr unsigned kPadded = (kSets + 7) / 8 * 8;  // pins are looked at by eights
  static constexpr std::array<std::uint8_t, 64> kState[2] = {dau_state_table(false),
                                                             dau_state_table(true)};

  /// Gives the numbers of eight sets from `first` on, of at most 16 bits each.
  template <class Bits, class Port, class T>
  static void numbers(const Bits& bits, const Port& port, unsigned first, int width, T* to) {
    std::uint64_t bytes[2] = {0, 0};
    for (int b = 0; b < width; ++b)
      bytes[b / 8] |= dau_spread(bits.byte(port, static_cast<unsigned>(b) * kSets + first))
                      << (b % 8);
    for (unsigned i = 0; i < 8; ++i)
      to[i] = static_cast<T>((bytes[0] >> 8 * i & 0xff) | (bytes[1] >> 8 * i & 0xff) << 8);
  }
  DauSets sets() const {
    return {state_.data(), count_.data(), linked_.data(), next_.data(), peer_.data()};
  }

  std::array<DauState, kPadded> state_{};
  std::array<std::uint8_t, kPadded> count_{};
  std::array<std::uint8_t, kPadded> linked_{};
  std::array<std::uint16_t, kPadded> next_{};
  std::array<std::uint16_t, kPadded> peer_{};
};

}  // namespace warpmem::units
