// SPDX-License-Identifier: Apache-2.0
// The DRAM device as its controller sees it: open rows, and the first cycle at which each command
// is legal. Every issued command moves those cycles; asking costs a few comparisons.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dram/command.hpp"
#include "dram/timing.hpp"

namespace warpmem::dram {

class Device {
 public:
  /// `banks` is 1..64; `bus_bytes`, the bytes of a data-bus cycle, 1..kAtomBytes.
  Device(const Timing& timing, unsigned banks, unsigned bus_bytes);

  unsigned banks() const { return static_cast<unsigned>(banks_.size()); }
  bool is_open(unsigned bank) const { return banks_[bank].open; }
  std::uint32_t open_row(unsigned bank) const { return banks_[bank].row; }
  bool any_open() const { return open_banks_ != 0; }
  /// Returns the data-bus cycles of a payload that touches `bytes` bytes from `offset` in its first
  /// atom.
  unsigned beats(unsigned offset, unsigned bytes) const {
    return (offset % kAtomBytes + bytes + kAtomBytes - 1) / kAtomBytes * atom_cycles_;
  }

  /// First legal cycle of each command, given the commands issued so far. The caller checks that
  /// the bank's state (open or closed, the row) allows the command.
  Cycle activate_at(unsigned bank) const;
  Cycle precharge_at(unsigned bank) const { return banks_[bank].precharge; }
  Cycle read_at(unsigned bank) const;
  Cycle write_at(unsigned bank) const;
  Cycle column_at(unsigned bank, bool write) const {
    return write ? write_at(bank) : read_at(bank);
  }
  Cycle precharge_all_at() const;
  Cycle refresh_at() const;

  /// Issues a command at `now`. Preconditions: the bank is closed (activate) or open (precharge,
  /// column commands), and `now` is not before the cycle that the functions above give.
  void activate(unsigned bank, std::uint32_t row, Cycle now);
  void precharge(unsigned bank, Cycle now);
  /// Closes the row of the column command just issued at the first legal cycle. Precondition: the
  /// bank is open.
  void auto_precharge(unsigned bank) { precharge(bank, banks_[bank].precharge); }
  void precharge_all(Cycle now);
  void refresh(Cycle now);
  /// Issues a READ or WRITE that moves `beats` beats; returns the cycle after its last beat.
  Cycle column(unsigned bank, bool write, unsigned beats, Cycle now);

 private:
  struct Bank {
    bool open = false;
    std::uint32_t row = 0;
    Cycle activate = 0;  // first legal cycle of each command, as far as this bank decides
    Cycle precharge = 0;
    Cycle column = 0;
  };

  Timing timing_;
  unsigned atom_cycles_;
  std::vector<Bank> banks_;
  std::uint64_t open_banks_ = 0;
  Cycle activate_ = 0;  // first legal cycle of each command, as far as the whole channel decides
  Cycle read_ = 0;
  Cycle write_ = 0;
  std::array<Cycle, 4> window_{};  // ends of the windows that the last four ACTIVATEs opened
  unsigned window_next_ = 0;
};

}  // namespace warpmem::dram
