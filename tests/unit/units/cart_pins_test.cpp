// SPDX-License-Identifier: Apache-2.0
// The pin-level CART branch under a clock, against its core: outputs at every rising edge.
#include <gtest/gtest.h>

#include <systemc>

#include "support/pin_bench.hpp"
#include "units/cart_branch/cart_branch_module.hpp"

namespace warpmem::units {
namespace {

template <unsigned kRows, unsigned kColumns, unsigned kDepth>
struct CartBranchPins {
  using Module = CartBranchModule<kRows, kColumns, kDepth, 14, 4>;

  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.fill_valid_i(fill_valid);
    dut.fill_row_i(fill_row);
    dut.fill_column_i(fill_column);
    dut.fill_ready_o(fill_ready);
    dut.fill_leaf_o(fill_leaf);
    dut.ready_i(ready);
    dut.drain_valid_o(drain_valid);
    dut.drain_again_o(drain_again);
    dut.drain_leaf_o(drain_leaf);
    dut.turn_i(turn);
    dut.pop_i(pop);
    dut.refuse_i(refuse);
    dut.leaf_i(leaf);
    dut.drains_o(drains);
    dut.refused_o(refused);
    dut.last_valid_o(last_valid);
    dut.last_leaf_o(last_leaf);
    dut.same_row_o(same_row);
  }
  // What may be popped depends on the state: a second core follows.
  CartBranchIn random(Random& random) {
    CartBranchIn in;
    const bool fills = cycles++ / 200 % 2 == 0;
    in.fill_valid = random.chance(fills ? 90 : 30);
    in.fill_row = static_cast<std::uint32_t>(random.below(kRows + 1)) << 10;
    in.fill_column = static_cast<std::uint32_t>(random.below(kColumns + 1));
    in.ready = random.next() & (~std::uint64_t(0) >> (64 - kRows * kColumns));
    const CartBranchOut out = follows.eval(in);
    in.leaf = out.drain_leaf;
    in.turn = out.drain_again;
    if (out.drain_valid && random.chance(fills ? 40 : 90)) {
      in.refuse = random.chance(30);
      in.pop = !in.refuse;
    }
    follows.commit(in);
    times_full += in.fill_valid && !out.fill_ready;
    times_popped += in.pop;
    return in;
  }
  void drive(const CartBranchIn& in) {
    fill_valid = in.fill_valid;
    fill_row = in.fill_row;
    fill_column = in.fill_column;
    ready = in.ready;
    turn = in.turn;
    pop = in.pop;
    refuse = in.refuse;
    leaf = in.leaf;
  }
  CartBranchOut sample() {
    CartBranchOut out;
    out.fill_ready = fill_ready.read();
    out.fill_leaf = static_cast<std::uint8_t>(fill_leaf.read().to_uint());
    out.drain_valid = drain_valid.read();
    out.drain_again = drain_again.read();
    out.drain_leaf = static_cast<std::uint8_t>(drain_leaf.read().to_uint());
    out.drains = drains.read().to_uint64();
    out.refused = refused.read().to_uint64();
    out.last_valid = last_valid.read();
    out.last_leaf = static_cast<std::uint8_t>(last_leaf.read().to_uint());
    out.same_row = same_row.read().to_uint64();
    return out;
  }

  unsigned cycles = 0, times_full = 0, times_popped = 0;
  CartBranchCore<kRows, kColumns, kDepth> follows;
  sc_core::sc_signal<bool> fill_valid, fill_ready, drain_valid, drain_again, turn, pop, refuse;
  sc_core::sc_signal<bool> last_valid;
  sc_core::sc_signal<typename Module::Row> fill_row;
  sc_core::sc_signal<typename Module::Column> fill_column;
  sc_core::sc_signal<typename Module::LeafMask> ready, drains, refused, same_row;
  sc_core::sc_signal<typename Module::LeafIndex> fill_leaf, drain_leaf, leaf, last_leaf;
  Module dut{"dut"};
};

template <unsigned kRows, unsigned kColumns, unsigned kDepth>
void cart_branch_agrees() {
  PinBench<CartBranchCore<kRows, kColumns, kDepth>, CartBranchPins<kRows, kColumns, kDepth>> bench(
      "bench");
  sc_core::sc_start(20'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 19'000);
  EXPECT_GT(bench.pins().times_full, 100u);
  EXPECT_GT(bench.pins().times_popped, 1000u);
}

TEST(CartBranchPins, AgreeWithTheCore) { cart_branch_agrees<4, 2, 2>(); }
TEST(CartBranchPins, AgreeWithTheCoreOfOddSize) { cart_branch_agrees<3, 3, 5>(); }

}  // namespace
}  // namespace warpmem::units
