// SPDX-License-Identifier: Apache-2.0
// Pin-level steering of HTSMA: the core with the ports of rtl/htsma_steer/htsma_steer.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/htsma_steer/htsma_steer_core.hpp"

namespace warpmem::units {

template <unsigned kWays>
class HtsmaSteerModule : public sc_core::sc_module {
  using Core = HtsmaSteerCore<kWays>;

 public:
  using LineCount = sc_dt::sc_uint<bits_for(kWays + 1)>;
  using Branch = sc_dt::sc_uint<3>;

  // These are for the checks of the RTL alone: the unit has no registers.
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

  sc_core::sc_in<LineCount> shared_count_i{"shared_count_i"};
  sc_core::sc_in<bool> victim_valid_i{"victim_valid_i"};
  sc_core::sc_in<bool> victim_hit_i{"victim_hit_i"};
  sc_core::sc_in<bool> small_empty_i{"small_empty_i"};
  sc_core::sc_in<bool> small_full_i{"small_full_i"};
  sc_core::sc_in<bool> small_match_i{"small_match_i"};

  sc_core::sc_out<bool> to_small_o{"to_small_o"};
  sc_core::sc_out<bool> to_array_o{"to_array_o"};
  sc_core::sc_out<bool> merges_o{"merges_o"};
  sc_core::sc_out<bool> compares_o{"compares_o"};
  sc_core::sc_out<bool> critical_o{"critical_o"};
  sc_core::sc_out<Branch> steer_o{"steer_o"};

  const Core& registers() const { return core_; }

  SC_HAS_PROCESS(HtsmaSteerModule);
  explicit HtsmaSteerModule(sc_core::sc_module_name name) : sc_module(name) {
    SC_METHOD(steer);
    sensitive << shared_count_i << victim_valid_i << victim_hit_i << small_empty_i << small_full_i
              << small_match_i;
  }

 private:
  void steer() {
    typename Core::In in;
    in.shared_count = static_cast<std::uint16_t>(shared_count_i.read().to_uint());
    in.victim_valid = victim_valid_i.read();
    in.victim_hit = victim_hit_i.read();
    in.small_empty = small_empty_i.read();
    in.small_full = small_full_i.read();
    in.small_match = small_match_i.read();
    const typename Core::Out out = core_.eval(in);
    to_small_o.write(out.to_small);
    to_array_o.write(out.to_array);
    merges_o.write(out.merges);
    compares_o.write(out.compares);
    critical_o.write(out.critical);
    steer_o.write(Branch(static_cast<unsigned>(out.steer)));
  }

  Core core_;
};

}  // namespace warpmem::units
