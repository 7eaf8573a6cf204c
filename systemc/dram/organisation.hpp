// SPDX-License-Identifier: Apache-2.0
// How a channel is built: its banks' groups and pseudo channels, buses, bursts and refresh.
#pragma once

#include <cstdint>

namespace warpmem::dram {

/// `row_and_column`: a row command (ACT, PRE, REF) and a column command (RD, WR) in one cycle.
enum class CommandBus : std::uint8_t { one, row_and_column };
/// What a REFRESH takes: nothing, all banks of a pseudo channel, or one bank.
enum class Refresh : std::uint8_t { none, all_bank, per_bank };
/// What a READ or WRITE moves: all bursts of a request, or one.
enum class ColumnCommand : std::uint8_t { train, burst };

/// Which bits of a bank's number within its pseudo channel say its group: the lowest ones, so that
/// neighbouring banks lie apart, or the highest ones, so that they lie together.
enum class GroupBits : std::uint8_t { low, high };

/// Bank b is bank b div `pseudo_channels` of pseudo channel b mod `pseudo_channels`.
struct Organisation {
  /// Bytes that a data bus moves in a cycle: 1, 2, 4, 8, 16 or 32. A pseudo channel has one.
  std::uint32_t bus_bytes = 8;
  /// Bytes of a burst, which is moved whole: 32, 64 or 128.
  std::uint32_t burst_bytes = 32;
  std::uint32_t bank_groups = 1;  ///< of a pseudo channel: a power of two
  GroupBits group_bits = GroupBits::low;
  std::uint32_t pseudo_channels = 1;  ///< 1 or 2
  CommandBus command_bus = CommandBus::one;
  ColumnCommand column_command = ColumnCommand::train;
  Refresh refresh = Refresh::none;

  /// Data-bus cycles of a burst.
  unsigned burst_cycles() const { return burst_bytes / bus_bytes; }
  unsigned pseudo_channel_of(unsigned bank) const { return bank & (pseudo_channels - 1); }
  /// Bank groups are counted over all pseudo channels.
  unsigned groups() const { return bank_groups * pseudo_channels; }
  /// `banks` is the number of the channel's banks, a multiple of groups().
  unsigned group_of(unsigned bank, unsigned banks) const {
    if (group_bits == GroupBits::low) return bank & (groups() - 1);
    const unsigned in_group = banks / groups();
    return bank / pseudo_channels / in_group * pseudo_channels + pseudo_channel_of(bank);
  }
  /// Number of parts of a channel of `banks` banks that are refreshed in turn. Of part p, p is a
  /// bank.
  unsigned refresh_units(unsigned banks) const {
    return refresh == Refresh::per_bank ? banks : pseudo_channels;
  }
};

}  // namespace warpmem::dram
