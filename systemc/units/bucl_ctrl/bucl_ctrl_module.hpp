// SPDX-License-Identifier: Apache-2.0
// Pin-level control of BUCL: the core with the ports of rtl/bucl_ctrl/bucl_ctrl.sv.
#pragma once

#include <systemc>

#include "units/bucl_ctrl/bucl_ctrl_core.hpp"
#include "units/clocked_module.hpp"

namespace warpmem::units {

template <unsigned kPeriod, unsigned kHitLimit, unsigned kUibLimit, unsigned kTucd, unsigned kLeast,
          unsigned kMost, unsigned kProfile>
class BuclCtrlModule
    : public ClockedModule<
          BuclCtrlModule<kPeriod, kHitLimit, kUibLimit, kTucd, kLeast, kMost, kProfile>,
          BuclCtrlCore<kPeriod, kHitLimit, kUibLimit, kTucd, kLeast, kMost, kProfile>> {
  using Core = BuclCtrlCore<kPeriod, kHitLimit, kUibLimit, kTucd, kLeast, kMost, kProfile>;
  using Base = ClockedModule<BuclCtrlModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using Degree = sc_dt::sc_uint<6>;
  using Row = sc_dt::sc_uint<4>;
  using Share = sc_dt::sc_uint<10>;

  sc_core::sc_in<bool> clear_i{"clear_i"};
  sc_core::sc_in<bool> access_valid_i{"access_valid_i"};
  sc_core::sc_in<bool> access_hit_i{"access_hit_i"};
  sc_core::sc_in<bool> choose_valid_i{"choose_valid_i"};
  sc_core::sc_in<Row> choose_row_i{"choose_row_i"};
  sc_core::sc_in<Degree> load_degree_i{"load_degree_i"};
  sc_core::sc_in<Row> load_row_i{"load_row_i"};
  sc_core::sc_in<Share> uib_i{"uib_i"};

  sc_core::sc_out<Degree> tucd_o{"tucd_o"};
  sc_core::sc_out<bool> load_bypass_o{"load_bypass_o"};
  sc_core::sc_out<bool> low_o{"low_o"};
  sc_core::sc_out<bool> refused_bypass_o{"refused_bypass_o"};
  sc_core::sc_out<bool> period_end_o{"period_end_o"};

  SC_HAS_PROCESS(BuclCtrlModule);
  explicit BuclCtrlModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(compare);
    this->sensitive << core_ << load_degree_i << load_row_i << uib_i;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.clear = clear_i.read();
    in.access_valid = access_valid_i.read();
    in.access_hit = access_hit_i.read();
    in.choose_valid = choose_valid_i.read();
    in.choose_row = static_cast<std::uint8_t>(choose_row_i.read().to_uint());
    in.load_degree = static_cast<std::uint8_t>(load_degree_i.read().to_uint());
    in.load_row = static_cast<std::uint8_t>(load_row_i.read().to_uint());
    in.uib = static_cast<std::uint16_t>(uib_i.read().to_uint());
    return in;
  }

  void compare() {
    const typename Core::Out out = core_.read().eval(inputs());
    tucd_o.write(Degree(out.tucd));
    load_bypass_o.write(out.load_bypass);
    low_o.write(out.low);
    refused_bypass_o.write(out.refused_bypass);
    period_end_o.write(out.period_end);
  }
};

}  // namespace warpmem::units
