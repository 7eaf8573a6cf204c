// SPDX-License-Identifier: Apache-2.0
// Plays vectors to a branch of CART's leaf queues (README.md).
module cart_branch_tb;
  parameter ROWS        = 4;
  parameter COLUMNS     = 2;
  parameter DEPTH       = 2;
  parameter ROW_BITS    = 14;
  parameter COLUMN_BITS = 4;
  localparam LEAVES = ROWS * COLUMNS;
  localparam LEAF_W = LEAVES > 1 ? $clog2(LEAVES) : 1;
  localparam INPUTS  = 4 + ROW_BITS + COLUMN_BITS + LEAVES + LEAF_W;
  localparam OUTPUTS = 4 + 3 * LEAF_W + 3 * LEAVES;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire fill_valid_i, turn_i, pop_i, refuse_i, fill_ready_o, drain_valid_o, drain_again_o,
       last_valid_o;
  wire [ROW_BITS-1:0] fill_row_i;
  wire [COLUMN_BITS-1:0] fill_column_i;
  wire [LEAVES-1:0] ready_i, drains_o, refused_o, same_row_o;
  wire [LEAF_W-1:0] leaf_i, fill_leaf_o, drain_leaf_o, last_leaf_o;

  assign {fill_valid_i, fill_row_i, fill_column_i, ready_i, turn_i, pop_i, refuse_i, leaf_i} = in;
  assign out = {fill_ready_o, fill_leaf_o, drain_valid_o, drain_again_o, drain_leaf_o, drains_o,
                refused_o, last_valid_o, last_leaf_o, same_row_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  cart_branch dut (
`else
  cart_branch #(.ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS),
    .COLUMN_BITS(COLUMN_BITS)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .fill_valid_i(fill_valid_i),
    .fill_row_i(fill_row_i),
    .fill_column_i(fill_column_i),
    .ready_i(ready_i),
    .turn_i(turn_i),
    .pop_i(pop_i),
    .refuse_i(refuse_i),
    .leaf_i(leaf_i),
    .fill_ready_o(fill_ready_o),
    .fill_leaf_o(fill_leaf_o),
    .drain_valid_o(drain_valid_o),
    .drain_again_o(drain_again_o),
    .drain_leaf_o(drain_leaf_o),
    .drains_o(drains_o),
    .refused_o(refused_o),
    .last_valid_o(last_valid_o),
    .last_leaf_o(last_leaf_o),
    .same_row_o(same_row_o)
  );
endmodule
