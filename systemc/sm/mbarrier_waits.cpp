// SPDX-License-Identifier: Apache-2.0
// What an SM has to do with mbarriers: warps that are suspended until a phase ends, copies that
// arrive at one, and warps that poll. The objects themselves lie in the CTA's shared memory.
#include <algorithm>

#include "program/async.hpp"
#include "sm/sm.hpp"

namespace warpmem::sm {

using program::AsyncCopy;
using program::InstInfo;
using program::Issue;
using program::MbarrierOp;

namespace {

// A warp that asks again within so many instructions only polls: the watchdog counts none of them
// as work.
constexpr unsigned kPollLoop = 64;

bool marks_copies(const InstInfo& inst) {
  if (inst.async != AsyncCopy::mbarrier) return false;
  const auto op = static_cast<MbarrierOp>(inst.async_groups);
  return op == MbarrierOp::copies_arrive || op == MbarrierOp::copies_arrive_no_inc;
}

}  // namespace

bool Sm::allows_copies(const Warp& warp, const InstInfo& next) const {
  if (next.async == AsyncCopy::none) return true;
  if (marks_copies(next)) return warp.marks.can_close();
  if (next.async == AsyncCopy::bulk_close) return warp.bulk_stores.can_close();
  if (next.async == AsyncCopy::bulk_wait) return warp.bulk_stores.closed() <= next.async_groups;
  if (next.async == AsyncCopy::bulk_wait_read) return warp.bulk_reads.closed() <= next.async_groups;
  return warp.copies.allows(next);
}

void Sm::execute_mbarrier(unsigned slot, const Issue& issue, Cycle now) {
  Warp& warp = warps_[slot];
  const unsigned ended = issue.phases_ended;
  if (issue.suspended) return suspend(slot, issue, now);
  if (issue.wait_failed) {
    ++stats_.waits_failed;
    warp.polls = true;
    warp.since_poll = 0;
  }
  if (marks_copies(*issue.inst)) {
    const unsigned before = warp.marks.closed();
    warp.marks.close();
    marks_complete(slot, before + 1 - warp.marks.closed());
  }
  phases_ended(warp.cta_slot, ended);
}

// A copy of cp.async has its data.
void Sm::copy_arrived(unsigned slot, const Lsu::Origin& origin) {
  Warp& warp = warps_[slot];
  warp.copies.arrived(origin.copy_group);
  const unsigned before = warp.marks.closed();
  warp.marks.arrived(origin.copy_mark);
  marks_complete(slot, before - warp.marks.closed());
}

void Sm::marks_complete(unsigned slot, unsigned count) {
  Warp& warp = warps_[slot];
  for (; count != 0; --count) phases_ended(warp.cta_slot, warp.cta->copies_arrived(warp.in_cta));
}

void Sm::phases_ended(unsigned cta_slot, unsigned count) {
  if (count == 0) return;
  stats_.phases += count;
  ctas_[cta_slot].phase_ended = true;
}

void Sm::suspend(unsigned slot, const Issue& issue, Cycle now) {
  Warp& warp = warps_[slot];
  const std::uint64_t cycles = issue.most_wait_ns == 0
                                   ? params_.mbarrier_wait
                                   : issue.most_wait_ns * (domain().hertz() / 1000) / 1'000'000 + 1;
  warp.hold(kSuspended);
  warp.suspended_until = now + cycles;
  suspended_ |= WarpMask(1) << slot;
  ++stats_.waits_suspended;
  if (throttle_) throttle_->at_barrier(slot, true, now);
}

// Lets those look again whose CTA has had the end of a phase, or whose time is over.
void Sm::resume_suspended(Cycle now) {
  for (WarpMask left = suspended_; left != 0; left &= left - 1) {
    const auto slot = static_cast<unsigned>(__builtin_ctzll(left));
    Warp& warp = warps_[slot];
    const bool over = warp.suspended_until <= now;
    if (!over && !ctas_[warp.cta_slot].phase_ended) continue;
    if (over) warp.cta->stop_waiting(warp.in_cta);
    resume(slot, now);
  }
  for (CtaSlot& cta : ctas_) cta.phase_ended = false;
}

void Sm::resume(unsigned slot, Cycle now) {
  Warp& warp = warps_[slot];
  const Issue& issue = warp.cta->execute(warp.in_cta);
  if (issue.suspended) {  // one that is replayed had an answer, which it waits for
    if (warp.suspended_until <= now) warp.suspended_until = now + params_.mbarrier_wait;
    return;
  }
  const InstInfo& inst = *issue.inst;
  warp.let_go(kSuspended);
  suspended_ &= ~(WarpMask(1) << slot);
  if (throttle_) throttle_->at_barrier(slot, false, now);
  set_next(slot, warp.cta->next(warp.in_cta));
  if (issue.wait_failed) {
    ++stats_.waits_expired;
    ++stats_.waits_failed;
    warp.polls = true;
    warp.since_poll = 0;
  } else {
    ++stats_.waits_resumed;
  }
  schedule_result(now, params_.shared_latency, slot, inst);
  update_ready(slot);
}

// The warp issues an instruction after a wait that failed.
void Sm::count_poll(Warp& warp) {
  ++polling_;
  if (++warp.since_poll <= kPollLoop) return;
  polling_ -= warp.since_poll;
  warp.polls = false;
}

Cycle Sm::next_resumption(Cycle now) const {
  Cycle next = kNever;
  for (WarpMask left = suspended_; left != 0; left &= left - 1) {
    const Warp& warp = warps_[static_cast<unsigned>(__builtin_ctzll(left))];
    const bool ended = ctas_[warp.cta_slot].phase_ended;
    next = std::min(next, ended ? now + 1 : std::max(now + 1, warp.suspended_until));
  }
  return next;
}

}  // namespace warpmem::sm
