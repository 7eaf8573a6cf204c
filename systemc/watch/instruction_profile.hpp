// SPDX-License-Identifier: Apache-2.0
// Statistics by memory instruction: how often it ran, how many requests it made, what became of
// them at L1D and L2, how long it took, what it replaced (docs/per-instruction.md). What no
// instruction asked for, prefetches and write-backs, is counted apart, so that sums are those of
// the machine; check() says so.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/stats.hpp"
#include "cache/watch.hpp"
#include "gpu/machine.hpp"
#include "sm/watch.hpp"
#include "watch/kernels.hpp"
#include "watch/request_life.hpp"

namespace warpmem::watch {

/// What became of requests at a level.
struct LevelCounts {
  std::array<std::uint64_t, cache::kOutcomes> outcomes{};  ///< by cache::Outcome
  std::uint64_t evictions = 0;                             ///< valid lines replaced for it
  std::uint64_t dirty_evictions = 0;  ///< of these, those that were written back
  std::uint64_t invalidations = 0;    ///< L1D: lines that its stores invalidated
  std::uint64_t of(cache::Outcome outcome) const {
    return outcomes[static_cast<std::size_t>(outcome)];
  }
  void add(const LevelCounts& other);
};

/// What is counted of one instruction, or in all.
struct InstructionCounts {
  InstructionCounts();
  std::uint64_t executions = 0;  ///< warp instructions with at least one lane
  std::uint64_t lanes = 0;
  std::uint64_t requests = 0;       ///< answered
  std::uint64_t most_requests = 0;  ///< of one execution; 0: bulk copies
  std::uint64_t bytes = 0;          ///< of the requests
  LevelCounts l1d, l2;
  /// Executions by SM cycles from issue to the last answer, and the most cycles; no bulk copies.
  Histogram latency;
  std::uint64_t most_cycles = 0;
};

struct InstructionRow {
  std::string kernel;
  std::string text;  ///< opcode as the source spells it; empty: not known
  program::InstInfo info;
  InstructionCounts counts;
  RequestLife slowest;  ///< of its requests the one that took longest
};

class InstructionProfile : public gpu::LaunchWatch, public sm::SmWatch {
 public:
  /// `machine` must not have run, and must outlive the profile.
  explicit InstructionProfile(gpu::Machine& machine);

  void launch_begins(const std::vector<gpu::Launch>& launches) override;
  void launch_ends(const std::vector<gpu::Launch>& launches,
                   const std::vector<gpu::CtaDispatcher::Run>& runs) override;
  void asked(const program::InstInfo& instruction, std::uint32_t cta, LaneMask lanes,
             unsigned requests) override;
  void answered(const program::InstInfo& instruction, const Payload& payload) override;
  void completed(const program::InstInfo& instruction, std::uint32_t cta, Cycle cycles) override;

  /// All instructions that have executed, by kernel and PC.
  std::vector<const InstructionRow*> rows() const;
  /// Launches by kernel.
  const std::map<std::string, std::uint64_t>& launches() const { return launches_; }
  const InstructionCounts& prefetches() const { return prefetches_; }
  const InstructionCounts& writebacks() const { return writebacks_; }
  /// Whether requests pass a TLB before L1D, as sm::for_each_part() asks.
  bool translated() const { return translated_; }
  /// Throws SimulationError unless the sums are those of the machine's statistics, of which
  /// everything must have been counted here.
  void check(const StatRegistry& registry) const;

 private:
  /// One level of caches.
  class Level : public cache::CacheWatch {
   public:
    Level(InstructionProfile& profile, LevelCounts InstructionCounts::*counts)
        : profile_(profile), counts_(counts) {}
    void accepted(const Payload& payload, cache::Outcome outcome) override {
      ++of(access_of(payload)).outcomes[static_cast<std::size_t>(outcome)];
    }
    void evicted(const Access& evictor, bool dirty) override {
      LevelCounts& counts = of(evictor);
      ++counts.evictions;
      counts.dirty_evictions += dirty;
    }
    void invalidated(const Access& store) override { ++of(store).invalidations; }

   private:
    LevelCounts& of(const Access& access) { return profile_.counts_of(access).*counts_; }
    InstructionProfile& profile_;
    LevelCounts InstructionCounts::*counts_;
  };

  InstructionCounts& counts_of(const Access& access);
  InstructionRow& row_of(std::uint32_t cta, std::uint32_t pc);
  InstructionRow& add_row(unsigned kernel, const program::InstInfo& instruction);

  Level l1d_{*this, &InstructionCounts::l1d}, l2_{*this, &InstructionCounts::l2};
  Kernels kernels_;
  bool translated_;
  bool running_ = false;
  std::map<std::string, std::uint64_t> launches_;
  std::deque<InstructionRow> rows_;
  // By kernel, PC, place in the source, text and operation: kernels may share a name.
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, std::string, program::MemOp>,
           InstructionRow*>
      known_;
  std::unordered_map<std::uint64_t, InstructionRow*> of_launch_;  // by kernel and PC
  InstructionCounts prefetches_, writebacks_, between_launches_;
};

/// The documents of docs/per-instruction.md.
std::string instructions_json(const InstructionProfile& profile);
std::string instructions_csv(const InstructionProfile& profile);

}  // namespace warpmem::watch
