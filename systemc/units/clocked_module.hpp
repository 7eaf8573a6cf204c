// SPDX-License-Identifier: Apache-2.0
// What the pin-level modules share: clock, reset, and the registers, which are a signal that
// changes at the clock edge.
#pragma once

#include <systemc>

#include "units/registers.hpp"

namespace warpmem::units {

/// `Core` is a synthesizable core with In, reset() and commit(In). `Module` derives from this
/// class, is its friend, and has `Core::In inputs() const`, which reads the pins; its outputs are
/// sensitive to `core_`.
template <class Module, class Core>
class ClockedModule : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

  /// Returns what the registers hold.
  const Core& registers() const { return core_.read(); }

 protected:
  SC_HAS_PROCESS(ClockedModule);
  explicit ClockedModule(sc_core::sc_module_name name) : sc_module(name) {
    SC_METHOD(clock_edge);
    sensitive << clk.pos();
    dont_initialize();
  }

  sc_core::sc_signal<Core> core_{"core"};

 private:
  void clock_edge() {
    Core next = core_.read();
    if (!rst_n.read()) {
      next.reset();
    } else {
      next.commit(static_cast<const Module&>(*this).inputs());
    }
    core_.write(next);
  }
};

}  // namespace warpmem::units
