// SPDX-License-Identifier: Apache-2.0
// Pin-level index generator of TSMA: the core with the ports of
// rtl/tsma_index_gen/tsma_index_gen.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/tsma_index_gen/tsma_index_gen_core.hpp"

namespace warpmem::units {

template <unsigned kEntries>
class TsmaIndexGenModule
    : public ClockedModule<TsmaIndexGenModule<kEntries>, TsmaIndexGenCore<kEntries>> {
  using Core = TsmaIndexGenCore<kEntries>;
  using Base = ClockedModule<TsmaIndexGenModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using EntryIndex = sc_dt::sc_uint<bits_for(kEntries)>;
  using EntryVector = sc_dt::sc_biguint<static_cast<int>(kEntries)>;

  sc_core::sc_in<bool> take_i{"take_i"};
  sc_core::sc_in<bool> release_i{"release_i"};
  sc_core::sc_in<EntryIndex> release_idx_i{"release_idx_i"};

  sc_core::sc_out<EntryIndex> idx_o{"idx_o"};
  sc_core::sc_out<bool> full_o{"full_o"};
  sc_core::sc_out<EntryVector> available_o{"available_o"};

  SC_HAS_PROCESS(TsmaIndexGenModule);
  explicit TsmaIndexGenModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(show);
    this->sensitive << core_;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.take = take_i.read();
    in.release = release_i.read();
    in.release_idx = static_cast<std::uint16_t>(release_idx_i.read().to_uint());
    return in;
  }

  // The outputs are registers: they change with the clock and with nothing else.
  void show() {
    const Core& core = core_.read();
    const typename Core::Out out = core.eval();
    EntryVector available = 0;
    for (unsigned i = 0; i < kEntries; ++i) available[static_cast<int>(i)] = core.available(i);
    idx_o.write(EntryIndex(out.idx));
    full_o.write(out.full);
    available_o.write(available);
  }
};

}  // namespace warpmem::units
