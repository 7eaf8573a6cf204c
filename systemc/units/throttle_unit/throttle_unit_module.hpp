// SPDX-License-Identifier: Apache-2.0
// Pin-level throttling unit: the core with the ports of rtl/throttle_unit/throttle_unit.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/throttle_unit/throttle_unit_core.hpp"

namespace warpmem::units {

template <unsigned kWarps, unsigned kDivergence, unsigned kStable, unsigned kHold, bool kMemory>
class ThrottleUnitModule
    : public ClockedModule<ThrottleUnitModule<kWarps, kDivergence, kStable, kHold, kMemory>,
                           ThrottleUnitCore<kWarps, kDivergence, kStable, kHold, kMemory>> {
  using Core = ThrottleUnitCore<kWarps, kDivergence, kStable, kHold, kMemory>;
  using Base = ClockedModule<ThrottleUnitModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using WarpIndex = sc_dt::sc_uint<bits_for(kWarps)>;
  using WarpCount = sc_dt::sc_uint<bits_for(kWarps + 1)>;
  using WarpVector = sc_dt::sc_uint<static_cast<int>(kWarps)>;

  sc_core::sc_in<bool> clear_i{"clear_i"};
  sc_core::sc_in<bool> fair_i{"fair_i"};
  sc_core::sc_in<bool> access_valid_i{"access_valid_i"};
  sc_core::sc_in<bool> access_intra_i{"access_intra_i"};
  sc_core::sc_in<WarpIndex> access_warp_i{"access_warp_i"};
  sc_core::sc_in<WarpVector> end_warps_i{"end_warps_i"};
  sc_core::sc_in<bool> mshr_full_i{"mshr_full_i"};
  sc_core::sc_in<WarpCount> load_count_i{"load_count_i"};

  sc_core::sc_out<bool> limited_o{"limited_o"};
  sc_core::sc_out<WarpCount> limit_o{"limit_o"};
  sc_core::sc_out<WarpCount> hit_count_o{"hit_count_o"};
  sc_core::sc_out<WarpCount> min_count_o{"min_count_o"};
  sc_core::sc_out<WarpCount> max_count_o{"max_count_o"};
  sc_core::sc_out<bool> by_divergence_o{"by_divergence_o"};

  SC_HAS_PROCESS(ThrottleUnitModule);
  explicit ThrottleUnitModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(drive);
    this->sensitive << core_ << fair_i;  // the one input that reaches outputs in its cycle
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.clear = clear_i.read();
    in.fair = fair_i.read();
    in.access_valid = access_valid_i.read();
    in.access_intra = access_intra_i.read();
    in.access_warp = static_cast<std::uint8_t>(access_warp_i.read().to_uint());
    in.end_warps = end_warps_i.read().to_uint64();
    in.mshr_full = mshr_full_i.read();
    in.load_count = static_cast<std::uint8_t>(load_count_i.read().to_uint());
    return in;
  }

  void drive() {
    const typename Core::Out out = core_.read().eval(inputs());
    limited_o.write(out.limited);
    limit_o.write(WarpCount(out.limit));
    hit_count_o.write(WarpCount(out.hit_count));
    min_count_o.write(WarpCount(out.min_count));
    max_count_o.write(WarpCount(out.max_count));
    by_divergence_o.write(out.by_divergence);
  }
};

}  // namespace warpmem::units
