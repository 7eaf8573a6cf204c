// SPDX-License-Identifier: Apache-2.0
#include "program/trace/replayed_mbarriers.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace warpmem::program::trace {
namespace {

/// Calls f(address, number) for each lane that executes.
template <class F>
void each_lane(const Addr* operand, const Issue& issue, F&& f) {
  for (LaneMask left = issue.lanes; left != 0; left &= left - 1)
    f(static_cast<std::uint32_t>(issue.address[__builtin_ctz(left)]),
      static_cast<std::uint32_t>(*operand++));
}

}  // namespace

Mbarrier ReplayedMbarriers::object(std::uint32_t address) const {
  const auto found = objects_.find(address);
  return Mbarrier(found == objects_.end() ? 0 : found->second);
}

unsigned ReplayedMbarriers::apply(std::uint32_t address, MbarrierOp op, std::uint32_t number) {
  Mbarrier m = object(address);
  const Mbarrier::Effect effect = m.apply(op, number);
  if (!effect.error.empty())
    throw UserError(fmt::format("kernel {}: mbarrier at shared address 0x{:x} of the trace: {}",
                                kernel_, address, effect.error));
  objects_[address] = m.bits();
  return effect.phase_ended;
}

bool ReplayedMbarriers::wait(WarpState& state, const Addr* operand, Issue& issue) const {
  state.waits = false;
  each_lane(operand, issue, [&](std::uint32_t address, std::uint32_t number) {
    const bool succeeded = (number & kWaitSucceeded) != 0;
    issue.wait_failed |= !succeeded;
    if (!succeeded || object(address).ended((number & 1) != 0)) return;
    state.waits = true;
    state.address = address;
    state.parity = (number & 1) != 0;
  });
  issue.suspended = state.waits;
  return !state.waits;
}

bool ReplayedMbarriers::execute(unsigned warp, const Addr* operand, Issue& issue) {
  const auto op = static_cast<MbarrierOp>(issue.inst->async_groups);
  if (is_wait(op)) return wait(warps_[warp], operand, issue);
  unsigned ended = 0;
  std::vector<std::uint32_t> arrivals;
  const bool marks = op == MbarrierOp::copies_arrive || op == MbarrierOp::copies_arrive_no_inc;
  each_lane(operand, issue, [&](std::uint32_t address, std::uint32_t number) {
    ended += apply(address, op, number);
    if (marks) arrivals.push_back(address);
  });
  if (marks) warps_[warp].arrivals.push_back(std::move(arrivals));
  issue.phases_ended = static_cast<std::uint8_t>(ended);
  return true;
}

unsigned ReplayedMbarriers::copies_arrived(unsigned warp) {
  auto& arrivals = warps_[warp].arrivals;
  const std::vector<std::uint32_t> addresses = std::move(arrivals.front());
  arrivals.erase(arrivals.begin());
  unsigned ended = 0;
  for (const std::uint32_t address : addresses) ended += apply(address, MbarrierOp::arrive, 1);
  return ended;
}

std::string ReplayedMbarriers::waits_for(unsigned warp) const {
  const WarpState& state = warps_[warp];
  if (!state.waits) return {};
  return fmt::format(
      "waits for the end of the phase of parity {} of the mbarrier at shared address 0x{:x}: {}",
      state.parity ? 1 : 0, state.address, object(state.address).missing());
}

}  // namespace warpmem::program::trace
