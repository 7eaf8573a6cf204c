// SPDX-License-Identifier: Apache-2.0
#include "sm/laws/throttle_unit.hpp"

namespace warpmem::sm {

units::ThrottleOut FastThrottleUnit::eval(bool fair) const {
  units::ThrottleOut out;
  out.limited = mode_ != Mode::off && !fair;
  out.limit = out.limited ? limit_ : std::uint8_t(0);
  out.by_divergence = out.limited && mode_ == Mode::divergence;
  out.hit_count = static_cast<std::uint8_t>(hits());
  out.min_count = static_cast<std::uint8_t>(min_);
  out.max_count = static_cast<std::uint8_t>(max_);
  return out;
}

bool FastThrottleUnit::exceeds() const {
  return mode_ == Mode::divergence && hits() != 0 && warps_for(hits() + 1) > limit_;
}

void FastThrottleUnit::commit(const units::ThrottleIn& in) {
  if (in.clear) {
    *this = FastThrottleUnit(size_);
    return;
  }
  const bool decides = (in.mshr_full && hold_ == 0) || exceeds();
  if (hold_ != 0) --hold_;
  if (decides && !in.fair) decide(in.load_count);
  if (in.access_valid) {
    const std::uint64_t bit = std::uint64_t(1) << in.access_warp;
    intra_ = in.access_intra ? intra_ | bit : intra_ & ~bit;
  }
  intra_ &= ~in.end_warps;
}

// Only the first of these cycles can decide anything: after it nothing but the hold changes.
void FastThrottleUnit::idle(Cycle cycles, bool fair) {
  if (cycles == 0) return;
  units::ThrottleIn in;
  in.fair = fair;
  commit(in);
  hold_ -= std::min(hold_, cycles - 1);
}

void FastThrottleUnit::decide(unsigned load_count) {
  hold_ = size_.hold;
  const unsigned count = hits();
  if (count == 0) {
    const bool divergent = size_.by_divergence && load_count < size_.divergence;
    mode_ = divergent ? Mode::divergence : Mode::off;
    limit_ = divergent ? warps_for(load_count) : std::uint8_t(0);
    return;
  }
  const bool moves = min_ == 0 || count < min_ || count > max_;
  min_ = min_ == 0 ? count : std::min(min_, count);
  max_ = std::max(max_, count);
  stable_ = moves ? 0 : std::min(stable_ + 1, size_.stable);
  mode_ = Mode::locality;
  limit_ = warps_for(stable_ == size_.stable ? (min_ + max_ + 1) / 2 : count + 1);
}

}  // namespace warpmem::sm
