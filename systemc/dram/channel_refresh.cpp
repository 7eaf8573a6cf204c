// SPDX-License-Identifier: Apache-2.0
// Refreshes: number n, from 0, goes to unit n mod units and is due in cycle (n + 1) * tREFI /
// units. A unit is a bank, or a pseudo channel with all its banks. From the cycle in which a
// refresh is due the banks of its unit take no other command; the rest of the channel goes on.
#include <algorithm>

#include "dram/channel.hpp"

namespace warpmem::dram {

Channel::RefreshTimer::RefreshTimer(const Organisation& organisation, unsigned banks, Cycle tREFI)
    : interval(tREFI), units(organisation.refresh_units(banks)) {
  if (organisation.refresh != Refresh::none) skip(0);
}

void Channel::RefreshTimer::skip(std::uint64_t refreshes) {
  number += refreshes;
  due = (number + 1) * interval / units;
}

std::uint64_t Channel::RefreshTimer::due_by(unsigned unit, Cycle now) const {
  // Number n * units + unit is due by `now` when (n * units + unit + 1) * interval < (now + 1) *
  // units.
  const std::uint64_t all = ((now + 1) * units - 1) / interval;
  return (all + units - 1 - unit) / units;
}

std::uint64_t Channel::refresh_banks() const {
  const unsigned unit = refresh_.unit();
  return params_.refresh == Refresh::per_bank ? std::uint64_t(1) << unit
                                              : device_.pseudo_channel_banks(unit);
}

// Returns the next command on the way to the refresh that is due.
Decision Channel::refresh_step(Cycle from) const {
  const unsigned bank = refresh_.unit();
  const bool open = device_.any_open(refresh_banks());
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

void Channel::refresh_command(Command command, Cycle now) {
  const unsigned bank = refresh_.unit();
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
  stats_.refresh_late_cycles += now - refresh_.due;
  count_refreshes(1);
  refresh_.skip(1);
}

// Counts refreshes of the unit whose turn it is, and of its banks.
void Channel::count_refreshes(std::uint64_t refreshes) {
  stats_.refreshes += refreshes;
  const unsigned unit = refresh_.unit();
  for (unsigned bank = unit; bank < device_.banks(); bank += refresh_.units)
    stats_.banks[bank].refreshes += refreshes;
}

// Issues the refreshes of an idle time. Without requests the channel sleeps, so when the first
// request arrives, or somebody asks for the statistics, they are issued here, at the cycles at
// which they fell due.
void Channel::refresh_while_idle(Cycle now) {
  if (waiting() != 0) return;
  unsigned on_time = 0;
  while (refresh_.due <= now) {
    const Decision step = refresh_step(std::max(refresh_.due, last_command_));
    if (step.at > now) return;
    last_command_ = step.at + 1;
    const bool is_refresh =
        step.command != Command::precharge && step.command != Command::precharge_all;
    on_time = is_refresh && step.at == refresh_.due ? on_time + 1 : 0;
    refresh_command(step.command, step.at);
    if (on_time == refresh_.units && observers_.empty()) skip_refreshes(now);
  }
}

// Once every unit has been refreshed in the cycle in which it was due, all rows are closed and each
// round of units is like the last. All whole rounds but one are counted at once.
void Channel::skip_refreshes(Cycle now) {
  if (refresh_.due > now) return;
  const std::uint64_t rounds = (now - refresh_.due) / refresh_.interval;
  if (rounds < 2) return;
  for (unsigned unit = 0; unit < refresh_.units; ++unit) {
    count_refreshes(rounds - 1);
    ++refresh_.number;
  }
  refresh_.number -= refresh_.units;
  refresh_.skip((rounds - 1) * refresh_.units);
}

std::string Channel::refreshes_missing() const {
  const Cycle now = domain().cycle_at(simulation_now());
  for (unsigned bank = 0; bank < device_.banks(); ++bank) {
    const std::uint64_t due = refresh_.due_by(bank % refresh_.units, now);
    const std::uint64_t got = stats_.banks[bank].refreshes;
    if (got > due || got + 1 < due)
      return "bank " + std::to_string(bank) + ": " + std::to_string(got) + " refreshes by cycle " +
             std::to_string(now) + ", " + std::to_string(due) + " due";
  }
  return "";
}

}  // namespace warpmem::dram
