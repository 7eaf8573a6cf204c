// SPDX-License-Identifier: Apache-2.0
// Two-level scheduling (KI 2.3 and docs/mechanisms.md 1.7): the warps of a scheduler form fetch
// groups of consecutive slots. The active group has priority. It stays active while one of its
// warps is held up only for short reasons (a pipeline result, a busy unit); meanwhile other groups
// fill the issue slot. When each of its warps waits for memory or at a barrier, or has finished,
// the group policy names the next active group among those with a ready warp: with rr the next one
// after the active group, with gto the group that has the oldest warp. Within a group the warp
// policy decides, and each group has a state of its own.
#pragma once

#include <vector>

#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class TwoLevel : public Scheduler {
 public:
  TwoLevel(const SmParams& params, const WarpObserver& warps);

  void started(unsigned slot) override;
  void finished(unsigned slot) override;
  unsigned pick(WarpMask ready) override;
  void issued(unsigned slot, bool load) override;

 private:
  struct Group {
    std::unique_ptr<Scheduler> policy;
    WarpMask slots = 0;
    WarpMask live = 0;
  };
  unsigned group_of(unsigned slot) const { return slot / slots_a_group_; }
  bool stalled(const Group& group) const;
  unsigned next_group(WarpMask ready) const;
  unsigned oldest_group(WarpMask ready) const;

  const WarpObserver& warps_;
  GroupPolicy group_policy_;
  unsigned slots_a_group_;
  std::vector<Group> groups_;
  std::vector<unsigned> by_age_;  // slots, the oldest warp first
  unsigned active_ = 0;
};

}  // namespace warpmem::sm
