// SPDX-License-Identifier: Apache-2.0
// The DRAM device as its controller sees it: open rows, and the first cycle at which each command
// is legal. Every issued command moves those cycles; asking costs a few comparisons.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "dram/command.hpp"
#include "dram/timing.hpp"

namespace warpmem::dram {

class Device {
 public:
  /// `timing` is in cycles. `banks` is 1..64 and a multiple of organisation.groups().
  Device(const Timing& timing, unsigned banks, const Organisation& organisation);

  unsigned banks() const { return static_cast<unsigned>(banks_.size()); }
  bool is_open(unsigned bank) const { return banks_[bank].open; }
  std::uint32_t open_row(unsigned bank) const { return banks_[bank].row; }
  /// Returns whether a bank of `mask` (bit b: bank b) is open.
  bool any_open(std::uint64_t mask) const { return (open_banks_ & mask) != 0; }
  /// Bit b: bank b has a row open.
  std::uint64_t open_banks() const { return open_banks_; }
  /// Returns the bursts of a payload that touches `bytes` bytes from `offset` in its first burst.
  unsigned bursts(unsigned offset, unsigned bytes) const {
    const unsigned size = organisation_.burst_bytes;
    return (offset % size + bytes + size - 1) / size;
  }
  /// Cycles from a burst of a request to the next one when nothing else is on the way.
  unsigned burst_distance() const;
  /// The banks of the pseudo channel of `bank`, as bits.
  std::uint64_t pseudo_channel_banks(unsigned bank) const;

  /// Banks that take no command for a request, since a refresh is due there, as bits. The scheduler
  /// passes over them.
  void hold(std::uint64_t banks) { held_ = banks; }
  bool is_held(unsigned bank) const { return (held_ >> bank & 1) != 0; }
  std::uint64_t held() const { return held_; }

  /// First legal cycle of each command, given the commands issued so far. The caller checks that
  /// the bank's state (open or closed, the row) allows the command. PREA and REF take all banks of
  /// the pseudo channel of `bank`.
  Cycle activate_at(unsigned bank) const {
    return std::max({banks_[bank].activate, group(bank).activate, group(bank).window});
  }
  Cycle precharge_at(unsigned bank) const { return banks_[bank].precharge; }
  Cycle read_at(unsigned bank) const { return std::max(banks_[bank].column, group(bank).read); }
  Cycle write_at(unsigned bank) const { return std::max(banks_[bank].column, group(bank).write); }
  Cycle column_at(unsigned bank, bool write) const {
    return write ? write_at(bank) : read_at(bank);
  }
  Cycle precharge_all_at(unsigned bank) const;
  Cycle refresh_at(unsigned bank) const;
  Cycle refresh_bank_at(unsigned bank) const;

  /// Issues a command at `now`. Preconditions: the bank is closed (activate, refresh) or open
  /// (precharge, column commands), and `now` is not before the cycle that the functions above give.
  void activate(unsigned bank, std::uint32_t row, Cycle now);
  void precharge(unsigned bank, Cycle now);
  /// Closes the row of the column command just issued at the first legal cycle. Precondition: the
  /// bank is open.
  void auto_precharge(unsigned bank) { precharge(bank, banks_[bank].precharge); }
  void precharge_all(unsigned bank, Cycle now);
  void refresh(unsigned bank, Cycle now);
  void refresh_bank(unsigned bank, Cycle now);
  /// Issues a READ or WRITE that moves `beats` beats; returns the cycle after its last beat.
  Cycle column(unsigned bank, bool write, unsigned beats, Cycle now);

 private:
  // First legal cycle of each command, as far as the bank decides, or what it shares: with its bank
  // group, and with its pseudo channel, whose limits each of its groups repeats.
  struct Bank {
    bool open = false;
    std::uint32_t row = 0;
    Cycle activate = 0;
    Cycle precharge = 0;
    Cycle column = 0;
  };
  struct Group {
    Cycle activate = 0;  // or REFRESH
    Cycle window = 0;    // ACTIVATE, by tFAW
    Cycle read = 0;
    Cycle write = 0;
  };
  struct ActivateWindow {
    std::array<Cycle, 4> ends{};  // of the windows that the last four ACTIVATEs opened
    unsigned next = 0;
  };

  Group& group(unsigned bank) { return groups_[group_of_bank_[bank]]; }
  const Group& group(unsigned bank) const { return groups_[group_of_bank_[bank]]; }
  /// Lets no group of the pseudo channel of `bank` begin a command before `at`.
  void hold_back(unsigned bank, Cycle Group::*command, Cycle at) {
    for (std::size_t g = organisation_.pseudo_channel_of(bank); g < groups_.size();
         g += organisation_.pseudo_channels)
      groups_[g].*command = std::max(groups_[g].*command, at);
  }

  Timing timing_;
  Organisation organisation_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::array<std::uint8_t, 64> group_of_bank_{};
  std::array<ActivateWindow, 2> windows_;  // of the pseudo channels
  std::uint64_t open_banks_ = 0;
  std::uint64_t held_ = 0;
};

}  // namespace warpmem::dram
