// SPDX-License-Identifier: Apache-2.0
#include "dram/timing.hpp"

namespace warpmem::dram {

void Timing::describe(Schema& s) {
  const char* const bu = "BU Table II";
  const char* const gtx480 = "GPGPU-Sim's GTX480 set";
  const IntRange any{0, 4096};
  const IntRange some{1, 4096};
  s.integer("tCL", t_cl, some, "READ to its first data beat, DRAM cycles", bu);
  s.integer("tWL", t_wl, some, "WRITE to its first data beat, DRAM cycles", gtx480);
  s.integer("tRP", t_rp, some, "PRECHARGE to ACTIVATE of the bank, DRAM cycles", bu);
  s.integer("tRC", t_rc, some, "ACTIVATE to ACTIVATE of one bank, DRAM cycles", bu);
  s.integer("tRAS", t_ras, some, "ACTIVATE to PRECHARGE, DRAM cycles", bu);
  s.integer("tRCD", t_rcd, some, "ACTIVATE to READ or WRITE, DRAM cycles", bu);
  s.integer("tRRD", t_rrd, any, "ACTIVATE to ACTIVATE of any two banks, DRAM cycles", bu);
  s.integer("tWR", t_wr, any, "last write data beat to PRECHARGE of the bank, DRAM cycles", bu);
  s.integer("tCDLR", t_cdlr, any, "last write data beat to READ (tWTR), DRAM cycles", bu);
  s.integer("tCCD", t_ccd, some, "column command to column command, DRAM cycles", gtx480);
  s.integer("tRTP", t_rtp, any, "READ of the last burst to PRECHARGE, DRAM cycles", gtx480);
  s.integer("turnaround", t_turn, any,
            "idle data-bus cycles between read data and write data, DRAM cycles",
            "GPGPU-Sim: tRTW = CL + burst + 2 - WL");
  s.integer("tFAW", t_faw, any, "window of at most four ACTIVATEs, DRAM cycles, 0 = no limit",
            "off in BU and GPGPU-Sim; 24 is usual for GDDR5");
  s.integer("tREFI", t_refi, {0, 10'000'000}, "refresh interval, DRAM cycles, 0 = no refresh",
            "off in BU and GPGPU-Sim; 1756 is usual for GDDR5");
  s.only_if(
      "dram.timing.tREFI > 0", [this] { return t_refi != 0; },
      [&] {
        s.integer("tRFC", t_rfc, some, "REFRESH to ACTIVATE, DRAM cycles", "usual for GDDR5");
      });
}

void Timing::validate(Problems& problems) const {
  if (t_refi != 0 && t_refi <= t_rfc + t_ras + t_rp + t_wr + t_wl)
    problems.add("dram.timing.tREFI", std::to_string(t_refi) +
                                          " leaves no time between refreshes; " +
                                          "it must exceed tRFC + tRAS + tRP + tWR + tWL");
  if (t_rc < t_ras)
    problems.add("dram.timing.tRC",
                 std::to_string(t_rc) + " is shorter than tRAS " + std::to_string(t_ras));
  if (t_faw != 0 && t_faw < t_rrd)
    problems.add("dram.timing.tFAW", std::to_string(t_faw) + " is shorter than tRRD " +
                                         std::to_string(t_rrd) + "; 0 turns the limit off");
}

}  // namespace warpmem::dram
