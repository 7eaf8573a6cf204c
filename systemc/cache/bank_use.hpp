// SPDX-License-Identifier: Apache-2.0
// Which of a cache's banks are in use (docs/mechanisms.md 1.2). Bank b holds the sectors of 32 B,
// or the words of 4 B, whose number is b modulo the banks, and serves one of them a cycle. A cache
// with one bank takes a request a cycle, whatever its size.
#pragma once

#include <array>
#include <cstdint>

#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "base/types.hpp"
#include "cache/params.hpp"

namespace warpmem::cache {

class BankUse {
 public:
  static constexpr unsigned kMaxSectorBanks = 8;
  /// As many as a line has words, so that a request takes each for a cycle at most.
  static constexpr unsigned kWordBanks = kMaxLineBytes / 4;

  /// params.banks is a power of two, at most kMaxSectorBanks, or kWordBanks of words.
  explicit BankUse(const CacheParams& params)
      : banks_(params.banks),
        words_(params.bank_width == BankWidth::word),
        most_lines_(params.lookups),
        line_bytes_(params.line_bytes) {}

  /// Returns whether several requests may be accepted in a cycle.
  bool several() const { return banks_ > 1; }
  /// To be called first in a cycle.
  void begin_cycle() {
    accepted_ = lines_ = 0;
    used_words_ = 0;
  }
  /// Returns whether the banks that `request` needs are free in cycle `now`, the requests accepted
  /// in this cycle are of the same instruction of the LSU, and a tag may be looked up for it.
  bool can_take(const Payload& request, Cycle now) const {
    if (accepted_ != 0 && !(instruction_of(request) == instruction_)) return false;
    if (most_lines_ != 0 && lines_ == most_lines_ && line_of(request) != line_) return false;
    if (words_) return (words_of(request) & used_words_) == 0;
    const SectorCount sectors = sectors_of(request);
    for (unsigned b = 0; b < banks_; ++b)
      if (sectors[b] != 0 && free_from_[b] > now) return false;
    return true;
  }
  /// `request` is accepted in cycle `now`. Returns whether it is the first one of the cycle.
  bool take(const Payload& request, Cycle now) {
    if (words_) {
      used_words_ |= words_of(request);
    } else {
      const SectorCount sectors = sectors_of(request);
      for (unsigned b = 0; b < banks_; ++b)
        if (sectors[b] != 0) free_from_[b] = now + sectors[b];
    }
    instruction_ = instruction_of(request);
    // One lookup serves requests for a line that come one after the other.
    if (lines_ == 0 || line_of(request) != line_) ++lines_;
    line_ = line_of(request);
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
  using SectorCount = std::array<std::uint8_t, kMaxSectorBanks>;

  static Instruction instruction_of(const Payload& request) {
    const Access& access = access_of(request);
    return {access.warp, access.at(Stage::issue)};
  }
  Addr line_of(const Payload& request) const { return request.get_address() / line_bytes_; }
  /// Calls `visit` with the number of each sector that the request wants.
  template <class Visit>
  static void each_sector(const Payload& request, Visit visit) {
    const Addr first = request.get_address() / kSectorBytes;
    const Addr last = (request.get_address() + request.get_data_length() - 1) / kSectorBytes;
    const std::uint8_t wanted = access_of(request).sectors;
    for (Addr sector = first; sector <= last; ++sector)
      if (wanted == 0 || (wanted >> (sector - first) & 1) != 0) visit(sector);
  }
  /// Returns how many sectors of each bank the request wants.
  SectorCount sectors_of(const Payload& request) const {
    SectorCount count{};
    each_sector(request, [&](Addr sector) { ++count[sector & (banks_ - 1)]; });
    return count;
  }
  /// Returns the banks of the words that the request wants, a bit each.
  static std::uint32_t words_of(const Payload& request) {
    if (const std::uint32_t words = access_of(request).words)
      return words << request.get_address() / 4 % kWordBanks;
    std::uint32_t words = 0;
    constexpr unsigned kOfSector = kSectorBytes / 4;
    each_sector(request, [&](Addr sector) {
      words |= ((1u << kOfSector) - 1) << sector * kOfSector % kWordBanks;
    });
    return words;
  }

  unsigned banks_;
  bool words_;
  unsigned most_lines_, line_bytes_;
  unsigned accepted_ = 0;                           // requests of this cycle
  Instruction instruction_;                         // that of the last one
  unsigned lines_ = 0;                              // of this cycle
  Addr line_ = 0;                                   // that of the last request
  std::array<Cycle, kMaxSectorBanks> free_from_{};  // of banks of sectors
  std::uint32_t used_words_ = 0;                    // of banks of words: those used in this cycle
};

}  // namespace warpmem::cache
