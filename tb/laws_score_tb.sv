// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the locality score of LAWS (README.md).
// Tested with: --score-bits 16; as a netlist, too
module laws_score_tb;
  parameter SCORE_BITS = 16;
  parameter MISS_BITS  = 5;
  parameter MISS_LIMIT = 31;
  localparam INPUTS  = 6;
  localparam OUTPUTS = 1 + SCORE_BITS + MISS_BITS;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire clear_i, l1d_hit_i, l1d_intra_i, mshr_valid_i, mshr_hit_i, mshr_intra_i, fair_o;
  wire [SCORE_BITS-1:0] score_o;
  wire [MISS_BITS-1:0] miss_count_o;

  assign {clear_i, l1d_hit_i, l1d_intra_i, mshr_valid_i, mshr_hit_i, mshr_intra_i} = in;
  assign out = {fair_o, score_o, miss_count_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  laws_score dut (
`else
  laws_score #(.SCORE_BITS(SCORE_BITS), .MISS_BITS(MISS_BITS), .MISS_LIMIT(MISS_LIMIT)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .clear_i(clear_i),
    .l1d_hit_i(l1d_hit_i),
    .l1d_intra_i(l1d_intra_i),
    .mshr_valid_i(mshr_valid_i),
    .mshr_hit_i(mshr_hit_i),
    .mshr_intra_i(mshr_intra_i),
    .fair_o(fair_o),
    .score_o(score_o),
    .miss_count_o(miss_count_o)
  );
endmodule
