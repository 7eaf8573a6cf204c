// SPDX-License-Identifier: Apache-2.0
// The thread blocks of an SM: what a launch needs, their start, their barriers and their end.
#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"
#include "sm/sm.hpp"

namespace warpmem::sm {

using program::InstInfo;
using program::Issue;
using program::OpClass;

std::string Sm::why_too_large(const program::KernelTraits& traits) const {
  const unsigned warps = traits.warps_per_cta;
  const std::string head = fmt::format("kernel {}: one CTA needs ", traits.name);
  if (warps > params_.warps)
    return head + fmt::format("{} warps, an SM has {} (sm.warps)", warps, params_.warps);
  const Resources need = needs_of(traits);
  if (need.shared_bytes > params_.all_shared_bytes())
    return head + fmt::format("{} B of shared memory{}, an SM has {} ({})", need.shared_bytes,
                              params_.shared_reserved == 0 ? "" : " with sm.shared.reserved",
                              params_.all_shared_bytes(),
                              params_.unified ? "l1d.carveout_steps" : "sm.shared_memory");
  return head + fmt::format("{} registers, an SM has {} (sm.registers)", need.registers,
                            params_.registers);
}

void Sm::begin_launch(const std::vector<program::Grid*>& grids) {
  assert(idle());
  kernels_.clear();
  unsigned scoreboard_registers = 0;
  std::uint64_t local_bytes = 0, ctas = 0, warps = 0;
  for (program::Grid* grid : grids) {
    const program::KernelTraits& traits = grid->traits();
    kernels_.push_back({grid, traits.warps_per_cta, program::Clusters(traits), ctas, warps});
    ctas += grid->ctas();
    warps += grid->ctas() * traits.warps_per_cta;
    scoreboard_registers = std::max(scoreboard_registers, traits.scoreboard_registers);
    local_bytes = std::max(local_bytes, traits.local_bytes);
  }
  scoreboard_.resize(scoreboard_registers);
  local_bytes_a_warp_ = (local_bytes + 3) / 4 * kLocalWordStride;
  free_slots_ = params_.warps == 64 ? ~WarpMask(0) : warp_bit(params_.warps) - 1;
  last_tick_ = domain().now();
  idle_reason_ = nullptr;
  if (laws_) laws_->launch(domain().next_cycle());
  if (throttle_) throttle_->launch();
}

void Sm::start_cta(unsigned kernel, std::uint64_t index, const ClusterPlaces& places) {
  const Cycle visible = domain().next_cycle();
  incoming_.push({kernel, index, visible, places});
  wake_at(visible);
}

// Takes the first warp slots that are free.
WarpMask Sm::take_slots(unsigned count) {
  WarpMask taken = 0;
  for (unsigned i = 0; i < count; ++i) {
    assert(free_slots_ != 0);
    taken |= free_slots_ & -free_slots_;
    free_slots_ &= free_slots_ - 1;
  }
  return taken;
}

void Sm::start_incoming(Cycle now) {
  while (!incoming_.empty() && incoming_.front().visible <= now) {
    const Incoming in = incoming_.pop();
    const Kernel& kernel = kernels_[in.kernel];
    const auto free =
        std::find_if(ctas_.begin(), ctas_.end(), [](const CtaSlot& c) { return c.cta == nullptr; });
    assert(free != ctas_.end());
    free->cta = kernel.grid->start_cta(in.index, view_);
    free->kernel = in.kernel;
    free->index = in.index;
    free->slots = take_slots(kernel.warps_per_cta);
    free->live = free->resident = kernel.warps_per_cta;
    free->barriers.reset();
    free->epoch = 0;
    free->team.cluster =
        static_cast<std::uint32_t>(kernel.first_cta + kernel.clusters.cluster_of(in.index));
    free->team.rank = kernel.clusters.rank_of(in.index);
    free->team.places = in.places;
    if (cluster_ && in.places.ctas == 1)  // a CTA without others reaches itself
      free->team.places.port[0] = static_cast<std::uint8_t>(id_.value % params_.gpc_sms);
    free->cluster_phase = free->cluster_warps = 0;
    free->cluster_arrivals.fill(0);
    ++resident_;
    ++stats_.ctas;
    watchers_.tell([&](SmWatch& watch) {
      watch.cta_started(static_cast<unsigned>(free - ctas_.begin()), in.kernel, in.index);
    });
    unsigned in_cta = 0;
    for (WarpMask left = free->slots; left != 0; left &= left - 1, ++in_cta) {
      const unsigned slot = first_warp(left);
      forget(slot);
      warps_[slot] = {};
      warps_[slot].cta = free->cta.get();
      warps_[slot].in_cta = in_cta;
      warps_[slot].cta_slot = static_cast<unsigned>(free - ctas_.begin());
      set_next(slot, free->cta->next(in_cta));
      issuer_of(slot).scheduler->started(slot);
      if (throttle_) throttle_->started(slot, now);
      update_ready(slot);
    }
  }
}

void Sm::arrive_at_barrier(unsigned slot, const Issue& issue, Cycle now) {
  Warp& warp = warps_[slot];
  CtaSlot& cta = ctas_[warp.cta_slot];
  if (issue.barrier_waits) {
    warp.hold(kAtBarrier);
    warp.barrier = issue.barrier;
    if (throttle_) throttle_->at_barrier(slot, true, now);
  }
  if (cta.barriers.arrive(issue.barrier, issue.barrier_warps, issue.barrier_waits, cta.live))
    release_barrier(cta, issue.barrier, now);
}

void Sm::release_barrier(CtaSlot& cta, unsigned barrier, Cycle now) {
  ++stats_.barriers;
  // Only a barrier at which all live warps wait orders the accesses before it and after it.
  if (release_warps(cta, barrier, now) == cta.live) ++cta.epoch;
}

// Lets the warps go that wait at the barrier. Returns their number.
unsigned Sm::release_warps(CtaSlot& cta, unsigned barrier, Cycle now) {
  static constexpr InstInfo kRelease = [] {
    InstInfo inst;
    inst.op_class = OpClass::barrier;
    return inst;
  }();
  unsigned released = 0;
  for (WarpMask left = cta.slots; left != 0; left &= left - 1) {
    const unsigned slot = first_warp(left);
    if (!warps_[slot].at_barrier() || warps_[slot].barrier != barrier) continue;
    warps_[slot].barrier = kNoBarrier;
    ++released;
    schedule_result(now, params_.timing[static_cast<unsigned>(OpClass::barrier)].latency, slot,
                    kRelease);
  }
  return released;
}

void Sm::warp_exited(unsigned slot, Cycle now) {
  Warp& warp = warps_[slot];
  warp.hold(kExited);
  CtaSlot& cta = ctas_[warp.cta_slot];
  --cta.live;
  issuer_of(slot).scheduler->finished(slot);
  if (laws_) laws_->warp_ended(slot, now);
  if (throttle_) throttle_->finished(slot, now);
  for (unsigned barrier = 0; cta.barriers.pending() >> barrier != 0; ++barrier)
    if (cta.barriers.exited(barrier, cta.live)) release_barrier(cta, barrier, now);
  leave_cluster(slot, now);
  retire_warp_if_done(slot);
}

void Sm::retire_cta_if_done(CtaSlot& cta) {
  if (cta.resident != 0 || cta.notices != 0) return;
  cta.cta.reset();
  free_slots_ |= cta.slots;
  --resident_;
  watchers_.tell(
      [&](SmWatch& watch) { watch.cta_ended(static_cast<unsigned>(&cta - ctas_.data())); });
  if (listener_ != nullptr)
    listener_->cta_finished(id_, static_cast<unsigned>(&cta - ctas_.data()), cta.kernel);
}

}  // namespace warpmem::sm
