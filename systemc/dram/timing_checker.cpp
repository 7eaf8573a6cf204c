// SPDX-License-Identifier: Apache-2.0
#include "dram/timing_checker.hpp"

#include <algorithm>
#include <string_view>

#include "base/errors.hpp"

namespace warpmem::dram {

namespace {

bool closes(const CommandRecord& r) {
  return r.command == Command::precharge || r.command == Command::precharge_all;
}

bool refreshes(const CommandRecord& r) {
  return r.command == Command::refresh || r.command == Command::refresh_bank;
}

bool of_all_banks(const CommandRecord& r) {
  return r.command == Command::precharge_all || r.command == Command::refresh;
}

bool has_a_row(const CommandRecord& r) {
  return r.command == Command::activate || is_column(r.command);
}

}  // namespace

TimingChecker::TimingChecker(const Timing& timing, unsigned banks, const Organisation& organisation)
    : timing_(timing),
      organisation_(organisation),
      burst_cycles_(organisation.burst_bytes / organisation.bus_bytes),
      rows_(banks) {
  const Cycle longest_train = 128 / organisation.burst_bytes * burst_cycles_;
  const Cycle column = std::max<Cycle>(timing.t_cl, timing.t_wl) + longest_train + timing.t_turn;
  const Cycle write_to_read = std::max<Cycle>(timing.t_cdlr, timing.t_wtr_l);
  horizon_ = std::max<Cycle>({timing.t_rc, timing.t_ras, timing.t_rcd, timing.t_rrd, timing.t_rrd_l,
                              timing.t_faw, timing.t_rfc, timing.t_rfc_pb, timing.t_rrefd,
                              Cycle(timing.t_ras) + timing.t_rp, column + timing.t_wr + timing.t_rp,
                              column + write_to_read, longest_train + timing.t_rtp + timing.t_rp,
                              timing.t_ccd, timing.t_ccd_l});
}

std::string TimingChecker::text(const CommandRecord& r) const {
  std::string s = name_of(r.command);
  if (!of_all_banks(r))
    s += " bank " + std::to_string(r.bank);
  else if (organisation_.pseudo_channels > 1)
    s += " pseudo channel " + std::to_string(organisation_.pseudo_channel_of(r.bank));
  if (has_a_row(r)) s += " row " + std::to_string(r.row);
  return s + " at cycle " + std::to_string(r.cycle);
}

Cycle TimingChecker::data_start(const CommandRecord& r) const {
  return r.cycle + (r.command == Command::write ? timing_.t_wl : timing_.t_cl);
}

const char* TimingChecker::bank_state(const CommandRecord& r) const {
  switch (r.command) {
    case Command::activate:
      if (rows_[r.bank].open) return "ACTIVATE of an open bank";
      break;
    case Command::precharge:
      if (!rows_[r.bank].open) return "PRECHARGE of a closed bank";
      break;
    case Command::read:
    case Command::write:
      if (!rows_[r.bank].open || rows_[r.bank].row != r.row)
        return "column command to a row that is not open";
      break;
    case Command::refresh:
      for (unsigned b = 0; b < rows_.size(); ++b)
        if (rows_[b].open &&
            organisation_.pseudo_channel_of(b) == organisation_.pseudo_channel_of(r.bank))
          return "REFRESH with an open bank";
      break;
    case Command::refresh_bank:
      if (rows_[r.bank].open) return "REFRESH of an open bank";
      break;
    case Command::precharge_all:
    case Command::none:
      break;
  }
  return nullptr;
}

TimingChecker::Relation TimingChecker::relation(const CommandRecord& a,
                                                const CommandRecord& b) const {
  Relation same;
  same.pseudo_channel =
      organisation_.pseudo_channel_of(a.bank) == organisation_.pseudo_channel_of(b.bank);
  const bool all = of_all_banks(a) || of_all_banks(b);
  same.group =
      same.pseudo_channel && organisation_.bank_groups > 1 && (all || group_of(a) == group_of(b));
  same.bank = same.pseudo_channel && (all || a.bank == b.bank);
  return same;
}

bool TimingChecker::share_a_bus(const CommandRecord& a, const CommandRecord& b) const {
  return organisation_.command_bus == CommandBus::one ||
         is_column(a.command) == is_column(b.command);
}

void TimingChecker::activate_rules(const CommandRecord& earlier, const Relation& same,
                                   Rules& rules) const {
  // The later command is an ACT, or a REF, which counts as an ACT of every bank that it takes.
  if (earlier.command == Command::activate) {
    if (same.bank) {
      rules.add("tRC", timing_.t_rc);
      rules.add("tRAS + tRP", Cycle(timing_.t_ras) + timing_.t_rp);
    }
    rules.add("tRRD", timing_.t_rrd);
    if (same.group) rules.add("tRRD_L", timing_.t_rrd_l);
  }
  if (closes(earlier) && same.bank) rules.add("tRP", timing_.t_rp);
  // The row closes in between, perhaps by itself, but not before the rules of a PRECHARGE allow.
  if (is_column(earlier.command) && same.bank) {
    Rules closing;
    precharge_rules(earlier, true, closing);
    for (const Rule& rule : closing) rules.add("auto-precharge", rule.distance + timing_.t_rp);
  }
  if (earlier.command == Command::refresh) rules.add("tRFC", timing_.t_rfc);
  if (earlier.command == Command::refresh_bank) {
    rules.add("tRREFD", timing_.t_rrefd);
    if (same.bank) rules.add("tRFCpb", timing_.t_rfc_pb);
  }
}

void TimingChecker::column_rules(const CommandRecord& earlier, const CommandRecord& later,
                                 const Relation& same, Rules& rules) const {
  if (earlier.command == Command::activate && same.bank) rules.add("tRCD", timing_.t_rcd);
  if (is_column(earlier.command)) {
    rules.add("tCCD", timing_.t_ccd);
    if (same.group) rules.add("tCCD_L", timing_.t_ccd_l);
  }
  if (earlier.command == Command::write && later.command == Command::read) {
    const Cycle data = Cycle(timing_.t_wl) + earlier.beats;
    rules.add("tCDLR", data + timing_.t_cdlr);
    if (same.group) rules.add("tWTR_L", data + timing_.t_wtr_l);
  }
}

void TimingChecker::precharge_rules(const CommandRecord& earlier, bool same_bank,
                                    Rules& rules) const {
  if (!same_bank) return;
  if (earlier.command == Command::activate) rules.add("tRAS", timing_.t_ras);
  if (earlier.command == Command::write)
    rules.add("tWR", Cycle(timing_.t_wl) + earlier.beats + timing_.t_wr);
  if (earlier.command == Command::read) {
    const Cycle last_burst = earlier.beats > burst_cycles_ ? earlier.beats - burst_cycles_ : 0;
    rules.add("tRTP", last_burst + timing_.t_rtp);
  }
}

void TimingChecker::pair_rules(const CommandRecord& earlier, const CommandRecord& later,
                               Rules& rules) const {
  if (share_a_bus(earlier, later)) rules.add("one command a cycle", 1);
  const Relation same = relation(earlier, later);
  if (!same.pseudo_channel) return;
  if (later.command == Command::activate || refreshes(later)) activate_rules(earlier, same, rules);
  if (is_column(later.command)) column_rules(earlier, later, same, rules);
  if (closes(later)) precharge_rules(earlier, same.bank, rules);
}

bool TimingChecker::fifth_activate(const CommandRecord& r) const {
  if (r.command != Command::activate || timing_.t_faw == 0) return false;
  const auto in_window = std::count_if(past_.begin(), past_.end(), [&](const CommandRecord& p) {
    return p.command == Command::activate && p.cycle + timing_.t_faw > r.cycle &&
           relation(p, r).pseudo_channel;
  });
  return in_window >= 4;
}

/// Returns the command whose beats are in the way of those of `r`, or nullptr.
const CommandRecord* TimingChecker::on_the_data_bus(const CommandRecord& r) const {
  if (!is_column(r.command)) return nullptr;
  const Cycle start = data_start(r);
  for (const CommandRecord& p : past_) {
    if (!is_column(p.command) || !relation(p, r).pseudo_channel) continue;
    const bool turns = p.command == Command::read && r.command == Command::write;
    const Cycle free = data_start(p) + p.beats + (turns ? Cycle(timing_.t_turn) : 0);
    if (start < free) return &p;
  }
  return nullptr;
}

Cycle TimingChecker::oldest_refresh() const {
  return std::min_element(
             rows_.begin(), rows_.end(),
             [](const OpenRow& a, const OpenRow& b) { return a.refreshed < b.refreshed; })
      ->refreshed;
}

bool TimingChecker::comes_in_place_of_refresh(const CommandRecord& r) const {
  if (organisation_.refresh == Refresh::none || refreshes(r) || closes(r)) return false;
  // A REFRESH may be late by what it waits for (one row cycle and one write, and an ACTIVATE
  // elsewhere) and no more.
  const Cycle latest =
      oldest_refresh() + timing_.t_refi + horizon_ + timing_.t_rp + timing_.t_rrd + timing_.t_rrd_l;
  return r.cycle > latest;
}

TimingChecker::Broken TimingChecker::broken(const CommandRecord& r) const {
  if (const char* const state = bank_state(r)) return {state};
  for (auto p = past_.rbegin(); p != past_.rend(); ++p) {
    Rules rules;
    pair_rules(*p, r, rules);
    for (const Rule& rule : rules)
      if (r.cycle < p->cycle + rule.distance) return {rule.name, &*p, p->cycle + rule.distance};
  }
  if (fifth_activate(r)) return {"tFAW: fifth ACTIVATE in the window"};
  if (const CommandRecord* const p = on_the_data_bus(r)) return {"data bus", p};
  if (comes_in_place_of_refresh(r)) return {"tREFI"};
  return {};
}

std::string TimingChecker::violation(const CommandRecord& r) const {
  const Broken b = broken(r);
  if (b.rule == nullptr) return "";
  std::string sentence = std::string(b.rule) + ": ";
  if (std::string_view(b.rule) == "tREFI")
    sentence += "no REFRESH since cycle " + std::to_string(oldest_refresh()) + ": ";
  sentence += text(r);
  if (b.legal_from != 0)
    return sentence + ", legal from cycle " + std::to_string(b.legal_from) + " on because of " +
           text(*b.because);
  if (b.because != nullptr)
    return sentence + " before the beats of " + text(*b.because) + " are through";
  return sentence;
}

void TimingChecker::on_command(const CommandRecord& r) {
  if (!legal(r)) throw SimulationError("DRAM timing: " + violation(r));
  ++commands_;
  OpenRow& own = rows_[r.bank];
  if (r.command == Command::activate) {
    own.open = true;
    own.row = r.row;
  }
  if (r.command == Command::precharge || r.auto_precharge) own.open = false;
  if (r.command == Command::refresh_bank) own.refreshed = r.cycle;
  for (unsigned b = 0; of_all_banks(r) && b < rows_.size(); ++b) {
    if (organisation_.pseudo_channel_of(b) != organisation_.pseudo_channel_of(r.bank)) continue;
    if (r.command == Command::refresh)
      rows_[b].refreshed = r.cycle;
    else
      rows_[b].open = false;
  }
  while (!past_.empty() && past_.front().cycle + horizon_ < r.cycle) past_.pop_front();
  past_.push_back(r);
}

}  // namespace warpmem::dram
