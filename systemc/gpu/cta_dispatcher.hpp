// SPDX-License-Identifier: Apache-2.0
// CTA dispatch goes breadth-first over the SMs at the start, one CTA an SM and cycle, and then to
// whichever SM frees a place (docs/mechanisms.md 1.1). When every CTA is done it asks each cycle
// whether the machine has drained, until end() is called.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/clock_domain.hpp"
#include "program/program.hpp"
#include "sm/sm.hpp"

namespace warpmem::gpu {

class CtaDispatcher : public Clocked, public sm::CtaListener {
 public:
  /// The first CTA of a launch is dispatched `launch_latency` cycles after it. `all_done` is called
  /// in every cycle after the last CTA has finished.
  CtaDispatcher(ClockDomain& domain, std::vector<sm::Sm*> sms, Cycle launch_latency,
                std::function<void()> all_done);

  /// Starts a launch. Throws UserError when one CTA does not fit an SM.
  void begin(program::Grid& grid);
  void cta_finished(SmId sm, unsigned cta_slot) override;
  /// From now on `listener` is told of each CTA that leaves, too, in the cycle in which it does.
  void set_listener(std::function<void(SmId, unsigned cta_slot)> listener) {
    listener_ = std::move(listener);
  }

  /// The machine has drained: the launch is over.
  void end() { grid_ = nullptr; }
  bool finished() const { return grid_ == nullptr; }
  /// Returns whether the launch latency still passes.
  bool launching() const { return grid_ != nullptr && domain().now() < first_ + launch_latency_; }
  /// Cycles from the launch to the end of the last CTA, over all launches.
  const std::uint64_t& cycles() const { return cycles_; }
  /// Of these, cycles from the launch to the first dispatch.
  const std::uint64_t& launch_cycles() const { return launch_cycles_; }
  const std::uint64_t& launches() const { return launches_; }
  std::uint64_t dispatched() const { return next_; }
  std::uint64_t completed() const { return completed_; }
  std::uint64_t total() const { return total_; }

 private:
  Cycle tick(Cycle now) override;
  void collect(Cycle now);
  bool dispatch();

  std::vector<sm::Sm*> sms_;
  std::function<void()> all_done_;
  std::function<void(SmId, unsigned)> listener_;
  program::Grid* grid_ = nullptr;
  std::uint64_t next_ = 0;
  std::uint64_t completed_ = 0;
  std::uint64_t total_ = 0;
  std::vector<unsigned> free_;  // free places of each SM, as this module sees them
  unsigned places_ = 0;         // sum of free_
  unsigned turn_ = 0;           // SM that is offered the next CTA first
  struct Finish {
    Cycle visible;
    unsigned sm;
  };
  std::vector<Finish> finishes_;
  Cycle launch_latency_;
  Cycle first_ = 0;  // the first cycle of the launch
  std::uint64_t cycles_ = 0;
  std::uint64_t launch_cycles_ = 0;
  std::uint64_t launches_ = 0;
};

}  // namespace warpmem::gpu
