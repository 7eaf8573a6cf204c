// SPDX-License-Identifier: Apache-2.0
#include "dram/timing_checker.hpp"

#include <algorithm>
#include <string_view>

#include "base/errors.hpp"

namespace warpmem::dram {

namespace {

bool is_column(const CommandRecord& r) {
  return r.command == Command::read || r.command == Command::write;
}

bool closes(const CommandRecord& r) {
  return r.command == Command::precharge || r.command == Command::precharge_all;
}

bool whole_channel(const CommandRecord& r) {
  return r.command == Command::precharge_all || r.command == Command::refresh;
}

std::string text(const CommandRecord& r) {
  std::string s = name_of(r.command);
  if (!whole_channel(r)) s += " bank " + std::to_string(r.bank);
  if (r.command == Command::activate || is_column(r)) s += " row " + std::to_string(r.row);
  return s + " at cycle " + std::to_string(r.cycle);
}

}  // namespace

TimingChecker::TimingChecker(const Timing& timing, unsigned banks, unsigned bus_bytes)
    : timing_(timing), atom_cycles_((kAtomBytes + bus_bytes - 1) / bus_bytes), rows_(banks) {
  const Cycle longest_train = 128 / kAtomBytes * atom_cycles_;
  const Cycle column = std::max(timing.t_cl, timing.t_wl) + longest_train + timing.t_turn;
  horizon_ = std::max<Cycle>({timing.t_rc, timing.t_ras, timing.t_rcd, timing.t_rrd, timing.t_faw,
                              timing.t_rfc, Cycle(timing.t_ras) + timing.t_rp,
                              column + timing.t_wr + timing.t_rp, column + timing.t_cdlr,
                              longest_train + timing.t_rtp + timing.t_rp, timing.t_ccd});
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
      for (const OpenRow& row : rows_)
        if (row.open) return "REFRESH with an open bank";
      break;
    case Command::precharge_all:
    case Command::none:
      break;
  }
  return nullptr;
}

void TimingChecker::activate_rules(const CommandRecord& earlier, bool same_bank,
                                   Rules& rules) const {
  // The later command is an ACT, or a REF, which counts as an ACT of every bank.
  if (earlier.command == Command::activate) {
    if (same_bank) {
      rules.add("tRC", timing_.t_rc);
      rules.add("tRAS + tRP", Cycle(timing_.t_ras) + timing_.t_rp);
    }
    rules.add("tRRD", timing_.t_rrd);
  }
  if (closes(earlier) && same_bank) rules.add("tRP", timing_.t_rp);
  // The row closes in between, perhaps by itself, but not before the rules of a PRECHARGE allow.
  if (is_column(earlier) && same_bank) {
    Rules closing;
    precharge_rules(earlier, true, closing);
    for (const Rule& rule : closing) rules.add("auto-precharge", rule.distance + timing_.t_rp);
  }
  if (earlier.command == Command::refresh) rules.add("tRFC", timing_.t_rfc);
}

void TimingChecker::column_rules(const CommandRecord& earlier, const CommandRecord& later,
                                 bool same_bank, Rules& rules) const {
  if (earlier.command == Command::activate && same_bank) rules.add("tRCD", timing_.t_rcd);
  if (is_column(earlier)) rules.add("tCCD", timing_.t_ccd);
  if (earlier.command == Command::write && later.command == Command::read)
    rules.add("tCDLR", Cycle(timing_.t_wl) + earlier.beats + timing_.t_cdlr);
}

void TimingChecker::precharge_rules(const CommandRecord& earlier, bool same_bank,
                                    Rules& rules) const {
  if (!same_bank) return;
  if (earlier.command == Command::activate) rules.add("tRAS", timing_.t_ras);
  if (earlier.command == Command::write)
    rules.add("tWR", Cycle(timing_.t_wl) + earlier.beats + timing_.t_wr);
  if (earlier.command == Command::read) {
    const Cycle last_burst = earlier.beats > atom_cycles_ ? earlier.beats - atom_cycles_ : 0;
    rules.add("tRTP", last_burst + timing_.t_rtp);
  }
}

void TimingChecker::pair_rules(const CommandRecord& earlier, const CommandRecord& later,
                               Rules& rules) const {
  rules.add("one command a cycle", 1);
  const bool same_bank =
      whole_channel(earlier) || whole_channel(later) || earlier.bank == later.bank;
  if (later.command == Command::activate || later.command == Command::refresh)
    activate_rules(earlier, same_bank, rules);
  if (is_column(later)) column_rules(earlier, later, same_bank, rules);
  if (closes(later)) precharge_rules(earlier, same_bank, rules);
}

bool TimingChecker::fifth_activate(const CommandRecord& r) const {
  if (r.command != Command::activate || timing_.t_faw == 0) return false;
  const auto in_window = std::count_if(past_.begin(), past_.end(), [&](const CommandRecord& p) {
    return p.command == Command::activate && p.cycle + timing_.t_faw > r.cycle;
  });
  return in_window >= 4;
}

/// Returns the command whose beats are in the way of those of `r`, or nullptr.
const CommandRecord* TimingChecker::on_the_data_bus(const CommandRecord& r) const {
  if (!is_column(r)) return nullptr;
  const Cycle start = data_start(r);
  for (const CommandRecord& p : past_) {
    if (!is_column(p)) continue;
    const bool turns = p.command == Command::read && r.command == Command::write;
    const Cycle free = data_start(p) + p.beats + (turns ? timing_.t_turn : 0);
    if (start < free) return &p;
  }
  return nullptr;
}

bool TimingChecker::refresh_is_late(const CommandRecord& r) const {
  if (timing_.t_refi == 0) return false;
  // A REFRESH may be late by what it waits for (one row cycle and one write) and no more.
  const Cycle latest = last_refresh_ + timing_.t_refi + horizon_ + timing_.t_rp;
  return r.cycle > latest && r.command != Command::refresh && r.command != Command::precharge_all;
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
  if (refresh_is_late(r)) return {"tREFI"};
  return {};
}

std::string TimingChecker::violation(const CommandRecord& r) const {
  const Broken b = broken(r);
  if (b.rule == nullptr) return "";
  std::string sentence = std::string(b.rule) + ": ";
  if (std::string_view(b.rule) == "tREFI")
    sentence += "no REFRESH since cycle " + std::to_string(last_refresh_) + ": ";
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
  if (r.command == Command::activate) rows_[r.bank] = {true, r.row};
  if (r.command == Command::precharge || r.auto_precharge) rows_[r.bank].open = false;
  if (r.command == Command::precharge_all)
    for (OpenRow& row : rows_) row.open = false;
  if (r.command == Command::refresh) last_refresh_ = r.cycle;
  while (!past_.empty() && past_.front().cycle + horizon_ < r.cycle) past_.pop_front();
  past_.push_back(r);
}

}  // namespace warpmem::dram
