// SPDX-License-Identifier: Apache-2.0
// Pin-level index generator of TSMA: the core with the ports of
// rtl/tsma_index_gen/tsma_index_gen.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/tsma_index_gen/tsma_index_gen_core.hpp"

namespace warpmem::units {

template <unsigned kEntries>
class TsmaIndexGenModule : public sc_core::sc_module {
 public:
  using EntryIndex = sc_dt::sc_uint<bits_for(kEntries)>;
  using EntryVector = sc_dt::sc_biguint<static_cast<int>(kEntries)>;

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

  sc_core::sc_in<bool> take_i{"take_i"};
  sc_core::sc_in<bool> release_i{"release_i"};
  sc_core::sc_in<EntryIndex> release_idx_i{"release_idx_i"};

  sc_core::sc_out<EntryIndex> idx_o{"idx_o"};
  sc_core::sc_out<bool> full_o{"full_o"};
  sc_core::sc_out<EntryVector> available_o{"available_o"};

  SC_HAS_PROCESS(TsmaIndexGenModule);
  explicit TsmaIndexGenModule(sc_core::sc_module_name name) : sc_module(name) {
    SC_METHOD(clock_edge);
    sensitive << clk.pos();
    dont_initialize();
  }

 private:
  using Core = TsmaIndexGenCore<kEntries>;

  // The outputs are registers: they change with the clock and with nothing else.
  void clock_edge() {
    if (!rst_n.read()) {
      core_.reset();
    } else {
      typename Core::In in;
      in.take = take_i.read();
      in.release = release_i.read();
      in.release_idx = static_cast<std::uint16_t>(release_idx_i.read().to_uint());
      core_.commit(in);
    }
    const typename Core::Out out = core_.eval();
    EntryVector available = 0;
    for (unsigned i = 0; i < kEntries; ++i) available[static_cast<int>(i)] = core_.available(i);
    idx_o.write(EntryIndex(out.idx));
    full_o.write(out.full);
    available_o.write(available);
  }

  Core core_;
};

}  // namespace warpmem::units
