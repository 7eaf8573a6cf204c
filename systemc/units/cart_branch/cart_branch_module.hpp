// SPDX-License-Identifier: Apache-2.0
// Pin-level CART branch: the core with the ports of rtl/cart_branch/cart_branch.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/cart_branch/cart_branch_core.hpp"
#include "units/clocked_module.hpp"

namespace warpmem::units {

/// A DRAM row address has `kRowBits` (1..32) bits, a line within the row `kColumnBits` (1..32).
template <unsigned kRows, unsigned kColumns, unsigned kDepth, unsigned kRowBits,
          unsigned kColumnBits>
class CartBranchModule
    : public ClockedModule<CartBranchModule<kRows, kColumns, kDepth, kRowBits, kColumnBits>,
                           CartBranchCore<kRows, kColumns, kDepth>> {
  using Core = CartBranchCore<kRows, kColumns, kDepth>;
  using Base = ClockedModule<CartBranchModule, Core>;
  friend Base;
  using Base::core_;

  static_assert(kRowBits >= 1 && kRowBits <= 32 && kColumnBits >= 1 && kColumnBits <= 32,
                "cart_branch: ROW_BITS and COLUMN_BITS must be 1 to 32");

 public:
  using Row = sc_dt::sc_uint<static_cast<int>(kRowBits)>;
  using Column = sc_dt::sc_uint<static_cast<int>(kColumnBits)>;
  using LeafMask = sc_dt::sc_uint<static_cast<int>(kRows* kColumns)>;
  using LeafIndex = sc_dt::sc_uint<bits_for(kRows* kColumns)>;

  sc_core::sc_in<bool> fill_valid_i{"fill_valid_i"};
  sc_core::sc_in<Row> fill_row_i{"fill_row_i"};
  sc_core::sc_in<Column> fill_column_i{"fill_column_i"};
  sc_core::sc_out<bool> fill_ready_o{"fill_ready_o"};
  sc_core::sc_out<LeafIndex> fill_leaf_o{"fill_leaf_o"};

  sc_core::sc_in<LeafMask> ready_i{"ready_i"};
  sc_core::sc_out<bool> drain_valid_o{"drain_valid_o"};
  sc_core::sc_out<bool> drain_again_o{"drain_again_o"};
  sc_core::sc_out<LeafIndex> drain_leaf_o{"drain_leaf_o"};

  sc_core::sc_in<bool> turn_i{"turn_i"};
  sc_core::sc_in<bool> pop_i{"pop_i"};
  sc_core::sc_in<bool> refuse_i{"refuse_i"};
  sc_core::sc_in<LeafIndex> leaf_i{"leaf_i"};

  sc_core::sc_out<LeafMask> drains_o{"drains_o"};
  sc_core::sc_out<LeafMask> refused_o{"refused_o"};
  sc_core::sc_out<bool> last_valid_o{"last_valid_o"};
  sc_core::sc_out<LeafIndex> last_leaf_o{"last_leaf_o"};
  sc_core::sc_out<LeafMask> same_row_o{"same_row_o"};

  SC_HAS_PROCESS(CartBranchModule);
  explicit CartBranchModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(select);
    this->sensitive << core_ << fill_valid_i << fill_row_i << fill_column_i << ready_i;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.fill_valid = fill_valid_i.read();
    in.fill_row = fill_row_i.read().to_uint();
    in.fill_column = fill_column_i.read().to_uint();
    in.ready = ready_i.read().to_uint64();
    in.turn = turn_i.read();
    in.pop = pop_i.read();
    in.refuse = refuse_i.read();
    in.leaf = static_cast<std::uint8_t>(leaf_i.read().to_uint());
    return in;
  }

  void select() {
    const typename Core::Out out = core_.read().eval(inputs());
    fill_ready_o.write(out.fill_ready);
    fill_leaf_o.write(LeafIndex(out.fill_leaf));
    drain_valid_o.write(out.drain_valid);
    drain_again_o.write(out.drain_again);
    drain_leaf_o.write(LeafIndex(out.drain_leaf));
    drains_o.write(LeafMask(out.drains));
    refused_o.write(LeafMask(out.refused));
    last_valid_o.write(out.last_valid);
    last_leaf_o.write(LeafIndex(out.last_leaf));
    same_row_o.write(LeafMask(out.same_row));
  }
};

}  // namespace warpmem::units
