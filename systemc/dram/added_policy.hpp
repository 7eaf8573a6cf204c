// SPDX-License-Identifier: Apache-2.0
// Stands around a DRAM scheduler from outside the tree: a command that its request does not need
// or that comes too early, and whatever it throws, is a message that names it.
#pragma once

#include <memory>
#include <string>

#include "dram/scheduler.hpp"

namespace warpmem::dram {

class AddedPolicy : public Scheduler {
 public:
  /// `who` names the policy in messages.
  AddedPolicy(std::string who, std::unique_ptr<Scheduler> policy);
  Decision choose(const RequestQueue& queue, const Device& device, Cycle from,
                  bool columns) const override;

 private:
  std::string who_;
  std::unique_ptr<Scheduler> policy_;
};

}  // namespace warpmem::dram
