// SPDX-License-Identifier: Apache-2.0
// Executes the CTAs of one cluster without time: their warps take turns, wait at barriers, and
// copies arrive when nothing else goes on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "program/async.hpp"
#include "program/barriers.hpp"
#include "program/cluster.hpp"
#include "program/device_memory.hpp"
#include "program/functional.hpp"
#include "program/reduction.hpp"
#include "program/tensor_map.hpp"

namespace warpmem::program {

/// Runs the CTAs of a cluster together, or a CTA of a launch without clusters.
class ClusterRunner {
 public:
  ClusterRunner(Grid& grid, std::uint64_t limit, FunctionalResult& result)
      : grid_(grid),
        limit_(limit),
        result_(result),
        clusters_(grid.traits()),
        ctas_(clusters_.ctas_each()) {
    for (CtaRun& run : ctas_) {
      run.state.resize(grid.traits().warps_per_cta);
      run.barrier.resize(run.state.size());
    }
  }

  void start(std::uint64_t cluster) {
    for (unsigned rank = 0; rank < ctas_.size(); ++rank) start(ctas_[rank], cluster, rank);
    barrier_ = {};
    barrier_.live = static_cast<unsigned>(ctas_.size() * ctas_[0].state.size());
    failures_ = 0;
  }
  bool ended() const { return barrier_.live == 0; }
  /// Runs until all warps have ended, or seem to wait for what another cluster does. Returns
  /// whether there was progress.
  bool run(std::uint64_t patience) {
    bool ever = false;
    for (std::uint64_t since = result_.warp_instructions; !ended();) {
      bool any = false;
      progress_ = false;
      for (CtaRun& run : ctas_) {
        for (unsigned warp = 0; warp < run.state.size(); ++warp) {
          if (run.state[warp] != kRunning) continue;
          any = true;
          take_turn(run, warp);
        }
        if (run.live == 0 && run.cta != nullptr) end(run);
      }
      if (!any && !finish_all_copies() && !end_waits()) fail_at_barriers();
      if (failures_ > kMostFailures) fail_at_mbarriers();
      ever |= progress_;
      if (progress_) since = result_.warp_instructions;
      if (result_.warp_instructions - since >= patience) break;
    }
    return ever;
  }
  /// Where the first warp stands that could go on.
  std::string place() const {
    for (const CtaRun& run : ctas_)
      for (unsigned warp = 0; warp < run.state.size(); ++warp) {
        const InstInfo* const next =
            run.state[warp] == kRunning && run.cta != nullptr ? run.cta->next(warp) : nullptr;
        if (next == nullptr) continue;
        const unsigned line = next->source_line != 0 ? next->source_line : next->line;
        std::string text = "warp " + std::to_string(warp) + " of CTA " + std::to_string(run.index) +
                           " is in line " + std::to_string(line) + " (`" + grid_.mnemonic(*next) +
                           "`)";
        if (run.cta->lanes_behind(warp) != 0)
          text +=
              ", where some of its lanes may wait for others that wait for them: lanes of one "
              "warp do not overtake each other here, unless each takes a lock of its own in a loop "
              "that only tries atomicCAS or atomicExch";
        return text;
      }
    return "its warps wait";
  }

 private:
  /// What a warp is about: a barrier's number while it waits there.
  static constexpr std::uint8_t kRunning = 0xff, kFinished = 0xfe, kSuspended = 0xfd;
  static constexpr std::uint8_t kAtCluster = 0xfc;
  /// Instructions of a warp until it is another one's turn.
  static constexpr unsigned kWarpTurn = 16;
  /// Waits at mbarriers that failed one after the other while nothing else came about.
  static constexpr unsigned kMostFailures = 100'000;

  struct Copy {
    unsigned warp;
    unsigned lane;
    const InstInfo* inst;
    Addr to;  ///< of a copy to another CTA: address in the cluster
    std::uint32_t shared, bytes, mbarrier;
    std::uint16_t ranks;  ///< CTAs to which it goes; 0: the CTA itself
    TileCopy tile;        ///< its pieces in global memory
    std::array<std::uint8_t, Issue::kLaneBytes> value;  ///< of peer_write
  };
  struct CtaRun {
    std::unique_ptr<Cta> cta;
    std::uint64_t index = 0;
    std::vector<std::uint8_t> state;     ///< of each warp
    std::vector<std::uint64_t> barrier;  ///< each warp's arrivals at the barrier of the cluster
    CtaBarriers barriers;
    std::vector<Copy> copies;  ///< bulk copies under way, oldest first
    unsigned live = 0;
  };
  /// The barrier of the cluster.
  struct ClusterPhase {
    std::uint64_t ended = 0;  ///< phases
    unsigned arrived = 0;     ///< live warps, in the present phase
    unsigned live = 0;        ///< warps
  };

  void start(CtaRun& run, std::uint64_t cluster, unsigned rank) {
    run.index = clusters_.cta(cluster, rank);
    SmView view;
    view.clock = &result_.warp_instructions;
    run.cta = grid_.start_cta(run.index, view);
    std::fill(run.state.begin(), run.state.end(), kRunning);
    std::fill(run.barrier.begin(), run.barrier.end(), 0);
    run.barriers.reset();
    run.live = static_cast<unsigned>(run.state.size());
    run.copies.clear();
  }
  void end(CtaRun& run) {
    finish_copies(run);
    run.cta.reset();
  }

  bool finish_all_copies() {
    bool any = false;
    for (CtaRun& run : ctas_) any |= finish_copies(run);
    return any;
  }

  /// Nothing but the time that passes can help suspended warps: they get their answer. Returns
  /// whether there was one.
  bool end_waits() {
    bool any = false;
    for (CtaRun& run : ctas_)
      for (unsigned warp = 0; warp < run.state.size(); ++warp) {
        if (run.state[warp] != kSuspended) continue;
        any = true;
        ++failures_;  // a trace goes on waiting
        run.cta->stop_waiting(warp);
        run.state[warp] = kRunning;
      }
    return any;
  }

  [[noreturn]] void fail_at_barriers() const {
    const auto stuck =
        std::find_if(ctas_.begin(), ctas_.end(), [](const CtaRun& run) { return run.live != 0; });
    throw UserError("kernel " + grid_.traits().name + ": deadlock: all " +
                    std::to_string(stuck->live) + " warps of CTA " + std::to_string(stuck->index) +
                    " that are left wait at barriers that nobody completes");
  }

  [[noreturn]] void fail_at_mbarriers() const {
    std::string text = "kernel " + grid_.traits().name + ": deadlock:";
    for (const CtaRun& run : ctas_) {
      std::string waits;
      for (unsigned warp = 0; warp < run.state.size(); ++warp) {
        const bool asks = run.state[warp] == kRunning || run.state[warp] == kSuspended;
        const std::string what = asks ? run.cta->waits_for(warp) : "";
        if (!what.empty()) waits += " warp " + std::to_string(warp) + " " + what + ";";
      }
      if (waits.empty()) continue;
      text += " mbarriers of CTA " + std::to_string(run.index) + " that nobody completes:" + waits;
    }
    text.back() = '.';
    throw UserError(text);
  }

  static TileCopy in_one_piece(const InstInfo& inst, Addr global, std::uint32_t bytes) {
    TileCopy copy;
    copy.pieces.push_back({global, 0, bytes});
    copy.reduction = inst.reduction();
    return copy;
  }
  static void begin_copies(CtaRun& run, unsigned warp, const Issue& issue) {
    for (LaneMask left = issue.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      const std::uint32_t* const operand = issue.operand + lane * kBulkOperands;
      const std::uint16_t ranks = issue.ranks == nullptr ? std::uint16_t(0) : issue.ranks[lane];
      run.copies.push_back({warp,
                            lane,
                            issue.inst,
                            issue.address[lane],
                            operand[0],
                            operand[1],
                            operand[2],
                            ranks,
                            issue.tiles != nullptr
                                ? issue.tiles[lane]
                                : in_one_piece(*issue.inst, issue.address[lane], operand[1]),
                            {}});
    }
  }
  static void begin_writes(CtaRun& run, unsigned warp, const Issue& issue) {
    for (LaneMask left = issue.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(left));
      const auto rank = static_cast<std::uint16_t>(1u << cluster_rank(issue.address[lane]));
      Copy& copy = run.copies.emplace_back();
      copy = {
          warp, lane, issue.inst, issue.address[lane], 0, issue.inst->bytes, issue.operand[lane],
          rank, {},   {}};
      if (issue.data != nullptr)
        std::memcpy(copy.value.data(), issue.data + lane * Issue::kLaneBytes, copy.bytes);
    }
  }
  /// Bulk copies move their bytes when a warp waits: who does not wait finds the wrong ones.
  /// Returns whether there were any.
  bool finish_copies(CtaRun& run) {
    if (run.copies.empty()) return false;
    for (const Copy& copy : run.copies) move(run, copy);
    run.copies.clear();
    return true;
  }
  void finish_stores(CtaRun& run, unsigned warp) {
    const auto ends = [&](const Copy& copy) {
      if (copy.warp != warp || copy.inst->mem == MemOp::load || copy.inst->async != AsyncCopy::bulk)
        return false;
      move(run, copy);
      return true;
    };
    run.copies.erase(std::remove_if(run.copies.begin(), run.copies.end(), ends), run.copies.end());
  }
  void move(CtaRun& run, const Copy& copy) {
    std::uint8_t* const shared = run.cta->shared_memory();
    const std::uint8_t reduction = copy.inst->reduction();
    if (copy.inst->async == AsyncCopy::peer_write)
      return deliver(copy, [&](std::uint8_t* to) {
        write_or_reduce(reduction, to + cluster_offset(copy.to), copy.value.data(), copy.bytes);
      });
    if (copy.inst->async == AsyncCopy::bulk_peer)
      return deliver(copy, [&](std::uint8_t* to) {
        write_or_reduce(reduction, to + cluster_offset(copy.to), shared + copy.shared, copy.bytes);
      });
    if (copy.inst->mem != MemOp::load) {
      if (shared != nullptr) write_tile(copy.tile, shared, copy.shared);
      return;
    }
    if (copy.ranks != 0)
      return deliver(copy, [&](std::uint8_t* to) { read_tile(copy.tile, to, copy.shared); });
    if (shared != nullptr) read_tile(copy.tile, shared, copy.shared);
    note_phases(run,
                run.cta->bulk_arrived(copy.warp, *copy.inst, copy.lane, copy.mbarrier, copy.bytes));
  }
  /// The bytes go to the same place in the shared memory of each CTA that the copy names: put(it).
  /// The CTAs of a trace have none.
  template <class Put>
  void deliver(const Copy& copy, Put&& put) {
    for (unsigned rank = 0; rank < ctas_.size(); ++rank) {
      if ((copy.ranks >> rank & 1) == 0) continue;
      CtaRun& run = ctas_[rank];
      if (run.cta == nullptr)
        throw UserError("kernel " + grid_.traits().name + ": an asynchronous copy to CTA " +
                        std::to_string(run.index) + ", which has ended");
      if (std::uint8_t* const shared = run.cta->shared_memory(); shared != nullptr) put(shared);
      note_phases(run, run.cta->peer_mbarrier(copy.inst->pc, copy.mbarrier, MbarrierOp::complete_tx,
                                              copy.bytes));
    }
  }

  void note_phases(CtaRun& run, unsigned ended) {
    if (ended == 0) return;
    release(run, kSuspended);
  }

  void take_turn(CtaRun& run, unsigned warp) {
    Cta& cta = *run.cta;
    for (unsigned n = 0; cta.next(warp) != nullptr; ++n) {
      if (n == kWarpTurn) return;
      if (result_.warp_instructions == limit_)
        throw UserError("kernel " + grid_.traits().name + ": no end after " +
                        std::to_string(limit_) + " warp instructions");
      const Issue& issue = cta.execute(warp);
      if (issue.suspended) {
        run.state[warp] = kSuspended;
        finish_copies(run);
        return;
      }
      ++result_.warp_instructions;
      result_.thread_instructions += static_cast<unsigned>(__builtin_popcount(issue.lanes));
      if (issue.exited) break;
      if (issue.lanes == 0) continue;
      const InstInfo& inst = *issue.inst;
      if (inst.mem == MemOp::store) progress_ = true;
      if (inst.async == AsyncCopy::bulk || inst.async == AsyncCopy::bulk_peer)
        begin_copies(run, warp, issue);
      if (inst.async == AsyncCopy::peer_write) begin_writes(run, warp, issue);
      if (inst.async == AsyncCopy::bulk_wait || inst.async == AsyncCopy::bulk_wait_read)
        finish_stores(run, warp);
      if (inst.async == AsyncCopy::mbarrier && mbarrier_failed(run, warp, issue)) return;
      if (inst.op_class == OpClass::barrier && waits_at_barrier(run, warp, issue)) return;
    }
    end_warp(run, warp);
  }

  /// Does what an operation on mbarriers has to do with others. Returns whether it was a wait in
  /// vain.
  bool mbarrier_failed(CtaRun& run, unsigned warp, const Issue& issue) {
    const auto op = static_cast<MbarrierOp>(issue.inst->async_groups);
    if (issue.space == Space::cluster) {
      for (LaneMask left = issue.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(left));
        CtaRun& other = ctas_[cluster_rank(issue.address[lane])];
        note_phases(
            other, other.cta->peer_mbarrier(issue.inst->pc, cluster_offset(issue.address[lane]), op,
                                            issue.operand[lane]));
      }
      return false;
    }
    unsigned ended = issue.phases_ended;
    const bool failed = issue.wait_failed;
    // Copies have their data when they issue; a warp that waits in vain lets the others go on.
    if (op == MbarrierOp::copies_arrive || op == MbarrierOp::copies_arrive_no_inc)
      ended += run.cta->copies_arrived(warp);
    note_phases(run, ended);
    if (!failed) return false;
    ++failures_;
    finish_copies(run);
    return true;
  }

  bool waits_at_barrier(CtaRun& run, unsigned warp, const Issue& issue) {
    if (issue.inst->cluster_barrier == ClusterBarrier::none) {
      const bool waits = issue.barrier_waits;
      if (waits) run.state[warp] = issue.barrier;
      if (run.barriers.arrive(issue.barrier, issue.barrier_warps, waits, run.live))
        release(run, issue.barrier);
      return waits;
    }
    if (issue.inst->cluster_barrier == ClusterBarrier::wait) {
      if (run.barrier[warp] <= barrier_.ended) return false;
      run.state[warp] = kAtCluster;
      return true;
    }
    run.barrier[warp] = barrier_.ended + 1;
    ++barrier_.arrived;
    end_phase_if_complete();
    return false;
  }

  void end_phase_if_complete() {
    if (barrier_.arrived == 0 || barrier_.arrived != barrier_.live) return;
    ++barrier_.ended;
    barrier_.arrived = 0;
    for (CtaRun& run : ctas_) release(run, kAtCluster);
  }

  void end_warp(CtaRun& run, unsigned warp) {
    run.state[warp] = kFinished;
    failures_ = 0;
    progress_ = true;
    --run.live;
    for (std::uint8_t id = 0; run.barriers.pending() >> id != 0; ++id)
      if (run.barriers.exited(id, run.live)) release(run, id);
    --barrier_.live;
    if (run.barrier[warp] > barrier_.ended) --barrier_.arrived;
    end_phase_if_complete();
  }

  void release(CtaRun& run, std::uint8_t id) {
    failures_ = 0;
    progress_ = true;
    for (auto& state : run.state)
      if (state == id) state = kRunning;
  }

  Grid& grid_;
  std::uint64_t limit_;
  FunctionalResult& result_;
  Clusters clusters_;
  std::vector<CtaRun> ctas_;  ///< by rank
  ClusterPhase barrier_;
  unsigned failures_ = 0;  ///< waits that failed since anything came about
  bool progress_ = false;  ///< a store, a barrier that opened or the end of a warp
};

}  // namespace warpmem::program
