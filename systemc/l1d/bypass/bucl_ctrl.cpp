// SPDX-License-Identifier: Apache-2.0
#include "l1d/bypass/bucl_ctrl.hpp"

#include <algorithm>

namespace warpmem::l1d {

units::BuclCtrlOut FastBuclCtrl::eval(const units::BuclCtrlIn& in) const {
  units::BuclCtrlOut out;
  out.tucd =
      size_.profile && !chosen_ ? kProfileTucd[in.load_row] : static_cast<std::uint8_t>(tucd_);
  out.load_bypass = in.load_degree > out.tucd;
  out.low = hit_rate_ < size_.hit_rate_limit;
  out.refused_bypass = out.low && in.uib / double(units::kBuclScale) < size_.input_limit;
  out.period_end = cycle_ + 1 == size_.period;
  return out;
}

void FastBuclCtrl::commit(const units::BuclCtrlIn& in) {
  if (in.clear) {
    *this = FastBuclCtrl(size_);
    return;
  }
  accesses_ += in.access_valid;
  hits_ += in.access_valid && in.access_hit;
  if (++cycle_ == size_.period) end_period();
  if (!size_.profile || !in.choose_valid) return;
  tucd_ = kProfileTucd[in.choose_row];
  chosen_ = true;
}

void FastBuclCtrl::idle(Cycle cycles) {
  while (cycles > 0) {
    const Cycle step = std::min(cycles, size_.period - cycle_);
    cycles -= step;
    cycle_ += step;
    if (cycle_ == size_.period) end_period();
    // Periods without accesses change nothing.
    if (cycle_ == 0) {
      cycle_ = cycles % size_.period;
      cycles = 0;
    }
  }
}

void FastBuclCtrl::end_period() {
  cycle_ = 0;
  if (accesses_ == 0) return;  // the period has taught nothing
  hit_rate_ = static_cast<double>(hits_) / static_cast<double>(accesses_);
  accesses_ = hits_ = 0;
  if (size_.profile) return;
  tucd_ = hit_rate_ > size_.hit_rate_limit ? std::min(tucd_ + 1, size_.most)
                                           : std::max(tucd_ - 1, size_.least);
}

}  // namespace warpmem::l1d
