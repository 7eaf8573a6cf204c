// SPDX-License-Identifier: Apache-2.0
// An SM with a scripted program, at a plain memory that answers after a fixed time.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <systemc>
#include <vector>

#include "program/async.hpp"
#include "sm/sm.hpp"
#include "unit/sm/plain_memory.hpp"

namespace warpmem::sm {

using program::InstInfo;
using program::Issue;
using program::MemOp;
using program::OpClass;
using program::Space;

inline InstInfo op(OpClass c, std::initializer_list<unsigned> sources = {},
                   std::initializer_list<unsigned> destinations = {}) {
  InstInfo i;
  i.op_class = c;
  for (unsigned r : sources) i.sources.add(static_cast<std::uint16_t>(r));
  for (unsigned r : destinations) i.destinations.add(static_cast<std::uint16_t>(r));
  return i;
}
inline InstInfo access(MemOp mem, Space space, std::initializer_list<unsigned> sources,
                       std::initializer_list<unsigned> destinations) {
  InstInfo i = op(OpClass::memory, sources, destinations);
  i.mem = mem;
  i.space = space;
  i.bytes = 4;
  return i;
}

/// Every warp runs the same list; addresses are warp * 4096 + lane * 4.
class Script : public program::Grid {
 public:
  Script(std::vector<InstInfo> code, unsigned ctas, unsigned warps) : code_(std::move(code)) {
    traits_.name = "script";
    traits_.grid.x = ctas;
    traits_.block.x = warps * 32;
    traits_.warps_per_cta = warps;
    traits_.scoreboard_registers = 32;
    for (std::size_t i = 0; i < code_.size(); ++i) code_[i].pc = static_cast<std::uint32_t>(8 * i);
  }
  const program::KernelTraits& traits() const override { return traits_; }
  program::KernelTraits& edit() { return traits_; }
  std::unique_ptr<program::Cta> start_cta(std::uint64_t index,
                                          const program::SmView& view) override {
    return std::make_unique<ScriptCta>(*this, index, view);
  }
  struct Event {
    Cycle cycle;
    std::uint64_t cta;
    unsigned warp;
    unsigned inst;
  };
  std::vector<Event> trace;
  /// Completes what a barrier instruction of a warp reports.
  void (*barrier)(unsigned warp, Issue& issue) = nullptr;

 private:
  class ScriptCta : public program::Cta {
   public:
    ScriptCta(Script& script, std::uint64_t index, const program::SmView& view)
        : script_(script), index_(index), view_(view), at_(script.traits_.warps_per_cta, 0) {}
    const InstInfo* next(unsigned w) const override {
      return at_[w] < script_.code_.size() ? &script_.code_[at_[w]] : nullptr;
    }
    const Issue& execute(unsigned w) override {
      script_.trace.push_back({*view_.clock, index_, w, at_[w]});
      issue_.inst = &script_.code_[at_[w]++];
      issue_.lanes = ~LaneMask(0);
      issue_.space = issue_.inst->space;
      for (unsigned lane = 0; lane < 32; ++lane)
        address_[lane] = (index_ * 64 + w + 1) * 4096 + lane * 4;
      issue_.address = address_.data();
      // A lane of a bulk copy moves 16 bytes.
      for (unsigned lane = 0; lane < 32; ++lane) operand_[lane * program::kBulkOperands + 1] = 16;
      issue_.operand = operand_.data();
      issue_.exited = at_[w] == script_.code_.size();
      if (script_.barrier != nullptr) script_.barrier(w, issue_);
      return issue_;
    }

   private:
    Script& script_;
    std::uint64_t index_;
    program::SmView view_;
    std::vector<unsigned> at_;
    std::array<Addr, 32> address_;
    std::array<std::uint32_t, 32 * program::kBulkOperands> operand_{};
    Issue issue_;
  };
  program::KernelTraits traits_;
  std::vector<InstInfo> code_;
};

class Bench : public CtaListener {
 public:
  explicit Bench(SmParams params = {}, bool tick_all = false, DataCheck* check = nullptr)
      : domain("clock", (set_simulation_resolution(), 1'000'000'000), tick_all),
        sm("sm", params, SmId(0), 1, domain, pool, check),
        memory("memory", sc_core::sc_time(100, sc_core::SC_NS)) {
    sm.port().socket.bind(memory.socket);
    sm.set_listener(this);
    sm.register_stats(stats.group("sm"));
  }
  void run(Script& script, double nanoseconds = 5000) { run({&script}, nanoseconds); }
  /// Starts all CTAs of all kernels at once.
  void run(const std::vector<program::Grid*>& kernels, double nanoseconds = 5000) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    sm.begin_launch(kernels);
    for (unsigned k = 0; k < kernels.size(); ++k)
      for (std::uint64_t i = 0; i < kernels[k]->ctas(); ++i) sm.start_cta(k, i);
    sc_core::sc_start(sc_core::sc_time(nanoseconds, sc_core::SC_NS));
    rethrow_tick_failure();
    EXPECT_TRUE(sm.idle()) << sm.describe();
    EXPECT_EQ(pool.outstanding(), 0u);
  }
  void cta_finished(SmId, unsigned, unsigned kernel) override {
    ++finished;
    ++finished_of[kernel];
  }

  ClockDomain domain;
  TransactionPool pool;
  StatRegistry stats;
  Sm sm;
  PlainMemory memory;
  unsigned finished = 0;
  std::map<unsigned, unsigned> finished_of;  // by kernel
};

inline const InstInfo kExit = op(OpClass::control);

}  // namespace warpmem::sm
