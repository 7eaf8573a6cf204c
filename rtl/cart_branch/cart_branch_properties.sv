// SPDX-License-Identifier: Apache-2.0
// Binds the properties of a CART branch to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at ROWS=2 COLUMNS=2 DEPTH=2 ROW_BITS=2 COLUMN_BITS=2
// Tested with leaf_i: {drain_leaf_o}
// Tested with pop_i: {random} && {drain_valid_o}
// Tested with refuse_i: !{pop_i} && {drain_valid_o}
// Tested by the mistake overtakes_in_a_column
`default_nettype none
`include "common/check.svh"

module cart_branch_properties #(
  parameter int unsigned ROWS        = 4,
  parameter int unsigned COLUMNS     = 2,
  parameter int unsigned DEPTH       = 2,
  parameter int unsigned ROW_BITS    = 14,
  parameter int unsigned COLUMN_BITS = 4,
  localparam int unsigned LEAVES     = ROWS * COLUMNS,
  localparam int unsigned LEAF_W     = LEAVES > 1 ? $clog2(LEAVES) : 1,
  localparam int unsigned COUNT_W    = DEPTH > 0 ? $clog2(DEPTH + 1) : 1
) (
  input wire logic                          clk,
  input wire logic                          rst_n,
  input wire logic                          fill_valid_i,
  input wire logic [ROW_BITS-1:0]           fill_row_i,
  input wire logic [COLUMN_BITS-1:0]        fill_column_i,
  input wire logic                          fill_ready_o,
  input wire logic [LEAVES-1:0]             ready_i,
  input wire logic                          drain_again_o,
  input wire logic                          turn_i,
  input wire logic                          pop_i,
  input wire logic                          refuse_i,
  input wire logic [LEAF_W-1:0]             leaf_i,
  input wire logic [LEAVES-1:0]             drains_o,
  input wire logic [LEAVES-1:0]             refused_o,
  input wire logic [LEAVES-1:0]             same_row_o,
  // These are inside the unit.
  input wire logic [LEAVES*COUNT_W-1:0]     count_q,
  input wire logic [LEAVES*COUNT_W-1:0]     count_f,
  input wire logic [LEAVES*COLUMN_BITS-1:0] column_q,
  input wire logic [LEAVES*COLUMN_BITS-1:0] column_f,
  input wire logic [ROWS*ROW_BITS-1:0]      row_f,
  input wire logic [LEAVES-1:0]             used,
  input wire logic [LEAVES-1:0]             fill_hot,
  input wire logic [ROWS-1:0]               row_match,
  input wire logic [LEAVES-1:0]             drain_hot,
  input wire logic [LEAVES-1:0]             leaf_hot
);
  `include "cart_branch/cart_branch_formal.svh"
endmodule

bind cart_branch cart_branch_properties #(
  .ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS),
  .COLUMN_BITS(COLUMN_BITS)
) u_properties (.*);
`default_nettype wire
