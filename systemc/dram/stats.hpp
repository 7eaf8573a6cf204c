// SPDX-License-Identifier: Apache-2.0
// What a DRAM channel counts (docs/mechanisms.md 1.5 and 7).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/stats.hpp"
#include "base/types.hpp"

namespace warpmem::dram {

/// The length of the union of intervals whose starts do not decrease. An interval is opened when it
/// starts. It is closed when its end, which may lie ahead, is known.
class BusyTime {
 public:
  void open(Cycle start) {
    if (open_++ == 0 && start > end_) {
      settle();
      start_ = start;
    }
  }
  void close(Cycle end) {
    --open_;
    end_ = std::max(end_, end);
  }
  /// Moves what is known into the total, which is exact when no interval is open.
  void settle() {
    if (end_ <= start_) return;
    total_ += end_ - start_;
    start_ = end_;
  }
  const std::uint64_t& total() const { return total_; }

 private:
  unsigned open_ = 0;
  Cycle start_ = 0;
  Cycle end_ = 0;
  std::uint64_t total_ = 0;
};

struct BankStats {
  std::uint64_t accesses = 0;  ///< column commands
  std::uint64_t activates = 0;
  std::uint64_t refreshes = 0;
  /// Cycles from the first command for a request to its last data beat, summed.
  std::uint64_t busy_cycles = 0;
};

struct ChannelStats {
  /// `buses` is the number of pseudo channels.
  ChannelStats(unsigned banks, unsigned queue, unsigned buses);

  std::uint64_t reads = 0;  ///< read requests accepted
  std::uint64_t writes = 0;
  std::uint64_t rejected = 0;   ///< requests answered with an error status
  std::uint64_t responses = 0;  ///< responses sent, errors included
  /// Cycles in which a request waited outside, over all links: the queue was full, or the other
  /// queue had an older one for its bytes.
  std::uint64_t blocked_cycles = 0;
  std::uint64_t row_hits = 0;  ///< requests that found their row open
  std::uint64_t row_misses = 0;
  std::uint64_t row_conflicts = 0;
  std::uint64_t column_commands = 0;
  std::uint64_t activates = 0;
  std::uint64_t reactivations = 0;  ///< a refresh, or the other queue, closed the row
  std::uint64_t precharges = 0;
  std::uint64_t surplus_precharges = 0;  ///< precharges that are not the one conflict of a request
  std::uint64_t precharge_alls = 0;      ///< precharges of all banks, before a refresh
  std::uint64_t auto_precharges = 0;
  std::uint64_t write_drains = 0;  ///< drains that the high watermark began
  std::uint64_t refreshes = 0;
  std::uint64_t refresh_precharges = 0;   ///< precharges of a bank before its refresh
  std::uint64_t refresh_late_cycles = 0;  ///< cycles from when a refresh is due to it, summed
  std::uint64_t served = 0;               ///< requests with a column command
  std::uint64_t commands_due = 0;         ///< column commands that accepted requests need
  std::uint64_t data_cycles = 0;          ///< cycles in which a data bus moved a beat, of all buses
  std::uint64_t bank_cycles = 0;          ///< busy banks summed over cycles
  /// Cycles with a request in the channel (without the latency adder).
  BusyTime pending;
  /// Those times the data buses, as of the last snapshot.
  std::uint64_t pending_bus_cycles = 0;
  BusyTime any_bank;  ///< cycles in which some bank was busy
  unsigned data_buses;
  std::vector<BankStats> banks;
  Histogram queue_occupancy;  ///< cycles by number of queued requests, while there are any
  Histogram read_latency;     ///< DRAM cycles from acceptance to the last beat

  void register_in(StatGroup& group);
  /// What a channel with refreshes counts besides.
  void register_refreshes_in(StatGroup& group, bool per_bank);
};

}  // namespace warpmem::dram
