// SPDX-License-Identifier: Apache-2.0
// Stands around a replacement policy from outside the tree: a line that it must not give up, and
// whatever it throws, is a message that names it.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "base/added_part.hpp"
#include "cache/replacement/replacement.hpp"

namespace warpmem::cache {

class AddedPolicy : public Replacement {
 public:
  /// `who` names the policy in messages.
  AddedPolicy(std::string who, std::unique_ptr<Replacement> policy)
      : who_(std::move(who)), policy_(std::move(policy)) {}

  void touched(LineId line) override {
    call_added(who_, [&] { policy_->touched(line); });
  }
  void evicting(LineId line) override {
    call_added(who_, [&] { policy_->evicting(line); });
  }
  void inserted(LineId line) override {
    call_added(who_, [&] { policy_->inserted(line); });
  }
  void filled(LineId line) override {
    call_added(who_, [&] { policy_->filled(line); });
  }
  unsigned victim(std::uint32_t set, const WayMask& candidates) const override {
    const unsigned way = call_added(who_, [&] { return policy_->victim(set, candidates); });
    if (way < kMaxWays && candidates.test(way)) return way;
    std::string allowed;
    candidates.for_each([&](unsigned candidate) {
      allowed += (allowed.empty() ? "" : ", ") + std::to_string(candidate);
    });
    throw SimulationError(
        fmt::format("{}: victim() of set {} answers way {}; allowed: {}", who_, set, way, allowed));
  }

 private:
  std::string who_;
  std::unique_ptr<Replacement> policy_;
};

}  // namespace warpmem::cache
