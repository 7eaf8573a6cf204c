// SPDX-License-Identifier: Apache-2.0
// Plays vectors to CART with shared comparators (README.md).
module cart_shared_tb;
  parameter BANKS       = 16;
  parameter ROWS        = 4;
  parameter COLUMNS     = 2;
  parameter DEPTH       = 2;
  parameter ROW_BITS    = 14;
  parameter COLUMN_BITS = 4;
  localparam BANK_W = BANKS > 1 ? $clog2(BANKS) : 1;
  localparam LEAVES = ROWS * COLUMNS;
  localparam LEAF_W = LEAVES > 1 ? $clog2(LEAVES) : 1;
  localparam INPUTS  = 3 + BANK_W + ROW_BITS + COLUMN_BITS + LEAVES;
  localparam OUTPUTS = 4 + BANK_W + 2 * LEAF_W + LEAVES + BANKS;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire fill_valid_i, pop_i, refuse_i, fill_ready_o, bank_valid_o, drain_valid_o, drain_again_o;
  wire [BANK_W-1:0] fill_bank_i, bank_o;
  wire [ROW_BITS-1:0] fill_row_i;
  wire [COLUMN_BITS-1:0] fill_column_i;
  wire [LEAVES-1:0] ready_i, drains_o;
  wire [LEAF_W-1:0] fill_leaf_o, drain_leaf_o;
  wire [BANKS-1:0] held_o;

  assign {fill_valid_i, fill_bank_i, fill_row_i, fill_column_i, ready_i, pop_i, refuse_i} = in;
  assign out = {fill_ready_o, fill_leaf_o, bank_valid_o, bank_o, drains_o, drain_valid_o,
                drain_again_o, drain_leaf_o, held_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  cart_shared dut (
`else
  cart_shared #(.BANKS(BANKS), .ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS),
    .COLUMN_BITS(COLUMN_BITS)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .fill_valid_i(fill_valid_i),
    .fill_bank_i(fill_bank_i),
    .fill_row_i(fill_row_i),
    .fill_column_i(fill_column_i),
    .ready_i(ready_i),
    .pop_i(pop_i),
    .refuse_i(refuse_i),
    .fill_ready_o(fill_ready_o),
    .fill_leaf_o(fill_leaf_o),
    .bank_valid_o(bank_valid_o),
    .bank_o(bank_o),
    .drains_o(drains_o),
    .drain_valid_o(drain_valid_o),
    .drain_again_o(drain_again_o),
    .drain_leaf_o(drain_leaf_o),
    .held_o(held_o)
  );
endmodule
