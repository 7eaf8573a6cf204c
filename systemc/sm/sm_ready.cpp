// SPDX-License-Identifier: Apache-2.0
// Which warps of an SM can issue, and what the others wait for. Of each warp the SM knows the unit
// and the kind of its next instruction, the registers that this needs, and whether something else
// holds the warp; what follows for all of them are masks with a bit a warp.
#include "sm/sm.hpp"

namespace warpmem::sm {

using program::InstInfo;
using program::OpClass;
using program::Space;

namespace {

// Returns whether this is a load through L1D, for the policies that switch after one.
bool is_data_load(const InstInfo& inst) {
  return inst.mem == program::MemOp::load && !program::is_bulk_copy(inst.async) &&
         (inst.space == Space::global || inst.space == Space::local ||
          inst.space == Space::generic);
}

/// Whether it may be of a kind that tells memory instructions apart.
bool goes_to_memory(const InstInfo& inst) {
  return inst.op_class == OpClass::memory || inst.mem != program::MemOp::none;
}

}  // namespace

// The kinds of which a memory instruction is.
unsigned Sm::kinds_of(const InstInfo& inst) const {
  if (!goes_to_memory(inst)) return 0;
  unsigned kinds = is_data_load(inst) ? kLoad : 0;
  const bool copies = program::is_bulk_copy(inst.async);
  if (copies) kinds |= kBulk;
  const bool other_shared = inst.space == Space::cluster && !copies;
  if (inst.space == Space::shared || other_shared) kinds |= kShared;
  const bool any_space =
      inst.space == Space::generic && inst.mem != program::MemOp::none && !copies;
  if (any_space) kinds |= kGeneric;
  if (cluster_ && (other_shared || any_space)) kinds |= kCluster;
  if (inst.space == Space::constant || inst.space == Space::param) kinds |= kConstant;
  return kinds;
}

// Says what warp `slot` issues next, and keeps the masks by unit and kind in step; nullptr: it has
// exited.
void Sm::set_next(unsigned slot, const InstInfo* next) {
  Warp& warp = warps_[slot];
  warp.next = next;
  if (next == nullptr) return;
  const WarpMask me = warp_bit(slot);
  next_unit_[warp.unit] &= ~me;
  warp.unit = unit_of_[index_of(next->op_class)];
  next_unit_[warp.unit] |= me;
  warp.registers = Scoreboard::low_registers(*next);
  if (asks_more(*next))
    warp.hold(kAsksMore);
  else
    warp.let_go(kAsksMore);
  const unsigned kinds = kinds_of(*next);
  if (kinds == warp.kinds) return;
  warp.kinds = static_cast<std::uint8_t>(kinds);
  const auto put = [&](WarpMask& mask, MemoryKind kind) {
    mask = (kinds & kind) != 0 ? mask | me : mask & ~me;
  };
  put(next_load_, kLoad);
  put(next_bulk_, kBulk);
  put(next_shared_, kShared);
  put(next_generic_, kGeneric);
  put(next_cluster_, kCluster);
  put(next_constant_, kConstant);
}

// Takes the slot, whose warp has gone, out of all masks.
void Sm::forget(unsigned slot) {
  const WarpMask others = ~warp_bit(slot);
  for (WarpMask& mask : next_unit_) mask &= others;
  for (WarpMask* mask :
       {&next_load_, &next_bulk_, &next_shared_, &next_generic_, &next_cluster_, &next_constant_})
    *mask &= others;
}

// Keeps the masks that issue() works on in step with what warp `slot` is waiting for.
void Sm::update_ready(unsigned slot) {
  const Warp& warp = warps_[slot];
  const bool ready = warp.holds == 0 ? scoreboard_.clear(slot, warp.registers)
                                     : warp.holds == kAsksMore && can_issue(warp, slot);
  awaited_ = nullptr;
  ready_ = (ready_ & ~warp_bit(slot)) | WarpMask(ready) << slot;
  if (watchers_.any()) tell_of_warp(slot);
}

// Whether something else than one word of registers may keep a warp from issuing this instruction.
bool Sm::asks_more(const InstInfo& next) const {
  return params_.barrel || params_.await_atomics || !scoreboard_.one_word() ||
         next.op_class == OpClass::fence || next.async != program::AsyncCopy::none ||
         next.cluster_barrier == program::ClusterBarrier::arrive;
}

// Says whether the warp can issue such an instruction. Precondition: nothing but kAsksMore holds
// it.
bool Sm::can_issue(const Warp& warp, unsigned slot) const {
  const InstInfo& next = *warp.next;
  if (awaits_atomics(warp)) return false;
  if (params_.barrel && (warp.results != 0 || warp.outstanding_memory != 0)) return false;
  if (awaits_stores(warp, next)) return false;
  if (!allows_copies(warp, next)) return false;
  return scoreboard_.clear(slot, next);
}

// Returns the warps whose next instruction needs one of `units` that is still busy.
WarpMask Sm::behind_busy_units(Issuer& at, unsigned units, Cycle now) {
  WarpMask blocked = 0;
  for (unsigned left = at.busy & units; left != 0; left &= left - 1) {
    const auto unit = static_cast<unsigned>(__builtin_ctz(left));
    if (at.unit_free[unit] > now)
      blocked |= next_unit_[unit];
    else
      at.busy &= ~(1u << unit);
  }
  return blocked;
}

// Returns the warps whose next instruction enters a queue of the LSU.
WarpMask Sm::next_of_lsu() const {
  return next_unit_[index_of(OpClass::memory)] & ~next_shared_ & ~next_constant_ & ~next_bulk_;
}

WarpMask Sm::structurally_blocked(unsigned scheduler, Cycle now) {
  WarpMask blocked = behind_busy_units(issuers_[0], shared_units_, now) |
                     behind_busy_units(issuers_[scheduler], ~shared_units_, now);
  const WarpMask memory = next_unit_[index_of(OpClass::memory)];
  if (!lsu_.can_accept(scheduler)) blocked |= next_of_lsu();
  if (lsu_.holds_collectors(scheduler)) blocked |= ~memory;
  if (bulk_ && bulk_->full()) blocked |= next_bulk_;
  if (cluster_ && !cluster_->can_accept()) blocked |= memory & next_cluster_;
  // Where a generic address points is known when the instruction executes: it waits for the banks
  // that it may need.
  if (shared_free_ > now) blocked |= memory & (next_shared_ | next_generic_);
  return blocked;
}

bool Sm::waits_long(unsigned slot) const {
  const Warp& warp = warps_[slot];
  return warp.at_barrier() || warp.suspended() || (warp.next != nullptr && waits_for_memory(slot));
}

bool Sm::waits_for_memory(unsigned slot) const {
  const Warp& warp = warps_[slot];
  return scoreboard_.waits_for_memory(slot, *warp.next) || awaits_stores(warp, *warp.next) ||
         awaits_atomics(warp) || warp.suspended() || !allows_copies(warp, *warp.next) ||
         (params_.barrel && warp.outstanding_memory != 0);
}

// A fence waits for what the warp has written, and so does an arrival that others may rely on.
bool Sm::awaits_stores(const Warp& warp, const InstInfo& next) const {
  return warp.outstanding_stores != 0 && (next.op_class == OpClass::fence ||
                                          next.cluster_barrier == program::ClusterBarrier::arrive);
}

// Returns the counter of the reason why no warp issued, the most telling reason first.
std::uint64_t& Sm::stall_reason() {
  if (ready_ != 0) {
    const WarpMask memory = next_unit_[index_of(OpClass::memory)];
    if ((ready_ & allowed()) == 0) return stats_.stall_throttle;
    for (unsigned s = 0; s < issuers_.size(); ++s) {
      const WarpMask ready = ready_ & issuers_[s].owned;
      if (((ready & next_of_lsu()) != 0 && !lsu_.can_accept(s)) ||
          ((ready & ~memory) != 0 && lsu_.holds_collectors(s)))
        return stats_.stall_lsu;
    }
    if (bulk_ && bulk_->full() && (ready_ & next_bulk_) != 0) return stats_.stall_bulk;
    return stats_.stall_unit;
  }
  if (awaited_ == nullptr) awaited_ = &what_warps_await();
  return *awaited_;
}

// Returns the counter of what they wait for when none is ready.
std::uint64_t& Sm::what_warps_await() {
  bool barrier = false;
  bool result = false;
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const Warp& warp = warps_[slot];
    if (warp.cta == nullptr || warp.exited()) continue;
    if (warp.at_barrier()) {
      barrier = true;
    } else if (warp.next != nullptr && waits_for_memory(slot)) {
      return stats_.stall_memory;
    } else {
      result = true;
    }
  }
  return result ? stats_.stall_result : barrier ? stats_.stall_barrier : stats_.stall_drain;
}

}  // namespace warpmem::sm
