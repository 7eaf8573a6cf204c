// SPDX-License-Identifier: Apache-2.0
#include "dram/timing_checker.hpp"

#include <algorithm>

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

std::string TimingChecker::bank_state(const CommandRecord& r) const {
  switch (r.command) {
    case Command::activate:
      if (rows_[r.bank].open) return "ACTIVATE of an open bank: " + text(r);
      break;
    case Command::precharge:
      if (!rows_[r.bank].open) return "PRECHARGE of a closed bank: " + text(r);
      break;
    case Command::read:
    case Command::write:
      if (!rows_[r.bank].open || rows_[r.bank].row != r.row)
        return "column command to a row that is not open: " + text(r);
      break;
    case Command::refresh:
      for (const OpenRow& row : rows_)
        if (row.open) return "REFRESH with an open bank: " + text(r);
      break;
    case Command::precharge_all:
    case Command::none:
      break;
  }
  return "";
}

void TimingChecker::activate_rules(const CommandRecord& earlier, const CommandRecord& later,
                                   bool same_bank, std::vector<Rule>& rules) const {
  // `later` is an ACT, or a REF, which counts as an ACT of every bank.
  if (earlier.command == Command::activate) {
    if (same_bank) {
      rules.push_back({"tRC", timing_.t_rc});
      rules.push_back({"tRAS + tRP", Cycle(timing_.t_ras) + timing_.t_rp});
    }
    rules.push_back({"tRRD", timing_.t_rrd});
  }
  if (closes(earlier) && same_bank) rules.push_back({"tRP", timing_.t_rp});
  // The row closes in between, perhaps by itself, but not before the rules of a PRECHARGE allow.
  if (is_column(earlier) && same_bank) {
    std::vector<Rule> closing;
    precharge_rules(earlier, true, closing);
    for (const Rule& rule : closing)
      rules.push_back({"auto-precharge", rule.distance + timing_.t_rp});
  }
  if (earlier.command == Command::refresh) rules.push_back({"tRFC", timing_.t_rfc});
}

void TimingChecker::column_rules(const CommandRecord& earlier, const CommandRecord& later,
                                 bool same_bank, std::vector<Rule>& rules) const {
  if (earlier.command == Command::activate && same_bank) rules.push_back({"tRCD", timing_.t_rcd});
  if (is_column(earlier)) rules.push_back({"tCCD", timing_.t_ccd});
  if (earlier.command == Command::write && later.command == Command::read)
    rules.push_back({"tCDLR", Cycle(timing_.t_wl) + earlier.beats + timing_.t_cdlr});
}

void TimingChecker::precharge_rules(const CommandRecord& earlier, bool same_bank,
                                    std::vector<Rule>& rules) const {
  if (!same_bank) return;
  if (earlier.command == Command::activate) rules.push_back({"tRAS", timing_.t_ras});
  if (earlier.command == Command::write)
    rules.push_back({"tWR", Cycle(timing_.t_wl) + earlier.beats + timing_.t_wr});
  if (earlier.command == Command::read) {
    const Cycle last_burst = earlier.beats > atom_cycles_ ? earlier.beats - atom_cycles_ : 0;
    rules.push_back({"tRTP", last_burst + timing_.t_rtp});
  }
}

void TimingChecker::pair_rules(const CommandRecord& earlier, const CommandRecord& later,
                               std::vector<Rule>& rules) const {
  rules.push_back({"one command a cycle", 1});
  const bool same_bank =
      whole_channel(earlier) || whole_channel(later) || earlier.bank == later.bank;
  if (later.command == Command::activate || later.command == Command::refresh)
    activate_rules(earlier, later, same_bank, rules);
  if (is_column(later)) column_rules(earlier, later, same_bank, rules);
  if (closes(later)) precharge_rules(earlier, same_bank, rules);
}

std::string TimingChecker::four_activates(const CommandRecord& r) const {
  if (r.command != Command::activate || timing_.t_faw == 0) return "";
  const auto in_window = std::count_if(past_.begin(), past_.end(), [&](const CommandRecord& p) {
    return p.command == Command::activate && p.cycle + timing_.t_faw > r.cycle;
  });
  return in_window >= 4 ? "tFAW: fifth ACTIVATE in the window: " + text(r) : "";
}

std::string TimingChecker::data_bus(const CommandRecord& r) const {
  if (!is_column(r)) return "";
  const Cycle start = data_start(r);
  for (const CommandRecord& p : past_) {
    if (!is_column(p)) continue;
    const bool turns = p.command == Command::read && r.command == Command::write;
    const Cycle free = data_start(p) + p.beats + (turns ? timing_.t_turn : 0);
    if (start < free)
      return "data bus: " + text(r) + " before the beats of " + text(p) + " are through";
  }
  return "";
}

std::string TimingChecker::refresh_interval(const CommandRecord& r) const {
  if (timing_.t_refi == 0) return "";
  // A REFRESH may be late by what it waits for (one row cycle and one write) and no more.
  const Cycle latest = last_refresh_ + timing_.t_refi + horizon_ + timing_.t_rp;
  if (r.cycle > latest && r.command != Command::refresh && r.command != Command::precharge_all)
    return "tREFI: no REFRESH since cycle " + std::to_string(last_refresh_) + ": " + text(r);
  return "";
}

std::string TimingChecker::violation(const CommandRecord& r) const {
  std::string wrong = bank_state(r);
  std::vector<Rule> rules;
  for (auto p = past_.rbegin(); p != past_.rend() && wrong.empty(); ++p) {
    rules.clear();
    pair_rules(*p, r, rules);
    for (const Rule& rule : rules)
      if (r.cycle < p->cycle + rule.distance) {
        wrong = std::string(rule.name) + ": " + text(r) + ", legal from cycle " +
                std::to_string(p->cycle + rule.distance) + " on because of " + text(*p);
        break;
      }
  }
  if (wrong.empty()) wrong = four_activates(r);
  if (wrong.empty()) wrong = data_bus(r);
  if (wrong.empty()) wrong = refresh_interval(r);
  return wrong;
}

void TimingChecker::on_command(const CommandRecord& r) {
  const std::string wrong = violation(r);
  if (!wrong.empty()) throw SimulationError("DRAM timing: " + wrong);
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
