// SPDX-License-Identifier: Apache-2.0
// What the pin-level modules with combinational outputs share: clock, reset, and a core whose
// registers change at the clock edge.
#pragma once

#include <systemc>

namespace warpmem::units {

/// `Core` is a synthesizable core with In, reset() and commit(In). `Module` derives from this
/// class, is its friend, and has `Core::In inputs() const`, which reads the pins; its outputs are
/// sensitive to `edge_`.
template <class Module, class Core>
class ClockedModule : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

 protected:
  SC_HAS_PROCESS(ClockedModule);
  explicit ClockedModule(sc_core::sc_module_name name) : sc_module(name) {
    SC_METHOD(clock_edge);
    sensitive << clk.pos();
    dont_initialize();
  }

  Core core_;
  sc_core::sc_signal<bool> edge_{"edge"};  // toggles when the registers have changed

 private:
  void clock_edge() {
    if (!rst_n.read()) {
      core_.reset();
    } else {
      core_.commit(static_cast<const Module&>(*this).inputs());
    }
    edge_.write(!edge_.read());
  }
};

}  // namespace warpmem::units
