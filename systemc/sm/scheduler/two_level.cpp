// SPDX-License-Identifier: Apache-2.0
#include "sm/scheduler/two_level.hpp"

#include <algorithm>

namespace warpmem::sm {

TwoLevel::TwoLevel(const SmParams& params, const WarpObserver& warps)
    : warps_(warps),
      group_policy_(params.group_policy),
      // A scheduler owns every `schedulers`-th slot.
      slots_a_group_(params.fetch_group * params.schedulers),
      groups_((params.warps + slots_a_group_ - 1) / slots_a_group_) {
  SmParams inner = params;
  inner.policy = params.warp_policy;
  for (unsigned g = 0; g < groups_.size(); ++g) {
    groups_[g].policy = make_policy(inner, warps);
    for (unsigned s = g * slots_a_group_; s < std::min(params.warps, (g + 1) * slots_a_group_); ++s)
      groups_[g].slots |= WarpMask(1) << s;
  }
  by_age_.reserve(params.warps);
}

void TwoLevel::started(unsigned slot) {
  Group& group = groups_[group_of(slot)];
  group.live |= WarpMask(1) << slot;
  group.policy->started(slot);
  by_age_.push_back(slot);
}

void TwoLevel::finished(unsigned slot) {
  Group& group = groups_[group_of(slot)];
  group.live &= ~(WarpMask(1) << slot);
  group.policy->finished(slot);
  by_age_.erase(std::find(by_age_.begin(), by_age_.end(), slot));
}

bool TwoLevel::stalled(const Group& group) const {
  for (WarpMask live = group.live; live != 0; live &= live - 1)
    if (!warps_.waits_long(static_cast<unsigned>(__builtin_ctzll(live)))) return false;
  return true;
}

unsigned TwoLevel::next_group(WarpMask ready) const {
  const unsigned count = static_cast<unsigned>(groups_.size());
  for (unsigned step = 1; step <= count; ++step) {
    const unsigned g = (active_ + step) % count;
    if ((groups_[g].slots & ready) != 0) return g;
  }
  return active_;
}

unsigned TwoLevel::oldest_group(WarpMask ready) const {
  for (unsigned slot : by_age_)
    if ((groups_[group_of(slot)].slots & ready) != 0) return group_of(slot);
  return active_;
}

unsigned TwoLevel::pick(WarpMask ready) {
  WarpMask candidates = groups_[active_].slots & ready;
  if (candidates != 0) return groups_[active_].policy->pick(candidates);
  const unsigned other = group_policy_ == GroupPolicy::rr ? next_group(ready) : oldest_group(ready);
  if (stalled(groups_[active_])) active_ = other;
  candidates = groups_[other].slots & ready;
  return groups_[other].policy->pick(candidates);
}

void TwoLevel::issued(unsigned slot, bool load) {
  groups_[group_of(slot)].policy->issued(slot, load);
}

}  // namespace warpmem::sm
