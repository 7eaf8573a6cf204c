// SPDX-License-Identifier: Apache-2.0
// Pin-level CART with shared comparators: the core with the ports of
// rtl/cart_shared/cart_shared.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/cart_shared/cart_shared_core.hpp"
#include "units/clocked_module.hpp"

namespace warpmem::units {

/// A DRAM row address has `kRowBits` (1..32) bits, a line within the row `kColumnBits` (1..32).
template <unsigned kBanks, unsigned kRows, unsigned kColumns, unsigned kDepth, unsigned kRowBits,
          unsigned kColumnBits>
class CartSharedModule
    : public ClockedModule<CartSharedModule<kBanks, kRows, kColumns, kDepth, kRowBits, kColumnBits>,
                           CartSharedCore<kBanks, kRows, kColumns, kDepth>> {
  using Core = CartSharedCore<kBanks, kRows, kColumns, kDepth>;
  using Base = ClockedModule<CartSharedModule, Core>;
  friend Base;
  using Base::core_;

  static_assert(kRowBits >= 1 && kRowBits <= 32 && kColumnBits >= 1 && kColumnBits <= 32,
                "cart_shared: ROW_BITS and COLUMN_BITS must be 1 to 32");

 public:
  using Row = sc_dt::sc_uint<static_cast<int>(kRowBits)>;
  using Column = sc_dt::sc_uint<static_cast<int>(kColumnBits)>;
  using BankIndex = sc_dt::sc_uint<bits_for(kBanks)>;
  using BankMask = sc_dt::sc_uint<static_cast<int>(kBanks)>;
  using LeafMask = sc_dt::sc_uint<static_cast<int>(kRows* kColumns)>;
  using LeafIndex = sc_dt::sc_uint<bits_for(kRows* kColumns)>;

  sc_core::sc_in<bool> fill_valid_i{"fill_valid_i"};
  sc_core::sc_in<BankIndex> fill_bank_i{"fill_bank_i"};
  sc_core::sc_in<Row> fill_row_i{"fill_row_i"};
  sc_core::sc_in<Column> fill_column_i{"fill_column_i"};
  sc_core::sc_out<bool> fill_ready_o{"fill_ready_o"};
  sc_core::sc_out<LeafIndex> fill_leaf_o{"fill_leaf_o"};

  sc_core::sc_out<bool> bank_valid_o{"bank_valid_o"};
  sc_core::sc_out<BankIndex> bank_o{"bank_o"};
  sc_core::sc_out<LeafMask> drains_o{"drains_o"};
  sc_core::sc_in<LeafMask> ready_i{"ready_i"};
  sc_core::sc_out<bool> drain_valid_o{"drain_valid_o"};
  sc_core::sc_out<bool> drain_again_o{"drain_again_o"};
  sc_core::sc_out<LeafIndex> drain_leaf_o{"drain_leaf_o"};
  sc_core::sc_in<bool> pop_i{"pop_i"};
  sc_core::sc_in<bool> refuse_i{"refuse_i"};

  sc_core::sc_out<BankMask> held_o{"held_o"};

  SC_HAS_PROCESS(CartSharedModule);
  explicit CartSharedModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(select);
    this->sensitive << core_ << fill_valid_i << fill_bank_i << fill_row_i << fill_column_i
                    << ready_i;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.fill_valid = fill_valid_i.read();
    in.fill_bank = static_cast<std::uint8_t>(fill_bank_i.read().to_uint());
    in.fill_row = fill_row_i.read().to_uint();
    in.fill_column = fill_column_i.read().to_uint();
    in.ready = ready_i.read().to_uint64();
    in.pop = pop_i.read();
    in.refuse = refuse_i.read();
    return in;
  }

  void select() {
    const typename Core::Out out = core_.read().eval(inputs());
    fill_ready_o.write(out.fill_ready);
    fill_leaf_o.write(LeafIndex(out.fill_leaf));
    bank_valid_o.write(out.bank_valid);
    bank_o.write(BankIndex(out.bank));
    drains_o.write(LeafMask(out.drains));
    drain_valid_o.write(out.drain_valid);
    drain_again_o.write(out.drain_again);
    drain_leaf_o.write(LeafIndex(out.drain_leaf));
    held_o.write(BankMask(out.held));
  }
};

}  // namespace warpmem::units
