// SPDX-License-Identifier: Apache-2.0
// A pin-level unit under a clock, against its core: outputs at every rising edge.
#pragma once

#include <systemc>

#include "base/random.hpp"

namespace warpmem::units {

/// Drives at the falling edge, looks at the rising one. `Pins` holds the module and its signals.
template <class Core, class Pins>
class PinBench : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(PinBench);
  explicit PinBench(sc_core::sc_module_name name) : sc_module(name) {
    core_.reset();
    pins_.bind(clock_, rst_n_);
    SC_METHOD(drive);
    sensitive << clock_.negedge_event();
    dont_initialize();
    SC_METHOD(look);
    sensitive << clock_.posedge_event();
    dont_initialize();
  }

  int compared() const { return compared_; }
  int different() const { return different_; }
  const Pins& pins() const { return pins_; }

 private:
  static constexpr int kResetCycles = 3;

  void drive() {
    rst_n_ = edges_ >= kResetCycles;
    in_ = edges_ >= kResetCycles ? pins_.random(random_) : typename Core::In{};
    pins_.drive(in_);
  }
  void look() {
    if (++edges_ <= kResetCycles || !rst_n_.read()) return;
    different_ += pins_.sample() != core_.eval(in_);
    core_.commit(in_);
    ++compared_;
  }

  Core core_;
  Random random_{11};
  typename Core::In in_;
  int edges_ = 0, compared_ = 0, different_ = 0;
  sc_core::sc_clock clock_{"clock", 1, sc_core::SC_NS};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  Pins pins_;
};

}  // namespace warpmem::units
