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
  }
  return "?";
}

Device::Device(const Timing& timing, unsigned banks, unsigned bus_bytes)
    : timing_(timing), atom_cycles_((kAtomBytes + bus_bytes - 1) / bus_bytes), banks_(banks) {
  assert(banks >= 1 && banks <= 64 && bus_bytes >= 1 && bus_bytes <= kAtomBytes);
}

Cycle Device::activate_at(unsigned bank) const {
  return std::max({banks_[bank].activate, activate_, window_[window_next_]});
}

Cycle Device::read_at(unsigned bank) const { return std::max(banks_[bank].column, read_); }

Cycle Device::write_at(unsigned bank) const { return std::max(banks_[bank].column, write_); }

Cycle Device::precharge_all_at() const {
  Cycle at = 0;  // banks that close by themselves must have closed as well
  for (const Bank& bank : banks_) at = std::max(at, bank.precharge);
  return at;
}

Cycle Device::refresh_at() const {
  Cycle at = activate_;
  for (const Bank& bank : banks_) at = std::max(at, bank.activate);
  return at;
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
  activate_ = std::max(activate_, now + timing_.t_rrd);
  window_[window_next_] = now + timing_.t_faw;
  window_next_ = (window_next_ + 1) % window_.size();
}

void Device::precharge(unsigned bank, Cycle now) {
  Bank& b = banks_[bank];
  assert(b.open && now >= b.precharge);
  b.open = false;
  open_banks_ &= ~(std::uint64_t(1) << bank);
  b.activate = std::max(b.activate, now + timing_.t_rp);
}

void Device::precharge_all(Cycle now) {
  for (std::uint64_t open = open_banks_; open != 0; open &= open - 1)
    precharge(static_cast<unsigned>(__builtin_ctzll(open)), now);
}

void Device::refresh(Cycle now) {
  assert(open_banks_ == 0 && now >= refresh_at());
  activate_ = std::max(activate_, now + timing_.t_rfc);
}

Cycle Device::column(unsigned bank, bool write, unsigned beats, Cycle now) {
  Bank& b = banks_[bank];
  assert(b.open && now >= column_at(bank, write));
  const Cycle next =
      now + std::max(timing_.t_ccd, beats);  // from then on the bus is free for the same direction
  if (write) {
    const Cycle data_end = now + timing_.t_wl + beats;
    write_ = std::max(write_, next);
    read_ = std::max({read_, next, data_end + timing_.t_cdlr});
    b.precharge = std::max(b.precharge, data_end + timing_.t_wr);
    return data_end;
  }
  const Cycle data_end = now + timing_.t_cl + beats;
  const Cycle bus_turned = data_end + timing_.t_turn;
  read_ = std::max(read_, next);
  write_ = std::max(
      {write_, now + timing_.t_ccd, bus_turned > timing_.t_wl ? bus_turned - timing_.t_wl : 0});
  // The last burst of the train leaves the row buffer beats - atom cycles after the first.
  b.precharge =
      std::max(b.precharge, now + (beats - std::min(beats, atom_cycles_)) + timing_.t_rtp);
  return data_end;
}

}  // namespace warpmem::dram
