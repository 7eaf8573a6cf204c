// SPDX-License-Identifier: Apache-2.0
#include "sm/throttle/ccws.hpp"

#include <algorithm>

namespace warpmem::sm {

void Ccws::launch() {
  hits_ = 0;
  instructions_ = 0;
}

void Ccws::started(unsigned slot, Cycle now) {
  by_age_.push_back(slot);
  value_[slot] = base_;
  set_at_[slot] = now;
  allowed_ |= WarpMask(1) << slot;
  order(now);
}

void Ccws::finished(unsigned slot, Cycle now) {
  by_age_.erase(std::find(by_age_.begin(), by_age_.end(), slot));
  allowed_ &= ~(WarpMask(1) << slot);
  pending_.erase(std::remove(pending_.begin(), pending_.end(), slot), pending_.end());
  order(now);
}

std::uint64_t Ccws::score(unsigned slot, Cycle now) const {
  const Cycle fallen = now - set_at_[slot];
  return value_[slot] > base_ + fallen ? value_[slot] - fallen : base_;
}

bool Ccws::l1d_accessed(const LocalityEvent& event, Cycle now) {
  apply(now);
  if (!event.lost) return false;
  pending_.push_back(event.warp);
  pending_at_ = now;
  return true;
}

// Applies lost lines to the scores. Those lost before cycle `before` count from the cycle after
// their loss.
void Ccws::apply(Cycle before) {
  if (pending_.empty() || pending_at_ >= before) return;
  for (const unsigned slot : pending_) {
    if ((allowed_ >> slot & 1) == 0) continue;  // the warp has ended
    ++hits_;
    ++total_hits_;
    const std::uint64_t cutoff = base_ * by_age_.size();
    const std::uint64_t lost = hits_ * k_ * cutoff / std::max<std::uint64_t>(1, instructions_);
    value_[slot] = std::max(base_, lost);
    set_at_[slot] = pending_at_ + 1;
    changed_at_ = pending_at_ + 1;
  }
  pending_.clear();
}

void Ccws::begin_cycle(Cycle now) {
  apply(now);
  const Cycle due = std::max(changed_at_, now / kPeriod * kPeriod);
  if (due != ordered_at_) order(due);
}

void Ccws::order(Cycle now) {
  ordered_at_ = changed_at_ = now;
  struct Place {
    std::uint64_t score;
    unsigned age;
  };
  std::array<Place, 64> places;
  const unsigned count = static_cast<unsigned>(by_age_.size());
  for (unsigned i = 0; i < count; ++i) places[i] = {score(by_age_[i], now), i};
  std::sort(places.begin(), places.begin() + count, [](const Place& a, const Place& b) {
    return a.score != b.score ? a.score > b.score : a.age < b.age;
  });
  const std::uint64_t cutoff = base_ * count;
  std::uint64_t sum = 0;
  allowed_loads_ = 0;
  for (unsigned i = 0; i < count; ++i) {
    sum += places[i].score;
    if (sum > cutoff && i != 0) break;
    allowed_loads_ |= WarpMask(1) << by_age_[places[i].age];
  }
}

// When every warp may load nobody can be held back later, since the scores only fall.
Cycle Ccws::next_change(Cycle now, bool ready) const {
  if (!ready) return kNever;
  if (!pending_.empty()) return now + 1;
  if (allowed_loads_ == allowed_) return kNever;
  return (now / kPeriod + 1) * kPeriod;
}

void Ccws::register_stats(StatGroup& g) {
  g.counter("ccws.victim_tag_hits", total_hits_, "requests",
            "misses on lines that the warp had brought and lost");
}

}  // namespace warpmem::sm
