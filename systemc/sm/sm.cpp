// SPDX-License-Identifier: Apache-2.0
#include "sm/sm.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "sm/shared_memory.hpp"

namespace warpmem::sm {

using program::InstInfo;
using program::Issue;
using program::OpClass;
using program::Space;

namespace {

/// Most instructions execute in all lanes; the count of others is a call on a plain x86-64.
unsigned count_of(LaneMask lanes) {
  return lanes == ~LaneMask(0) ? kWarpLanes : static_cast<unsigned>(__builtin_popcount(lanes));
}

}  // namespace

Sm::Sm(sc_core::sc_module_name name, const SmParams& params, SmId id, unsigned sm_count,
       ClockDomain& domain, TransactionPool& pool, DataCheck* check, const UnitFactories& units)
    : sc_module(name),
      Clocked(domain, id.value),
      params_(params),
      id_(id),
      shared_bytes_(params.all_shared_bytes()),
      lsu_(params_, id, *this, pool, check, watchers_),
      cluster_(params.gpc_sms != 0 ? std::make_unique<ClusterUnit>(params_, id, *this, pool)
                                   : nullptr),
      bulk_(params.bulk
                ? std::make_unique<BulkEngine>(params_, id, *this, pool, check, cluster_.get())
                : nullptr),
      laws_(make_laws(params, units)),
      throttle_(make_throttle(params, laws_.get())),
      warps_(params.warps),
      ctas_(params.ctas),
      incoming_(params.ctas),
      scoreboard_(params.warps),
      issuers_(params.schedulers),
      results_(params.longest_result()),
      shared_units_(params.shared_units()) {
  view_ = {&clock_, id.value, sm_count};
  for (Issuer& issuer : issuers_) issuer.scheduler = make_scheduler(params_, *this);
  for (unsigned w = 0; w < params.warps; ++w) issuer_of(w).owned |= warp_bit(w);
  for (unsigned c = 0; c < program::kOpClasses; ++c)
    unit_of_[c] = static_cast<std::uint8_t>(index_of(params_.unit_of(static_cast<OpClass>(c))));
}

void Sm::account(Cycle now) {
  if (idle_reason_ != nullptr) {
    *idle_reason_ += now - last_tick_;
    stats_.active_cycles += now - last_tick_;
  }
  last_tick_ = now;
}

Cycle Sm::tick(Cycle now) {
  account(now);
  if (throttle_) throttle_->catch_up(now);
  clock_ = now;
  lsu_.port.begin_cycle();
  retire(now);
  if (cluster_ && serve_cluster(now)) shared_free_ = now + 1;
  if (suspended_ != 0) resume_suspended(now);
  const bool can_send = send(now);
  if (!incoming_.empty()) start_incoming(now);
  const bool issued = issue(now);
  idle_reason_ = resident_ == 0 ? nullptr : issued ? &stats_.issue_cycles : &stall_reason();
  if (watchers_.any()) watchers_.tell([state = state()](SmWatch& watch) { watch.sm_is(state); });
  return next_work(now, issued, can_send);
}

void Sm::retire(Cycle now) {
  results_.retire(now, [this](unsigned slot, const InstInfo& inst) { result_ready(slot, inst); });
  lsu_.receive(
      now,
      [this](const Lsu::Origin& origin, const InstInfo& inst, bool store_like) {
        if (inst.async == program::AsyncCopy::copy) copy_arrived(origin.slot, origin);
        memory_done(origin.slot, inst, store_like);
      },
      [this, now](Payload& payload) {
        watchers_.tell(
            [&](SmWatch& watch) { watch.answered(bulk_->instruction_of(payload), payload); });
        bulk_->answer(payload, now, [this](const BulkEngine::Copy& copy) { bulk_done(copy); });
      });
}

void Sm::result_ready(unsigned slot, const InstInfo& inst) {
  Warp& warp = warps_[slot];
  --warp.results;
  scoreboard_.release(slot, inst);
  if (is_atomic(inst)) --warp.outstanding_atomics;
  if (inst.op_class == OpClass::control || inst.op_class == OpClass::fence) warp.let_go(kResolving);
  if (inst.op_class == OpClass::barrier) {
    warp.let_go(kAtBarrier);
    if (throttle_ && !warp.exited()) throttle_->at_barrier(slot, false, domain().now());
  }
  update_ready(slot);
  retire_warp_if_done(slot);
}

void Sm::schedule_result(Cycle now, unsigned cycles, unsigned slot, const InstInfo& inst) {
  ++warps_[slot].results;
  results_.add(now, cycles, slot, &inst);
}

void Sm::memory_done(unsigned slot, const InstInfo& inst, bool store_like) {
  Warp& warp = warps_[slot];
  scoreboard_.release(slot, inst);
  --warp.outstanding_memory;
  if (store_like) --warp.outstanding_stores;
  if (is_atomic(inst)) --warp.outstanding_atomics;
  update_ready(slot);
  retire_warp_if_done(slot);
}

// Returns the warps whose next instruction the scheduling policy does not hold back.
WarpMask Sm::allowed() const {
  if (!throttle_) return ~WarpMask(0);
  return throttle_->allowed() & (throttle_->allowed_loads() | ~next_load_);
}

// From the next cycle on a warp that was held back may be let in, or another one held back. In both
// cases the SM stands still for another reason, so it has to be awake.
void Sm::l1d_accessed(const LocalityEvent& event, Cycle now) {
  if (laws_) laws_->l1d_accessed(event, warps_[event.warp].exited(), now);
  if (throttle_ && throttle_->l1d_accessed(event, now)) wake_at(now + 1);
}

bool Sm::issue(Cycle now) {
  bool issued = false;
  if (laws_) fair_ = laws_->fair(now);
  if (throttle_) throttle_->begin_cycle(now);
  if (ready_ == 0) return false;
  const WarpMask ready = ready_ & allowed();
  const unsigned count = params_.schedulers;
  unsigned s = params_.first_scheduler == FirstScheduler::rotating ? now % count : 0;
  for (unsigned turn = 0; turn < count; ++turn, s = s + 1 == count ? 0 : s + 1) {
    Issuer& issuer = issuers_[s];
    WarpMask candidates = ready & issuer.owned;
    if (candidates == 0 || issuer.issue_free > now) continue;
    candidates &= ~structurally_blocked(s, now);
    if (candidates == 0) continue;
    const unsigned slot = issuer.scheduler->pick(candidates);
    assert(candidates >> slot & 1);
    issuer.scheduler->issued(slot, (next_load_ >> slot & 1) != 0);
    if (throttle_) throttle_->issued(now);
    issue_warp(slot, s, now);
    issued = true;
  }
  return issued;
}

void Sm::issue_warp(unsigned slot, unsigned scheduler, Cycle now) {
  Warp& warp = warps_[slot];
  const Issue& issue = warp.cta->execute(warp.in_cta);
  const InstInfo& inst = *issue.inst;
  const unsigned c = index_of(inst.op_class);
  const unsigned unit = unit_of_[c];
  ++stats_.warp_instructions;
  ++stats_.by_class[c];
  stats_.thread_instructions += count_of(issue.lanes);
  Issuer& at = issuers_[(shared_units_ >> unit & 1) != 0 ? 0 : scheduler];
  at.unit_free[unit] = now + params_.timing[c].interval;
  // A scheduler that issues once a cycle never finds a unit of its own busy for one cycle.
  at.busy |= ((shared_units_ >> unit | (params_.timing[c].interval > 1)) & 1) << unit;
  issuers_[scheduler].issue_free = now + params_.issue_interval;
  if (warp.polls) count_poll(warp);
  const std::uint8_t group = inst.async == program::AsyncCopy::none
                                 ? std::uint8_t{0}
                                 : warp.copies.issue(inst, issue.lanes != 0);
  if (inst.async == program::AsyncCopy::mbarrier && issue.lanes != 0)
    execute_mbarrier(slot, issue, now);
  if (inst.async == program::AsyncCopy::bulk_close && issue.lanes != 0) {
    warp.bulk_stores.close();
    warp.bulk_reads.close();
  }
  set_next(slot, issue.exited ? nullptr : warp.cta->next(warp.in_cta));

  switch (inst.op_class) {
    case OpClass::memory:
      issue_memory(slot, issue, group, now);
      break;
    case OpClass::barrier:
      // A warp that executes the barrier in no lane does not take part.
      if (issue.lanes == 0) break;
      if (inst.cluster_barrier != program::ClusterBarrier::none)
        at_cluster_barrier(slot, inst.cluster_barrier, now);
      else
        arrive_at_barrier(slot, issue, now);
      break;
    case OpClass::fence:
      if (issue.lanes == 0) break;
      [[fallthrough]];  // what follows may rely on it
    case OpClass::control:
      warp.hold(kResolving);
      schedule_result(now, params_.timing[c].latency, slot, inst);
      break;
    default:
      scoreboard_.reserve(slot, inst, false);
      schedule_result(now, params_.timing[c].latency, slot, inst);
      break;
  }
  if (issue.exited) warp_exited(slot, now);
  update_ready(slot);
}

Lsu::Origin Sm::origin_of(unsigned slot, const InstInfo& inst) const {
  const Warp& warp = warps_[slot];
  const CtaSlot& cta = ctas_[warp.cta_slot];
  const Kernel& kernel = kernels_[cta.kernel];
  Lsu::Origin origin;
  origin.slot = slot;
  origin.cta_slot = static_cast<std::uint8_t>(warp.cta_slot);
  origin.warp_in_cta = static_cast<std::uint8_t>(warp.in_cta);
  origin.actor.cta = static_cast<std::uint32_t>(kernel.first_cta + cta.index);
  origin.actor.warp = static_cast<std::uint32_t>(kernel.first_warp +
                                                 cta.index * kernel.warps_per_cta + warp.in_cta);
  origin.actor.epoch = cta.epoch;
  origin.actor.pc = inst.pc;
  origin.local_base = kLocalBase + (Addr(id_.value) * params_.warps + slot) * local_bytes_a_warp_;
  return origin;
}

void Sm::issue_memory(unsigned slot, const Issue& issue, std::uint8_t copy_group, Cycle now) {
  Warp& warp = warps_[slot];
  const InstInfo& inst = *issue.inst;
  if (issue.lanes == 0) {  // no lane executes it, so there is nothing to wait for
    return;
  }
  switch (issue.space) {
    case Space::shared: {
      const unsigned groups = shared_groups(issue.lanes, inst.bytes);
      const unsigned passes =
          shared_passes(issue.address, issue.lanes, inst.bytes, params_.shared_banks);
      const unsigned conflicts = (passes - groups) * params_.shared_conflict;
      ++stats_.shared_accesses;
      stats_.shared_conflict_cycles += conflicts;
      shared_free_ = now + passes;
      scoreboard_.reserve(slot, inst, false);
      if (is_atomic(inst)) ++warp.outstanding_atomics;
      if (!issue.suspended)
        schedule_result(now, params_.shared_latency + groups - 1 + conflicts, slot, inst);
      break;
    }
    case Space::constant:
    case Space::param:
    case Space::none:
      scoreboard_.reserve(slot, inst, false);
      schedule_result(now, params_.constant_latency, slot, inst);
      break;
    case Space::cluster:
      if (program::is_bulk_copy(inst.async)) return issue_bulk(slot, issue);
      issue_to_cluster(slot, issue);
      break;
    case Space::global:
    case Space::local:
    case Space::generic: {
      if (program::is_bulk_copy(inst.async)) return issue_bulk(slot, issue);
      Lsu::Origin origin = origin_of(slot, inst);
      origin.copy_group = copy_group;
      if (inst.async == program::AsyncCopy::copy) origin.copy_mark = warp.marks.join();
      scoreboard_.reserve(slot, inst, true);
      ++warp.outstanding_memory;
      if (inst.mem != program::MemOp::load) ++warp.outstanding_stores;
      if (is_atomic(inst)) ++warp.outstanding_atomics;
      lsu_.accept(issue, origin, slot % params_.schedulers);
      break;
    }
  }
}

// A warp leaves when it has exited, its results are written and every request was answered.
void Sm::retire_warp_if_done(unsigned slot) {
  Warp& warp = warps_[slot];
  if (warp.cta == nullptr || !warp.exited() || warp.outstanding_memory != 0 || warp.results != 0)
    return;
  CtaSlot& cta = ctas_[warp.cta_slot];
  warp.cta = nullptr;
  if (watchers_.any()) tell_of_warp(slot);
  --cta.resident;
  retire_cta_if_done(cta);
}

Cycle Sm::next_work(Cycle now, bool issued, bool can_send) const {
  if (issued || can_send) return now + 1;
  Cycle next = results_.next(now);
  if (!incoming_.empty()) next = std::min(next, std::max(now + 1, incoming_.front().visible));
  if (ready_ != 0) {  // a warp is ready, but its unit or port is busy
    for (const Issuer& issuer : issuers_) {
      if (issuer.issue_free > now) next = std::min(next, issuer.issue_free);
      for (unsigned left = issuer.busy; left != 0; left &= left - 1) {
        const Cycle free = issuer.unit_free[static_cast<unsigned>(__builtin_ctz(left))];
        if (free > now) next = std::min(next, free);
      }
    }
    if (shared_free_ > now) next = std::min(next, shared_free_);
  }
  if (suspended_ != 0) next = std::min(next, next_resumption(now));
  if (cluster_) next = std::min(next, cluster_->next(now));
  if (throttle_) next = std::min(next, throttle_->next_change(now, ready_ != 0));
  return next;
}

}  // namespace warpmem::sm
