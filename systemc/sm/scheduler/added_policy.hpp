// SPDX-License-Identifier: Apache-2.0
// Stands around a warp scheduling policy from outside the tree: a warp that cannot issue, and
// whatever it throws, is a message that names it.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "base/added_part.hpp"
#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class AddedPolicy : public Scheduler {
 public:
  /// `who` names the policy in messages.
  AddedPolicy(std::string who, std::unique_ptr<Scheduler> policy)
      : who_(std::move(who)), policy_(std::move(policy)) {}

  void started(unsigned slot) override {
    call_added(who_, [&] { policy_->started(slot); });
  }
  void finished(unsigned slot) override {
    call_added(who_, [&] { policy_->finished(slot); });
  }
  unsigned pick(WarpMask ready) override {
    const unsigned slot = call_added(who_, [&] { return policy_->pick(ready); });
    if (slot < 64 && (ready >> slot & 1)) return slot;
    std::string allowed;
    for (WarpMask left = ready; left != 0; left &= left - 1)
      allowed += (allowed.empty() ? "" : ", ") + std::to_string(first_warp(left));
    throw SimulationError(
        fmt::format("{}: pick() answers warp slot {}; allowed: {}", who_, slot, allowed));
  }
  void issued(unsigned slot, bool load) override {
    call_added(who_, [&] { policy_->issued(slot, load); });
  }
  std::uint64_t rescued() const override { return policy_->rescued(); }

 private:
  std::string who_;
  std::unique_ptr<Scheduler> policy_;
};

}  // namespace warpmem::sm
