// SPDX-License-Identifier: Apache-2.0
#include "dram/device.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::dram {

const char* name_of(Command command) {
  switch (command) {
    case Command::none:
      return "-";
    case Command::activate:
      return "ACT";
    case Command::precharge:
      return "PRE";
    case Command::precharge_all:
      return "PREA";
    case Command::read:
      return "RD";
    case Command::write:
      return "WR";
    case Command::refresh:
      return "REF";
    case Command::refresh_bank:
      return "REFPB";
  }
  return "?";
}

Device::Device(const Timing& timing, unsigned banks, const Organisation& organisation)
    : timing_(timing), organisation_(organisation), banks_(banks), groups_(organisation.groups()) {
  assert(banks >= 1 && banks <= 64 && banks % organisation.groups() == 0);
  assert(organisation.pseudo_channels <= windows_.size());
  for (unsigned b = 0; b < banks; ++b)
    group_of_bank_[b] = static_cast<std::uint8_t>(organisation.group_of(b, banks));
  if (organisation.bank_groups > 1) return;
  timing_.t_rrd_l = timing.t_rrd;
  timing_.t_ccd_l = timing.t_ccd;
  timing_.t_wtr_l = timing.t_cdlr;
}

unsigned Device::burst_distance() const {
  const unsigned cycles = organisation_.burst_cycles();
  if (organisation_.column_command == ColumnCommand::train) return cycles;
  return std::max<unsigned>({cycles, timing_.t_ccd, timing_.t_ccd_l});
}

std::uint64_t Device::pseudo_channel_banks(unsigned bank) const {
  constexpr std::uint64_t kEvery = ~std::uint64_t(0), kEverySecond = kEvery / 3;
  if (organisation_.pseudo_channels == 1) return kEvery;
  return kEverySecond << organisation_.pseudo_channel_of(bank);
}

Cycle Device::precharge_all_at(unsigned bank) const {
  Cycle at = 0;  // banks that close by themselves must have closed as well
  for (unsigned b = organisation_.pseudo_channel_of(bank); b < banks();
       b += organisation_.pseudo_channels)
    at = std::max(at, banks_[b].precharge);
  return at;
}

Cycle Device::refresh_at(unsigned bank) const {
  Cycle at = 0;  // it counts as an ACTIVATE of every bank
  for (unsigned b = organisation_.pseudo_channel_of(bank); b < banks();
       b += organisation_.pseudo_channels)
    at = std::max(at, refresh_bank_at(b));
  return at;
}

Cycle Device::refresh_bank_at(unsigned bank) const {
  return std::max(banks_[bank].activate, group(bank).activate);
}

void Device::activate(unsigned bank, std::uint32_t row, Cycle now) {
  Bank& b = banks_[bank];
  assert(!b.open && now >= activate_at(bank));
  b.open = true;
  b.row = row;
  open_banks_ |= std::uint64_t(1) << bank;
  b.activate = now + timing_.t_rc;
  b.precharge = now + timing_.t_ras;
  b.column = now + timing_.t_rcd;
  ActivateWindow& window = windows_[organisation_.pseudo_channel_of(bank)];
  window.ends[window.next] = now + timing_.t_faw;
  window.next = (window.next + 1) % window.ends.size();
  hold_back(bank, &Group::window, window.ends[window.next]);
  hold_back(bank, &Group::activate, now + timing_.t_rrd);
  group(bank).activate = std::max(group(bank).activate, now + timing_.t_rrd_l);
}

void Device::precharge(unsigned bank, Cycle now) {
  Bank& b = banks_[bank];
  assert(b.open && now >= b.precharge);
  b.open = false;
  open_banks_ &= ~(std::uint64_t(1) << bank);
  b.activate = std::max(b.activate, now + timing_.t_rp);
}

void Device::precharge_all(unsigned bank, Cycle now) {
  for (std::uint64_t open = open_banks_ & pseudo_channel_banks(bank); open != 0; open &= open - 1)
    precharge(static_cast<unsigned>(__builtin_ctzll(open)), now);
}

void Device::refresh(unsigned bank, Cycle now) {
  assert(!any_open(pseudo_channel_banks(bank)) && now >= refresh_at(bank));
  hold_back(bank, &Group::activate, now + timing_.t_rfc);
}

void Device::refresh_bank(unsigned bank, Cycle now) {
  Bank& b = banks_[bank];
  assert(!b.open && now >= refresh_bank_at(bank));
  b.activate = std::max(b.activate, now + timing_.t_rfc_pb);
  hold_back(bank, &Group::activate, now + timing_.t_rrefd);
}

Cycle Device::column(unsigned bank, bool write, unsigned beats, Cycle now) {
  Bank& b = banks_[bank];
  Group& own = group(bank);
  assert(b.open && now >= column_at(bank, write));
  // From then on the data bus is free for the same direction.
  const Cycle next = now + std::max<Cycle>(timing_.t_ccd, beats);
  const Cycle next_in_group = now + timing_.t_ccd_l;
  own.read = std::max(own.read, next_in_group);
  own.write = std::max(own.write, next_in_group);
  if (write) {
    const Cycle data_end = now + timing_.t_wl + beats;
    hold_back(bank, &Group::write, next);
    hold_back(bank, &Group::read, std::max(next, data_end + timing_.t_cdlr));
    own.read = std::max(own.read, data_end + timing_.t_wtr_l);
    b.precharge = std::max(b.precharge, data_end + timing_.t_wr);
    return data_end;
  }
  const Cycle data_end = now + timing_.t_cl + beats;
  const Cycle bus_turned = data_end + timing_.t_turn;
  hold_back(bank, &Group::read, next);
  hold_back(
      bank, &Group::write,
      std::max(now + timing_.t_ccd, bus_turned > timing_.t_wl ? bus_turned - timing_.t_wl : 0));
  // The last burst of the train leaves the row buffer beats - burst cycles after the first.
  b.precharge = std::max(
      b.precharge, now + (beats - std::min(beats, organisation_.burst_cycles())) + timing_.t_rtp);
  return data_end;
}

}  // namespace warpmem::dram
