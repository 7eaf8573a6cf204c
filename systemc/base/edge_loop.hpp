// SPDX-License-Identifier: Apache-2.0
// Who calls the clock domains at their edges: the SystemC kernel, by an event of each domain, or,
// where nobody else needs the kernel, a loop over the edges of all domains (run_ahead_of_kernel()).
//
// The loop gives control back to the kernel when there is no edge left, for a pause, and when a
// tick has failed. The kernel comes back at the time of the next edge.
#pragma once

#include <vector>

#include "base/clock_domain.hpp"

namespace warpmem {

class AfterTicks;

/// One a process, as the kernel is.
class EdgeLoop {
 public:
  static EdgeLoop& instance();

  void leave_out_kernel() { without_kernel_ = true; }
  bool without_kernel() const { return without_kernel_; }
  /// Returns whether the loop is at work, so that callbacks after the ticks are its own to make.
  bool running() const { return running_; }

  void add(ClockDomain& domain) { domains_.push_back(&domain); }
  void remove(ClockDomain& domain);
  /// The next edge of `domain` has been brought forward.
  void scheduled(ClockDomain& domain) {
    if (!running_) tell_kernel(domain);
  }
  /// `call` wants its callback when all edges of this instant are done. Precondition: running().
  void after_ticks(AfterTicks& call);
  /// Callbacks that change something have been asked for, and not been made.
  unsigned changes_open() const { return changes_open_; }
  void open_change() { ++changes_open_; }
  void close_change() { --changes_open_; }
  void pause() { paused_ = true; }
  /// Runs edges until the kernel is needed.
  void run();

 private:
  EdgeLoop() = default;
  Femtoseconds next() const;
  void tell_kernel(ClockDomain& domain);
  static void notify(ClockDomain& domain, Femtoseconds time);
  void call_back();

  bool without_kernel_ = false;
  bool running_ = false;
  bool paused_ = false;
  unsigned changes_open_ = 0;
  std::vector<ClockDomain*> domains_;
  std::vector<AfterTicks*> changes_, looks_;  // callbacks of this instant
};

}  // namespace warpmem
