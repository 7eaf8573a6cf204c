// SPDX-License-Identifier: Apache-2.0
#include "program/functional.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "program/async.hpp"
#include "program/barriers.hpp"
#include "program/device_memory.hpp"

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
    copies_.clear();
    while (live_ != 0) {
      bool any = false;
      for (unsigned warp = 0; warp < state_.size(); ++warp) {
        if (state_[warp] != kRunning) continue;
        any = true;
        run_to_barrier(*cta, warp);
      }
      if (!any && !finish_copies(*cta) && !end_waits(*cta))
        throw UserError("kernel " + grid_.traits().name + ": deadlock: all " +
                        std::to_string(live_) + " warps of CTA " + std::to_string(index) +
                        " that are left wait at barriers that nobody completes");
      if (failures_ > kMostFailures) fail(*cta, index);
    }
    finish_copies(*cta);
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
      const bool at_barrier = state_[warp] != kRunning && state_[warp] != kSuspended;
      const std::string what = at_barrier || state_[warp] == kFinished ? "" : cta.waits_for(warp);
      if (!what.empty()) text += " warp " + std::to_string(warp) + " " + what + ";";
    }
    text.back() = '.';
    throw UserError(text);
  }

  struct Copy {
    unsigned warp;
    unsigned lane;
    const InstInfo* inst;
    Addr global;
    std::uint32_t shared, bytes, mbarrier;
  };
  void begin_copies(unsigned warp, const Issue& issue) {
    for (LaneMask left = issue.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      const std::uint32_t* const operand = issue.operand + lane * kBulkOperands;
      copies_.push_back(
          {warp, lane, issue.inst, issue.address[lane], operand[0], operand[1], operand[2]});
    }
  }
  /// Bulk copies move their bytes when a warp waits: who does not wait finds the wrong ones.
  /// Returns whether there were any.
  bool finish_copies(Cta& cta) {
    if (copies_.empty()) return false;
    unsigned ended = 0;
    for (const Copy& copy : copies_) ended += move(cta, copy);
    copies_.clear();
    if (ended != 0) phase_ended();
    return true;
  }
  void finish_stores(Cta& cta, unsigned warp) {
    const auto ends = [&](const Copy& copy) {
      if (copy.warp != warp || copy.inst->mem != MemOp::store) return false;
      move(cta, copy);
      return true;
    };
    copies_.erase(std::remove_if(copies_.begin(), copies_.end(), ends), copies_.end());
  }
  /// Returns how many phases of mbarriers end with it.
  static unsigned move(Cta& cta, const Copy& copy) {
    std::uint8_t* const shared = cta.shared_memory();
    std::uint8_t* const global = DeviceMemory::host(copy.global);
    const bool store = copy.inst->mem == MemOp::store;
    if (shared != nullptr && store) std::memcpy(global, shared + copy.shared, copy.bytes);
    if (shared != nullptr && !store) std::memcpy(shared + copy.shared, global, copy.bytes);
    if (store) return 0;
    return cta.bulk_arrived(copy.warp, *copy.inst, copy.lane, copy.mbarrier, copy.bytes);
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
        finish_copies(cta);
        return;
      }
      ++result_.warp_instructions;
      result_.thread_instructions += static_cast<unsigned>(__builtin_popcount(issue.lanes));
      if (issue.exited) break;
      if (issue.inst->async == AsyncCopy::bulk && issue.lanes != 0) begin_copies(warp, issue);
      if (issue.inst->async == AsyncCopy::bulk_wait ||
          issue.inst->async == AsyncCopy::bulk_wait_read)
        finish_stores(cta, warp);
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
          finish_copies(cta);
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
  std::vector<Copy> copies_;  ///< bulk copies under way, oldest first
  unsigned failures_ = 0;     ///< waits that failed since anything came about
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
