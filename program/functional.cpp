// SPDX-License-Identifier: Apache-2.0
#include "program/functional.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "program/async.hpp"
#include "program/barriers.hpp"

namespace warpmem::program {
namespace {

/// What a warp is about: a barrier's number while it waits there.
constexpr std::uint8_t kRunning = 0xff, kFinished = 0xfe, kSuspended = 0xfd;
/// Waits at mbarriers that failed one after the other while nothing else came about.
constexpr unsigned kMostFailures = 100'000;

class CtaRunner {
 public:
  CtaRunner(Grid& grid, std::uint64_t limit, FunctionalResult& result)
      : grid_(grid), limit_(limit), result_(result), state_(grid.traits().warps_per_cta) {}

  void run(std::uint64_t index) {
    const auto cta = grid_.start_cta(index, SmView{});
    std::fill(state_.begin(), state_.end(), kRunning);
    barriers_.reset();
    live_ = static_cast<unsigned>(state_.size());
    failures_ = 0;
    while (live_ != 0) {
      bool any = false;
      for (unsigned warp = 0; warp < state_.size(); ++warp) {
        if (state_[warp] != kRunning) continue;
        any = true;
        run_to_barrier(*cta, warp);
      }
      if (!any && !end_waits(*cta))
        throw UserError("kernel " + grid_.traits().name + ": deadlock: all " +
                        std::to_string(live_) + " warps of CTA " + std::to_string(index) +
                        " that are left wait at barriers that nobody completes");
      if (failures_ > kMostFailures) fail(*cta, index);
    }
  }

 private:
  /// Nothing but the time that passes can help suspended warps: they get their answer. Returns
  /// whether there was one.
  bool end_waits(Cta& cta) {
    bool any = false;
    for (unsigned warp = 0; warp < state_.size(); ++warp) {
      if (state_[warp] != kSuspended) continue;
      any = true;
      ++failures_;  // a trace goes on waiting
      cta.stop_waiting(warp);
      state_[warp] = kRunning;
    }
    return any;
  }

  [[noreturn]] void fail(const Cta& cta, std::uint64_t index) const {
    std::string text = "kernel " + grid_.traits().name + ": deadlock: mbarriers of CTA " +
                       std::to_string(index) + " that nobody completes:";
    for (unsigned warp = 0; warp < state_.size(); ++warp) {
      const std::string what = state_[warp] == kFinished ? "" : cta.waits_for(warp);
      if (!what.empty()) text += " warp " + std::to_string(warp) + " " + what + ";";
    }
    text.back() = '.';
    throw UserError(text);
  }

  void phase_ended() {
    failures_ = 0;
    release(kSuspended);
  }

  void run_to_barrier(Cta& cta, unsigned warp) {
    while (cta.next(warp) != nullptr) {
      if (result_.warp_instructions == limit_)
        throw UserError("kernel " + grid_.traits().name + ": no end after " +
                        std::to_string(limit_) + " warp instructions");
      const Issue& issue = cta.execute(warp);
      if (issue.suspended) {
        state_[warp] = kSuspended;
        return;
      }
      ++result_.warp_instructions;
      result_.thread_instructions += static_cast<unsigned>(__builtin_popcount(issue.lanes));
      if (issue.exited) break;
      if (issue.inst->async == AsyncCopy::mbarrier && issue.lanes != 0) {
        // Copies have their data when they issue; a warp that waits in vain lets the others go on.
        const auto op = static_cast<MbarrierOp>(issue.inst->async_groups);
        unsigned ended = issue.phases_ended;
        const bool failed = issue.wait_failed;
        if (op == MbarrierOp::copies_arrive || op == MbarrierOp::copies_arrive_no_inc)
          ended += cta.copies_arrived(warp);
        if (ended != 0) phase_ended();
        if (failed) {
          ++failures_;
          return;
        }
      }
      if (issue.inst->op_class == OpClass::barrier && issue.lanes != 0) {
        const bool waits = issue.barrier_waits;
        if (waits) state_[warp] = issue.barrier;
        if (barriers_.arrive(issue.barrier, issue.barrier_warps, waits, live_))
          release(issue.barrier);
        if (waits) return;
      }
    }
    state_[warp] = kFinished;
    failures_ = 0;
    --live_;
    for (std::uint8_t id = 0; barriers_.pending() >> id != 0; ++id)
      if (barriers_.exited(id, live_)) release(id);
  }

  void release(std::uint8_t id) {
    failures_ = 0;
    for (auto& state : state_)
      if (state == id) state = kRunning;
  }

  Grid& grid_;
  std::uint64_t limit_;
  FunctionalResult& result_;
  std::vector<std::uint8_t> state_;  ///< state of each warp
  CtaBarriers barriers_;
  unsigned failures_ = 0;  ///< waits that failed since anything came about
  unsigned live_ = 0;
};

}  // namespace

FunctionalResult run_functional(Grid& grid, std::uint64_t first, std::uint64_t count,
                                std::uint64_t instruction_limit) {
  FunctionalResult result;
  CtaRunner runner(grid, instruction_limit, result);
  const std::uint64_t ctas = grid.ctas();
  const std::uint64_t end = first >= ctas ? first : first + std::min(count, ctas - first);
  for (std::uint64_t index = first; index < end; ++index) runner.run(index);
  return result;
}

}  // namespace warpmem::program
