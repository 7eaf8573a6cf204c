// SPDX-License-Identifier: Apache-2.0
// Which of a cache's banks are in use (docs/mechanisms.md 1.2). Bank b holds the sectors of 32 B
// whose number is b modulo the banks, and serves one of them a cycle. A cache with one bank takes a
// request a cycle, whatever its size.
#pragma once

#include <array>
#include <cstdint>

#include "base/transaction.hpp"
#include "base/types.hpp"

namespace warpmem::cache {

class BankUse {
 public:
  static constexpr unsigned kMaxBanks = 8;

  /// `banks` is a power of two, at most kMaxBanks.
  explicit BankUse(unsigned banks) : banks_(banks) {}

  /// Returns whether several requests may be accepted in a cycle.
  bool several() const { return banks_ > 1; }
  /// To be called first in a cycle.
  void begin_cycle() { accepted_ = 0; }
  /// Returns whether the banks that `request` needs are free in cycle `now`, and the requests
  /// accepted in this cycle are of the same instruction of the LSU.
  bool can_take(const Payload& request, Cycle now) const {
    if (accepted_ != 0 && !(instruction_of(request) == instruction_)) return false;
    const std::array<std::uint8_t, kMaxBanks> sectors = sectors_of(request);
    for (unsigned b = 0; b < banks_; ++b)
      if (sectors[b] != 0 && free_from_[b] > now) return false;
    return true;
  }
  /// `request` is accepted in cycle `now`. Returns whether it is the first one of the cycle.
  bool take(const Payload& request, Cycle now) {
    const std::array<std::uint8_t, kMaxBanks> sectors = sectors_of(request);
    for (unsigned b = 0; b < banks_; ++b)
      if (sectors[b] != 0) free_from_[b] = now + sectors[b];
    instruction_ = instruction_of(request);
    return ++accepted_ == 1;
  }

 private:
  /// A warp issues at most one instruction at a time.
  struct Instruction {
    std::uint16_t warp = 0;
    Femtoseconds issued = 0;
    bool operator==(const Instruction& other) const {
      return warp == other.warp && issued == other.issued;
    }
  };
  static Instruction instruction_of(const Payload& request) {
    const Access& access = access_of(request);
    return {access.warp, access.at(Stage::issue)};
  }
  /// Returns how many sectors of each bank the request wants.
  std::array<std::uint8_t, kMaxBanks> sectors_of(const Payload& request) const {
    std::array<std::uint8_t, kMaxBanks> count{};
    const Addr first = request.get_address() / kSectorBytes;
    const Addr last = (request.get_address() + request.get_data_length() - 1) / kSectorBytes;
    const std::uint8_t wanted = access_of(request).sectors;
    for (Addr sector = first; sector <= last; ++sector)
      if (wanted == 0 || (wanted >> (sector - first) & 1) != 0) ++count[sector & (banks_ - 1)];
    return count;
  }

  unsigned banks_;
  unsigned accepted_ = 0;    // requests of this cycle
  Instruction instruction_;  // that of the last one
  std::array<Cycle, kMaxBanks> free_from_{};
};

}  // namespace warpmem::cache
