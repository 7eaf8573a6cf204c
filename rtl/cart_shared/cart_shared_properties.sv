// SPDX-License-Identifier: Apache-2.0
// Binds the properties of CART with shared comparators to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at BANKS=2 ROWS=2 COLUMNS=2 DEPTH=2 ROW_BITS=2 COLUMN_BITS=2
// Tested with pop_i: {random} && {drain_valid_o}
// Tested with refuse_i: !{pop_i} && {drain_valid_o}
// Tested by the mistake fill_beside_a_drain_is_lost
`default_nettype none
`include "common/check.svh"

module cart_shared_properties #(
  parameter int unsigned BANKS       = 16,
  parameter int unsigned ROWS        = 4,
  parameter int unsigned COLUMNS     = 2,
  parameter int unsigned DEPTH       = 2,
  parameter int unsigned ROW_BITS    = 14,
  parameter int unsigned COLUMN_BITS = 4,
  localparam int unsigned BANK_W = BANKS > 1 ? $clog2(BANKS) : 1,
  localparam int unsigned LEAVES = ROWS * COLUMNS,
  localparam int unsigned LEAF_W = LEAVES > 1 ? $clog2(LEAVES) : 1
) (
  input wire logic                   clk,
  input wire logic                   rst_n,
  input wire logic                   fill_valid_i,
  input wire logic [BANK_W-1:0]      fill_bank_i,
  input wire logic [ROW_BITS-1:0]    fill_row_i,
  input wire logic [COLUMN_BITS-1:0] fill_column_i,
  input wire logic                   fill_ready_o,
  input wire logic [LEAF_W-1:0]      fill_leaf_o,
  input wire logic                   bank_valid_o,
  input wire logic [BANK_W-1:0]      bank_o,
  input wire logic [LEAVES-1:0]      drains_o,
  input wire logic [LEAVES-1:0]      ready_i,
  input wire logic                   drain_valid_o,
  input wire logic                   drain_again_o,
  input wire logic [LEAF_W-1:0]      drain_leaf_o,
  input wire logic                   pop_i,
  input wire logic                   refuse_i,
  input wire logic [BANKS-1:0]       held_o
);
  `include "cart_shared/cart_shared_formal.svh"
endmodule

bind cart_shared cart_shared_properties #(
  .BANKS(BANKS), .ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS),
  .COLUMN_BITS(COLUMN_BITS)
) u_properties (.*);
`default_nettype wire
