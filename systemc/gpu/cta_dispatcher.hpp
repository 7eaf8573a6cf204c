// SPDX-License-Identifier: Apache-2.0
// CTA dispatch goes breadth-first over the SMs at the start, one CTA an SM and cycle, and then to
// whichever SM frees a place, so many of all SMs in a cycle as the machine has it
// (docs/mechanisms.md 1.1). Of kernels that run together the oldest with
// CTAs left goes first, and the younger ones get the places that it leaves when it has none. When
// every CTA is done it asks each cycle whether the machine has drained, until end() is called.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/clock_domain.hpp"
#include "gpu/clusters.hpp"
#include "program/program.hpp"
#include "sm/sm.hpp"

namespace warpmem::gpu {

class CtaDispatcher : public Clocked, public sm::CtaListener {
 public:
  struct Limits {
    Cycle launch_latency = 0;         ///< cycles from the begin of a kernel to its first CTA
    unsigned concurrent_kernels = 1;  ///< kernels that run at a time
    unsigned gpc_sms = 0;             ///< SMs of a GPC; 0: there are none
    unsigned ctas_a_cycle = 0;        ///< CTAs dispatched in a cycle; 0: one an SM
  };
  /// When a kernel of the launch ran, in cycles since the launch.
  struct Run {
    Cycle begin = 0;  ///< its launch latency begins
    Cycle end = 0;    ///< its last CTA has finished
  };

  /// `all_done` is called in every cycle after the last CTA has finished.
  CtaDispatcher(ClockDomain& domain, std::vector<sm::Sm*> sms, const Limits& limits,
                std::function<void()> all_done);

  /// Starts a launch of kernels that do not depend on each other; as many as may run at a time
  /// begin now, each of the others when one has ended. Throws UserError when one CTA does not fit
  /// an SM, or a cluster no GPC.
  void begin(const std::vector<program::Grid*>& grids);
  void cta_finished(SmId sm, unsigned cta_slot, unsigned kernel) override;
  /// From now on `listener` is told of each CTA that leaves, too, in the cycle in which it does.
  void set_listener(std::function<void(SmId, unsigned cta_slot)> listener) {
    listener_ = std::move(listener);
  }

  /// The machine has drained: the launch is over.
  void end() { running_ = false; }
  bool finished() const { return !running_; }
  /// Returns whether a launch latency still passes.
  bool launching() const;
  /// Cycles from the launch to the end of the last CTA, or until now, over all launches.
  std::uint64_t cycles() const {
    const bool over = completed_ == total_ || domain().now() < first_;
    return cycles_ + (over ? 0 : domain().now() - first_);
  }
  /// Cycles of launch latency, over all kernels.
  const std::uint64_t& launch_cycles() const { return launch_cycles_; }
  const std::uint64_t& kernels_launched() const { return kernels_launched_; }
  std::uint64_t completed() const { return completed_; }
  std::uint64_t total() const { return total_; }
  /// When each kernel of the last launch ran, in the order of begin().
  std::vector<Run> runs() const;

 private:
  struct Kernel {
    sm::Resources need;  // of a CTA
    program::Clusters clusters;
    std::uint64_t next = 0;
    std::uint64_t completed = 0;
    std::uint64_t total = 0;
    Cycle begin = 0;
    Cycle end = 0;
    bool has_more() const { return next != total; }
  };

  Cycle tick(Cycle now) override;
  void begin_kernels(Cycle now);
  void note_launched(Cycle now);
  void collect(Cycle now);
  bool dispatch(Cycle now);
  bool dispatch_clusters(Kernel& kernel, Cycle now);
  /// Takes note of a CTA, or of those of a cluster, that go in this cycle; returns whether another
  /// may go, too.
  bool may_go_on(Cycle now, unsigned ctas);
  Kernel* oldest_with_ctas();

  std::vector<sm::Sm*> sms_;
  Limits limits_;
  std::function<void()> all_done_;
  std::function<void(SmId, unsigned)> listener_;
  bool running_ = false;
  std::vector<Kernel> kernels_;  // of the launch, oldest first
  unsigned kernels_running_ = 0;
  unsigned begun_ = 0;     // the kernels before this one have begun
  unsigned launched_ = 0;  // their latency has passed
  std::uint64_t completed_ = 0;
  std::uint64_t total_ = 0;
  std::vector<sm::Resources> left_;  // of each SM, as this module sees them
  unsigned turn_ = 0;                // SM that is offered the next CTA first
  GpcOrder gpcs_;
  unsigned gpc_turn_ = 0;  // GPC that is offered the next cluster first
  // With limits_.ctas_a_cycle: places for CTAs in all cycles before this one are used or gone, and
  // of this cycle so many are used.
  Cycle dispatch_cycle_ = 0;
  unsigned dispatched_ = 0;
  struct Finish {
    Cycle visible;
    unsigned sm;
    unsigned kernel;
  };
  std::vector<Finish> finishes_;
  Cycle first_ = 0;  // the first cycle of the launch
  std::uint64_t cycles_ = 0;
  std::uint64_t launch_cycles_ = 0;
  std::uint64_t kernels_launched_ = 0;
};

}  // namespace warpmem::gpu
