// SPDX-License-Identifier: Apache-2.0
#include "dram/timing.hpp"

#include <initializer_list>
#include <string>

namespace warpmem::dram {

namespace {

using Field = ClockTime Timing::*;

struct Named {
  Field field;
  const char* key;
};

constexpr Named kFields[] = {
    {&Timing::t_cl, "tCL"},        {&Timing::t_wl, "tWL"},       {&Timing::t_rp, "tRP"},
    {&Timing::t_rc, "tRC"},        {&Timing::t_ras, "tRAS"},     {&Timing::t_rcd, "tRCD"},
    {&Timing::t_rrd, "tRRD"},      {&Timing::t_rrd_l, "tRRD_L"}, {&Timing::t_wr, "tWR"},
    {&Timing::t_cdlr, "tCDLR"},    {&Timing::t_wtr_l, "tWTR_L"}, {&Timing::t_ccd, "tCCD"},
    {&Timing::t_ccd_l, "tCCD_L"},  {&Timing::t_rtp, "tRTP"},     {&Timing::t_turn, "turnaround"},
    {&Timing::t_faw, "tFAW"},      {&Timing::t_refi, "tREFI"},   {&Timing::t_rfc, "tRFC"},
    {&Timing::t_rfc_pb, "tRFCpb"}, {&Timing::t_rrefd, "tRREFD"}};

const std::string kGroup = "dram.timing.";

std::string key_of(Field field) {
  for (const Named& named : kFields)
    if (named.field == field) return kGroup + named.key;
  return kGroup;
}

/// Finds times that contradict each other, in cycles and as they are written.
class Contradictions {
 public:
  Contradictions(Problems& problems, const Timing& written, std::uint64_t hertz)
      : problems_(problems), written_(written), cycles_(written.in_cycles(hertz)) {}

  std::uint64_t cycles(Field field) const { return cycles_.*field; }

  /// Complains unless `longer` is at least the sum of `parts`. Times become cycles one by one, here
  /// and in the tables of papers, and rounding up may add a cycle for every part but the first (KI
  /// Table 4.3 has tRC 40 with 28 + 13). `instead` is what else is allowed.
  void at_least(Field longer, std::initializer_list<Field> parts, const char* instead = "") {
    std::uint64_t sum = 0;
    std::string keys;
    for (const Field part : parts) {
      sum += cycles(part);
      keys += (keys.empty() ? "" : " + ") + key_of(part);
    }
    const std::uint64_t least = sum - (parts.size() - 1);
    if (cycles(longer) >= least) return;
    problems_.add(key_of(longer), (written_.*longer).text() + " is shorter than " + keys + ", " +
                                      std::to_string(cycles(longer)) + " against " +
                                      std::to_string(sum) + " DRAM cycles; allowed: at least " +
                                      std::to_string(least) + instead);
  }

 private:
  Problems& problems_;
  const Timing& written_;
  Timing cycles_;
};

}  // namespace

Timing Timing::in_cycles(std::uint64_t hertz) const {
  Timing cycles = *this;
  for (const Named& named : kFields) cycles.*named.field = (this->*named.field).in_cycles(hertz);
  return cycles;
}

void Timing::describe(Schema& s, const Organisation& organisation) {
  constexpr IntRange some{1, 4096}, any{0, 4096};
  const char* const bu = "BU Table II";
  const char* const gtx480 = "GPGPU-Sim's GTX480 set";
  s.time("tCL", t_cl, some, "READ to its first data beat, DRAM cycles", bu);
  s.time("tWL", t_wl, some, "WRITE to its first data beat, DRAM cycles", gtx480);
  s.time("tRP", t_rp, some, "PRECHARGE to ACTIVATE of the bank, DRAM cycles", bu);
  s.time("tRC", t_rc, some, "ACTIVATE to ACTIVATE of one bank, DRAM cycles", bu);
  s.time("tRAS", t_ras, some, "ACTIVATE to PRECHARGE, DRAM cycles", bu);
  s.time("tRCD", t_rcd, some, "ACTIVATE to READ or WRITE, DRAM cycles", bu);
  s.time("tRRD", t_rrd, any, "ACTIVATE to ACTIVATE of any two banks, DRAM cycles; also tRRD_S", bu);
  s.time("tWR", t_wr, any, "last write data beat to PRECHARGE of the bank, DRAM cycles", bu);
  s.time("tCDLR", t_cdlr, any, "last write data beat to READ, DRAM cycles; also tWTR and tWTR_S",
         bu);
  s.time("tCCD", t_ccd, some, "column command to column command, DRAM cycles; also tCCD_S", gtx480);
  s.time("tRTP", t_rtp, any, "READ of the last burst to PRECHARGE, DRAM cycles", gtx480);
  s.time("turnaround", t_turn, any,
         "idle data-bus cycles between read data and write data, DRAM cycles",
         "GPGPU-Sim: tRTW = CL + burst + 2 - WL");
  s.time("tFAW", t_faw, any, "window of at most four ACTIVATEs, DRAM cycles, 0 = no limit",
         "off in BU and GPGPU-Sim; 24 is usual for GDDR5");
  s.only_if(
      "dram.bank_groups > 1", [&organisation] { return organisation.bank_groups > 1; },
      [&] {
        s.time("tCCD_L", t_ccd_l, some,
               "column command to column command of one bank group, DRAM cycles", gtx480);
        s.time("tRRD_L", t_rrd_l, any, "ACTIVATE to ACTIVATE of one bank group, DRAM cycles",
               "as tRRD");
        s.time("tWTR_L", t_wtr_l, any,
               "last write data beat to READ of the bank group, DRAM cycles", "as tCDLR");
      });
  s.only_if(
      "dram.refresh: all_bank or per_bank",
      [&organisation] { return organisation.refresh != Refresh::none; },
      [&] {
        s.time("tREFI", t_refi, {1, 10'000'000},
               "interval at which each bank is refreshed, DRAM cycles", "usual for GDDR5");
      });
  s.only_if(
      "dram.refresh: all_bank",
      [&organisation] { return organisation.refresh == Refresh::all_bank; },
      [&] {
        s.time("tRFC", t_rfc, some, "REFRESH of all banks to ACTIVATE, DRAM cycles",
               "usual for GDDR5");
      });
  s.only_if(
      "dram.refresh: per_bank",
      [&organisation] { return organisation.refresh == Refresh::per_bank; },
      [&] {
        s.time("tRFCpb", t_rfc_pb, some,
               "REFRESH of one bank to ACTIVATE of this bank, DRAM cycles",
               "half of tRFC, as DRAMSim3's GDDR5");
        s.time("tRREFD", t_rrefd, any,
               "REFRESH of one bank to ACTIVATE or REFRESH of another one, DRAM cycles", "as tRRD");
      });
  s.alias(kGroup + "tCCD_S", kGroup + "tCCD");
  s.alias(kGroup + "tRRD_S", kGroup + "tRRD");
  s.alias(kGroup + "tWTR_S", kGroup + "tCDLR");
  s.alias(kGroup + "tWTR", kGroup + "tCDLR");
}

void Timing::validate(Problems& problems, const Organisation& organisation, unsigned banks,
                      std::uint64_t hertz) const {
  Contradictions found(problems, *this, hertz);
  found.at_least(&Timing::t_rc, {&Timing::t_ras, &Timing::t_rp});
  found.at_least(&Timing::t_ras, {&Timing::t_rcd});
  if (found.cycles(&Timing::t_faw) != 0)
    found.at_least(&Timing::t_faw, {&Timing::t_rrd}, ", or 0 (no limit)");
  if (organisation.bank_groups > 1) {
    const char* const groups = ", or dram.bank_groups: 1";
    found.at_least(&Timing::t_rrd_l, {&Timing::t_rrd}, groups);
    found.at_least(&Timing::t_ccd_l, {&Timing::t_ccd}, groups);
    found.at_least(&Timing::t_wtr_l, {&Timing::t_cdlr}, groups);
    const std::uint64_t within = found.cycles(&Timing::t_ccd_l);
    if (organisation.column_command == ColumnCommand::train && within > organisation.burst_cycles())
      problems.add(key_of(&Timing::t_ccd_l),
                   std::to_string(within) +
                       " DRAM cycles keep the bursts of a train apart, which "
                       "follow each other every " +
                       std::to_string(organisation.burst_cycles()) +
                       " (dram.burst_bytes / dram.bus_bytes); allowed: at most as many, "
                       "dram.column_command: burst, or dram.bank_groups: 1");
  }
  if (organisation.refresh == Refresh::none) return;
  // A REFRESH waits for a row just opened, and for a write to it. All units of a pseudo channel
  // have a turn in tREFI.
  const bool all = organisation.refresh == Refresh::all_bank;
  const Field after = all ? &Timing::t_rfc : &Timing::t_rrefd;
  const unsigned units = organisation.refresh_units(banks) / organisation.pseudo_channels;
  const std::uint64_t turn = found.cycles(&Timing::t_refi) / units;
  const std::uint64_t row = found.cycles(&Timing::t_ras) + found.cycles(&Timing::t_rp);
  const bool by_row = found.cycles(&Timing::t_rc) <= row;
  if (turn <= found.cycles(after) + (by_row ? row : found.cycles(&Timing::t_rc)) +
                  found.cycles(&Timing::t_wr) + found.cycles(&Timing::t_wl))
    problems.add(key_of(&Timing::t_refi),
                 t_refi.text() + " leaves no time between refreshes (dram.refresh: " +
                     (all ? "all_bank" : "per_bank") +
                     "); allowed: " + (units == 1 ? "" : "1/" + std::to_string(units) + " of it ") +
                     "more than " + key_of(after) + " + " +
                     (by_row ? "tRAS + tRP" : key_of(&Timing::t_rc)) + " + tWR + tWL");
  if (all) return;
  found.at_least(&Timing::t_rfc_pb, {&Timing::t_rrefd});
  found.at_least(&Timing::t_refi, {&Timing::t_rfc_pb, &Timing::t_rc, &Timing::t_wr});
}

}  // namespace warpmem::dram
