// SPDX-License-Identifier: Apache-2.0
// Timing parameters of a GDDR5-like device, in DRAM (command) clock cycles.
#pragma once

#include <cstdint>

#include "base/errors.hpp"
#include "base/params.hpp"

namespace warpmem::dram {

/// A payload is moved as a train of bursts of this many bytes; a shorter one moves a whole burst.
inline constexpr unsigned kAtomBytes = 32;

struct Timing {
  std::uint32_t t_cl = 12;    ///< READ to its first data beat
  std::uint32_t t_wl = 4;     ///< WRITE to its first data beat
  std::uint32_t t_rp = 12;    ///< PRECHARGE to ACTIVATE or REFRESH
  std::uint32_t t_rc = 40;    ///< ACTIVATE to ACTIVATE of one bank
  std::uint32_t t_ras = 28;   ///< ACTIVATE to PRECHARGE
  std::uint32_t t_rcd = 12;   ///< ACTIVATE to READ or WRITE
  std::uint32_t t_rrd = 6;    ///< ACTIVATE to ACTIVATE of any two banks
  std::uint32_t t_wr = 12;    ///< last write data beat to PRECHARGE of the bank
  std::uint32_t t_cdlr = 5;   ///< last write data beat to READ of any bank (tWTR)
  std::uint32_t t_ccd = 2;    ///< column command to column command of any bank
  std::uint32_t t_rtp = 2;    ///< READ of the last burst of a train to PRECHARGE
  std::uint32_t t_turn = 2;   ///< idle data-bus cycles between read data and write data
  std::uint32_t t_faw = 0;    ///< window that holds at most four ACTIVATEs, 0 = no limit
  std::uint32_t t_refi = 0;   ///< refresh interval, 0 = no refresh
  std::uint32_t t_rfc = 102;  ///< REFRESH to ACTIVATE

  void describe(Schema& schema);
  void validate(Problems& problems) const;
};

}  // namespace warpmem::dram
