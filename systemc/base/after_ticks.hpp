// SPDX-License-Identifier: Apache-2.0
// A callback when every module of this instant has been ticked: in a delta cycle of the kernel, or
// at the same point of EdgeLoop. What it reads does not depend on the order of the ticks.
#pragma once

#include <functional>
#include <systemc>
#include <utility>

#include "base/edge_loop.hpp"

namespace warpmem {

class AfterTicks : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(AfterTicks);

  /// What a callback does. In an instant those that look come after those that change something.
  enum class Does { changes, looks };

  /// `call` runs as a part of a method process and must not throw. It may call
  /// pause_simulation().
  AfterTicks(sc_core::sc_module_name name, Does does, std::function<void()> call)
      : sc_module(name), does_(does), call_(std::move(call)) {
    SC_METHOD(run_in_kernel);
    sensitive << event_;
    dont_initialize();
  }

  /// Asks for one callback in this instant; more requests ask for the same one.
  void request() {
    if (std::exchange(requested_, true)) return;
    EdgeLoop& loop = EdgeLoop::instance();
    if (!looks()) loop.open_change();
    if (loop.running()) {
      loop.after_ticks(*this);
    } else {
      ask_kernel();
    }
  }

 private:
  friend class EdgeLoop;
  bool looks() const { return does_ == Does::looks; }
  void ask_kernel() { event_.notify(sc_core::SC_ZERO_TIME); }
  // One that looks lets the delta cycle pass in which something else is to be changed yet.
  void run_in_kernel() {
    if (looks() && EdgeLoop::instance().changes_open() != 0) {
      ask_kernel();
    } else {
      run();
    }
  }
  void run() {
    requested_ = false;
    if (!looks()) EdgeLoop::instance().close_change();
    call_();
  }

  const Does does_;
  std::function<void()> call_;
  bool requested_ = false;
  sc_core::sc_event event_;
};

}  // namespace warpmem
