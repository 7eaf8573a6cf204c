// SPDX-License-Identifier: Apache-2.0
// Timing parameters of a DRAM device, in DRAM (command) clock cycles or nanoseconds.
#pragma once

#include <cstdint>

#include "base/clock_time.hpp"
#include "base/errors.hpp"
#include "base/params.hpp"
#include "dram/organisation.hpp"

namespace warpmem::dram {

/// Any two banks are those of one pseudo channel: nothing but the command bus couples two of these.
/// The times that end in _l hold within a bank group, and count only where there are several.
struct Timing {
  ClockTime t_cl = 12;      ///< READ to its first data beat
  ClockTime t_wl = 4;       ///< WRITE to its first data beat
  ClockTime t_rp = 12;      ///< PRECHARGE to ACTIVATE or REFRESH
  ClockTime t_rc = 40;      ///< ACTIVATE to ACTIVATE of one bank
  ClockTime t_ras = 28;     ///< ACTIVATE to PRECHARGE
  ClockTime t_rcd = 12;     ///< ACTIVATE to READ or WRITE
  ClockTime t_rrd = 6;      ///< ACTIVATE to ACTIVATE of any two banks
  ClockTime t_rrd_l = 6;    ///< ACTIVATE to ACTIVATE of one bank group
  ClockTime t_wr = 12;      ///< last write data beat to PRECHARGE of the bank
  ClockTime t_cdlr = 5;     ///< last write data beat to READ of any bank (tWTR)
  ClockTime t_wtr_l = 5;    ///< last write data beat to READ of the bank group
  ClockTime t_ccd = 2;      ///< column command to column command of any bank
  ClockTime t_ccd_l = 3;    ///< column command to column command of one bank group
  ClockTime t_rtp = 2;      ///< READ of the last burst of a train to PRECHARGE
  ClockTime t_turn = 2;     ///< idle data-bus cycles between read data and write data
  ClockTime t_faw = 0;      ///< window that holds at most four ACTIVATEs, 0 = no limit
  ClockTime t_refi = 1756;  ///< interval at which each bank is refreshed
  ClockTime t_rfc = 102;    ///< REFRESH of all banks to ACTIVATE
  ClockTime t_rfc_pb = 51;  ///< REFRESH of one bank to ACTIVATE of this bank
  ClockTime t_rrefd = 6;    ///< REFRESH of one bank to ACTIVATE or REFRESH of another one

  /// Returns the same in cycles of a command clock of `hertz`. Device and TimingChecker take no
  /// other.
  Timing in_cycles(std::uint64_t hertz) const;

  /// `organisation` decides which keys have an effect; it must live as long as the schema.
  void describe(Schema& schema, const Organisation& organisation);
  /// Refuses times that contradict each other, with the names of both keys. `hertz` is the command
  /// clock, `banks` the number of banks of a channel.
  void validate(Problems& problems, const Organisation& organisation, unsigned banks,
                std::uint64_t hertz) const;
};

}  // namespace warpmem::dram
