// SPDX-License-Identifier: Apache-2.0
// What an SM says of itself: its state for the watchdog's report, its statistics and their laws.
#include <fmt/format.h>

#include <array>
#include <string>

#include "sm/sm.hpp"

namespace warpmem::sm {

std::string Sm::describe() const {
  std::string text =
      fmt::format("sm[{}]: {} CTAs resident, {}", id_.value, resident_, lsu_.describe());
  if (bulk_ && !bulk_->idle()) text += "; " + bulk_->describe();
  if (cluster_ && !cluster_->idle()) text += "; " + cluster_->describe();
  for (unsigned slot = 0; slot < warps_.size(); ++slot) {
    const Warp& warp = warps_[slot];
    if (warp.cta == nullptr) continue;
    const CtaSlot& cta = ctas_[warp.cta_slot];
    text += fmt::format("\n    warp {} ({}CTA {}, warp {}): ", slot,
                        kernels_.size() > 1 ? fmt::format("kernel {}, ", cta.kernel + 1) : "",
                        cta.index, warp.in_cta);
    if (warp.exited()) {
      text += fmt::format("exited, {} accesses outstanding", warp.outstanding_memory);
      continue;
    }
    text += fmt::format("pc 0x{:x} line {}", warp.next->pc, warp.next->line);
    if (const LaneMask behind = warp.cta->lanes_behind(warp.in_cta); behind != 0)
      text += fmt::format(", lanes {:08x} wait for the others of the warp", behind);
    const std::string wait = warp.cta->waits_for(warp.in_cta);
    if (!wait.empty() && (warp.suspended() || (warp.polls && !warp.at_barrier())))
      text += ", " + wait;
    if (warp.at_barrier()) {
      if (warp.barrier == kNoBarrier) {
        text += ", leaving a barrier";
      } else if (warp.barrier == kClusterBarrier) {
        text += fmt::format(", at the barrier of its cluster, where {} of the CTA's {} warps are",
                            cta.cluster_warps, cta.live);
      } else {
        const auto& barrier = cta.barriers.state(warp.barrier);
        text += fmt::format(", at barrier {} with {} of {} warps", warp.barrier, barrier.arrived,
                            barrier.expected != 0 ? barrier.expected : cta.live);
      }
    } else if (warp.outstanding_memory != 0) {
      text += fmt::format(", {} accesses outstanding", warp.outstanding_memory);
    }
  }
  return text;
}

WarpState Sm::state_of(unsigned slot) const {
  const Warp& warp = warps_[slot];
  if (warp.cta == nullptr) return WarpState::none;
  if (warp.exited()) return WarpState::drain;
  if ((ready_ >> slot & 1) != 0) return WarpState::ready;
  if (warp.at_barrier()) return WarpState::barrier;
  if (warp.suspended()) return WarpState::waits;
  return waits_for_memory(slot) ? WarpState::memory : WarpState::result;
}

// Out of the way of those who ask whether anybody listens.
[[gnu::noinline]] void Sm::tell_of_warp(unsigned slot) const {
  const Warp& warp = warps_[slot];
  const program::InstInfo* const next = warp.cta == nullptr ? nullptr : warp.next;
  watchers_.tell([&](SmWatch& watch) { watch.warp_is(slot, state_of(slot), next); });
}

SmState Sm::state() const {
  static constexpr std::array<std::uint64_t Stats::*, kSmStates - 1> kCounters = {
      &Stats::issue_cycles,   &Stats::stall_memory, &Stats::stall_result,
      &Stats::stall_barrier,  &Stats::stall_lsu,    &Stats::stall_unit,
      &Stats::stall_throttle, &Stats::stall_drain,  &Stats::stall_bulk};
  for (unsigned i = 0; i < kCounters.size(); ++i)
    if (idle_reason_ == &(stats_.*kCounters[i])) return static_cast<SmState>(i + 1);
  return SmState::idle;
}

WarpMask Sm::live_warps() const {
  WarpMask live = 0;
  for (unsigned slot = 0; slot < warps_.size(); ++slot)
    if (warps_[slot].cta != nullptr && !warps_[slot].exited()) live |= WarpMask(1) << slot;
  return live;
}

void Sm::register_stats(StatGroup& g) {
  g.before_snapshot([this] {
    if (idle_reason_ != nullptr) account(domain().now());
    stats_.rescued = 0;
    for (const Issuer& issuer : issuers_) stats_.rescued += issuer.scheduler->rescued();
  });
  g.counter("warp_inst", stats_.warp_instructions, "instructions", "warp instructions issued");
  g.counter("thread_inst", stats_.thread_instructions, "instructions",
            "thread instructions issued (warp instructions x executing lanes)");
  static constexpr std::array<const char*, program::kOpClasses> kNames = {
      "int_alu", "int_mul", "fp32",  "fp64",   "sfu",     "div",    "memory",
      "control", "barrier", "fence", "tensor", "texture", "uniform"};
  for (unsigned c = 0; c < kNames.size(); ++c)
    g.counter(std::string("inst.") + kNames[c], stats_.by_class[c], "instructions",
              std::string("warp instructions of class ") + kNames[c]);
  g.counter("shared.accesses", stats_.shared_accesses, "instructions", "shared-memory accesses");
  g.counter("shared.conflict_cycles", stats_.shared_conflict_cycles, "cycles",
            "cycles added to shared-memory accesses by bank conflicts");
  g.counter("barriers", stats_.barriers, "barriers", "CTA barriers completed");
  g.counter("ctas", stats_.ctas, "CTAs", "thread blocks executed");
  g.counter("active_cycles", stats_.active_cycles, "cycles", "cycles with a CTA resident");
  g.counter("issue_cycles", stats_.issue_cycles, "cycles",
            "active cycles in which an instruction issued");
  g.counter("stall.memory", stats_.stall_memory, "cycles",
            "active cycles without issue: a warp waits for memory");
  g.counter("stall.result", stats_.stall_result, "cycles",
            "active cycles without issue: results of the pipelines or of branches are awaited");
  g.counter("stall.barrier", stats_.stall_barrier, "cycles",
            "active cycles without issue: all warps wait at barriers");
  g.counter("stall.lsu", stats_.stall_lsu, "cycles",
            "active cycles without issue: the LSU is full");
  g.counter("stall.unit", stats_.stall_unit, "cycles",
            "active cycles without issue: an execution unit or shared memory is busy");
  g.counter("stall.throttle", stats_.stall_throttle, "cycles",
            "active cycles without issue: the policy holds back the warps that could issue");
  g.counter("stall.drain", stats_.stall_drain, "cycles",
            "active cycles without issue: all warps have exited, and responses are awaited");
  if (params_.may_starve())
    g.counter("scheduler.rescued", stats_.rescued, "instructions",
              "instructions issued out of turn by warps that had starved");
  g.law("active cycles", [this] {
    const Stats& s = stats_;
    return expect_equal("active_cycles", s.active_cycles, "issue_cycles + stalls",
                        s.issue_cycles + s.stall_memory + s.stall_result + s.stall_barrier +
                            s.stall_lsu + s.stall_unit + s.stall_throttle + s.stall_drain +
                            s.stall_bulk);
  });
  const auto warps_in = [](WarpMask mask) {
    return static_cast<std::uint64_t>(__builtin_popcountll(mask));
  };
  g.level(
      "warps.active", [=] { return warps_in(live_warps()); }, "warps",
      "warps that have not exited");
  g.level(
      "warps.ready", [=] { return warps_in(ready_); }, "warps",
      "warps whose next instruction waits for nothing but its turn or a unit");
  if (throttle_)
    g.level(
        "throttle.allowed_warps", [=] { return warps_in(live_warps() & allowed()); }, "warps",
        "active warps that the policy lets issue");
  if (laws_)
    g.level(
        "laws.fair_now", [this] { return std::uint64_t(fair_); }, "SMs",
        "1 while the schedulers follow GTLR, 0 while they follow GTO");
  lsu_.register_stats(g);
  if (bulk_) register_bulk_stats(g);
  if (cluster_) register_cluster_stats(g);
  if (laws_) laws_->register_stats(g, domain());
  if (throttle_) throttle_->register_stats(g);
}

}  // namespace warpmem::sm
