// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the control of BUCL (README.md).
module bucl_ctrl_tb;
  parameter PERIOD    = 1000;
  parameter HIT_LIMIT = 800;
  parameter UIB_LIMIT = 700;
  parameter TUCD      = 5;
  parameter LEAST     = 2;
  parameter MOST      = 25;
  parameter PROFILE   = 0;
  localparam INPUTS  = 28;
  localparam OUTPUTS = 10;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire clear_i, access_valid_i, access_hit_i, choose_valid_i, load_bypass_o, low_o,
       refused_bypass_o, period_end_o;
  wire [3:0] choose_row_i, load_row_i;
  wire [5:0] load_degree_i, tucd_o;
  wire [9:0] uib_i;

  assign {clear_i, access_valid_i, access_hit_i, choose_valid_i, choose_row_i, load_degree_i,
          load_row_i, uib_i} = in;
  assign out = {tucd_o, load_bypass_o, low_o, refused_bypass_o, period_end_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  bucl_ctrl dut (
`else
  bucl_ctrl #(.PERIOD(PERIOD), .HIT_LIMIT(HIT_LIMIT), .UIB_LIMIT(UIB_LIMIT), .TUCD(TUCD),
    .LEAST(LEAST), .MOST(MOST), .PROFILE(PROFILE)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .clear_i(clear_i),
    .access_valid_i(access_valid_i),
    .access_hit_i(access_hit_i),
    .choose_valid_i(choose_valid_i),
    .choose_row_i(choose_row_i),
    .load_degree_i(load_degree_i),
    .load_row_i(load_row_i),
    .uib_i(uib_i),
    .tucd_o(tucd_o),
    .load_bypass_o(load_bypass_o),
    .low_o(low_o),
    .refused_bypass_o(refused_bypass_o),
    .period_end_o(period_end_o)
  );
endmodule
