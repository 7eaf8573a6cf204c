// SPDX-License-Identifier: Apache-2.0
#include "dram/added_policy.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/added_part.hpp"

namespace warpmem::dram {

namespace {

bool is_waiting(const RequestQueue& queue, unsigned slot) {
  unsigned waiting = queue.oldest();
  while (waiting != RequestQueue::kNone && waiting != slot) waiting = queue.younger(waiting);
  return waiting != RequestQueue::kNone;
}

}  // namespace

AddedPolicy::AddedPolicy(std::string who, std::unique_ptr<Scheduler> policy)
    : who_(std::move(who)), policy_(std::move(policy)) {}

Decision AddedPolicy::choose(const RequestQueue& queue, const Device& device, Cycle from,
                             bool columns) const {
  const Decision chosen =
      call_added(who_, [&] { return policy_->choose(queue, device, from, columns); });
  if (chosen.command == Command::none) return {};
  if (!is_waiting(queue, chosen.slot))
    throw SimulationError(fmt::format(
        "{}: choose() answers slot {}, in which no request waits; allowed: those from oldest() on",
        who_, chosen.slot));
  const Decision needed = next_command(queue, device, chosen.slot, from, columns);
  if (chosen.command != needed.command || chosen.at < needed.at)
    throw SimulationError(
        fmt::format("{}: choose() answers {} at cycle {} for the request in slot {}; allowed: {}",
                    who_, name_of(chosen.command), chosen.at, chosen.slot,
                    needed.command == Command::none
                        ? "none now"
                        : fmt::format("{} from cycle {} on", name_of(needed.command), needed.at)));
  const unsigned bank = queue[chosen.slot].bank;
  if (is_column(chosen.command) && queue.oldest_hit(bank) != chosen.slot)
    throw SimulationError(fmt::format(
        "{}: choose() answers slot {}, whose row of bank {} an older request waits for; allowed: "
        "slot {}",
        who_, chosen.slot, bank, queue.oldest_hit(bank)));
  return chosen;
}

}  // namespace warpmem::dram
