// SPDX-License-Identifier: Apache-2.0
// Refreshes: number n, from 0, goes to unit n mod units and is due in cycle (n + 1) * tREFI /
// units. A unit is a bank, or a pseudo channel with all its banks. From the cycle in which a
// refresh is due the banks of its unit take no other command; the rest of the channel goes on.
// Pseudo channels take turns, and one does not wait for a refresh of the other that is late.
#include <algorithm>

#include "dram/channel.hpp"

namespace warpmem::dram {

Channel::RefreshTimer::RefreshTimer(const Organisation& organisation, unsigned banks, Cycle tREFI,
                                    unsigned first)
    : interval(tREFI),
      units(organisation.refresh_units(banks)),
      step(organisation.pseudo_channels),
      number(first) {
  if (organisation.refresh != Refresh::none) skip(0);
}

void Channel::RefreshTimer::skip(std::uint64_t refreshes) {
  number += refreshes * step;
  due = (number + 1) * interval / units;
}

std::uint64_t Channel::RefreshTimer::due_by(unsigned unit, Cycle now) const {
  // Number n * units + unit is due by `now` when (n * units + unit + 1) * interval < (now + 1) *
  // units.
  const std::uint64_t all = ((now + 1) * units - 1) / interval;
  return (all + units - 1 - unit) / units;
}

Channel::RefreshTimer& Channel::refresh_due(bool after) {
  const bool second = refresh_.size() == 2 && (refresh_[1].due < refresh_[0].due) != after;
  return refresh_[second];
}

std::uint64_t Channel::refresh_banks(const RefreshTimer& timer) const {
  return params_.refresh == Refresh::per_bank ? std::uint64_t(1) << timer.unit()
                                              : device_.pseudo_channel_banks(timer.unit());
}

// Returns the next command on the way to the refresh that is due.
Decision Channel::refresh_step(const RefreshTimer& timer, Cycle from) const {
  const unsigned bank = timer.unit();
  const bool open = device_.any_open(refresh_banks(timer));
  Decision step;
  if (params_.refresh == Refresh::per_bank) {
    step.command = open ? Command::precharge : Command::refresh_bank;
    step.at = open ? device_.precharge_at(bank) : device_.refresh_bank_at(bank);
  } else {
    step.command = open ? Command::precharge_all : Command::refresh;
    step.at = open ? device_.precharge_all_at(bank) : device_.refresh_at(bank);
  }
  step.at = std::max(from, step.at);
  return step;
}

void Channel::refresh_command(RefreshTimer& timer, Command command, Cycle now) {
  const unsigned bank = timer.unit();
  announce({now, command, bank});
  switch (command) {
    case Command::precharge:
      device_.precharge(bank, now);
      row_closed(bank);
      ++stats_.precharges;
      ++stats_.refresh_precharges;
      return;
    case Command::precharge_all:
      device_.precharge_all(bank, now);
      for (unsigned b = 0; b < device_.banks(); ++b)
        if (!device_.is_open(b)) row_closed(b);
      ++stats_.precharge_alls;
      return;
    case Command::refresh_bank:
      device_.refresh_bank(bank, now);
      break;
    default:
      device_.refresh(bank, now);
      break;
  }
  stats_.refresh_late_cycles += now - timer.due;
  count_refreshes(timer, 1);
  timer.skip(1);
}

// Counts refreshes of the unit whose turn it is, and of its banks.
void Channel::count_refreshes(const RefreshTimer& timer, std::uint64_t refreshes) {
  stats_.refreshes += refreshes;
  for (unsigned bank = timer.unit(); bank < device_.banks(); bank += timer.units)
    stats_.banks[bank].refreshes += refreshes;
}

// Issues the refreshes of an idle time. Without requests the channel sleeps, so when the first
// request arrives, or somebody asks for the statistics, they are issued here, at the cycles at
// which they fell due.
void Channel::refresh_while_idle(Cycle now) {
  if (waiting() != 0) return;
  for (unsigned on_time = 0;;) {
    Decision next;
    RefreshTimer* timer = nullptr;
    for (std::size_t i = 0; i < refresh_.size(); ++i) {
      RefreshTimer& candidate = refresh_due(i != 0);
      if (candidate.due > now) break;
      const Decision step = refresh_step(candidate, std::max(candidate.due, last_command_));
      if (step.at >= next.at) continue;
      next = step;
      timer = &candidate;
    }
    if (timer == nullptr || next.at > now) return;
    last_command_ = next.at + 1;
    const bool is_refresh =
        next.command != Command::precharge && next.command != Command::precharge_all;
    on_time = is_refresh && next.at == timer->due ? on_time + 1 : 0;
    refresh_command(*timer, next.command, next.at);
    if (on_time == timer->units && observers_.empty()) skip_refreshes(now);
  }
}

// Once every unit has been refreshed in the cycle in which it was due, all rows are closed and each
// round of units is like the last. All whole rounds but one are counted at once.
void Channel::skip_refreshes(Cycle now) {
  const Cycle due = refresh_due(refresh_.size() == 2).due;  // the last of them
  if (due > now) return;
  const std::uint64_t rounds = (now - due) / refresh_.front().interval;
  if (rounds < 2) return;
  for (RefreshTimer& timer : refresh_) {
    const std::uint64_t round = timer.units / timer.step;
    for (std::uint64_t unit = 0; unit < round; ++unit) {
      count_refreshes(timer, rounds - 1);
      timer.number += timer.step;
    }
    timer.number -= timer.units;
    timer.skip((rounds - 1) * round);
  }
}

std::string Channel::refreshes_missing() const {
  const Cycle now = domain().cycle_at(simulation_now());
  const RefreshTimer& any = refresh_.front();
  for (unsigned bank = 0; bank < device_.banks(); ++bank) {
    const std::uint64_t due = any.due_by(bank % any.units, now);
    const std::uint64_t got = stats_.banks[bank].refreshes;
    if (got > due || got + 1 < due)
      return "bank " + std::to_string(bank) + ": " + std::to_string(got) + " refreshes by cycle " +
             std::to_string(now) + ", " + std::to_string(due) + " due";
  }
  return "";
}

}  // namespace warpmem::dram
