// SPDX-License-Identifier: Apache-2.0
// The Verilated CART branch as a library; compiled on demand behind Verilator's output.
#include "Vcart_branch.h"
#include "cosim/wrappers/rtl_unit.hpp"
#include "units/cart_branch/cart_branch_ports.hpp"

namespace {

using warpmem::units::CartBranchIn;
using warpmem::units::CartBranchOut;

void drive(Vcart_branch& top, const CartBranchIn& in) {
  top.fill_valid_i = in.fill_valid;
  top.fill_row_i = in.fill_row;
  top.fill_column_i = in.fill_column;
  top.ready_i = in.ready;
  top.turn_i = in.turn;
  top.pop_i = in.pop;
  top.refuse_i = in.refuse;
  top.leaf_i = in.leaf;
}

void sample(const Vcart_branch& top, CartBranchOut& out) {
  out.fill_ready = top.fill_ready_o;
  out.fill_leaf = top.fill_leaf_o;
  out.drain_valid = top.drain_valid_o;
  out.drain_again = top.drain_again_o;
  out.drain_leaf = top.drain_leaf_o;
  out.drains = top.drains_o;
  out.refused = top.refused_o;
  out.last_valid = top.last_valid_o;
  out.last_leaf = top.last_leaf_o;
  out.same_row = top.same_row_o;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::rtl_abi<Vcart_branch, CartBranchIn, CartBranchOut, drive, sample>();
}
