// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the throttling of LAWS (README.md).
// Tested with: --warps 8
module throttle_unit_tb;
  parameter WARPS      = 32;
  parameter DIVERGENCE = 8;
  parameter STABLE     = 8;
  parameter HOLD       = 1000;
  parameter MEMORY     = 1;
  localparam WARP_W  = $clog2(WARPS);
  localparam COUNT_W = $clog2(WARPS + 1);
  localparam INPUTS  = 5 + WARP_W + WARPS + COUNT_W;
  localparam OUTPUTS = 2 + 4 * COUNT_W;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire clear_i, fair_i, access_valid_i, access_intra_i, mshr_full_i, limited_o, by_divergence_o;
  wire [WARP_W-1:0] access_warp_i;
  wire [WARPS-1:0] end_warps_i;
  wire [COUNT_W-1:0] load_count_i, limit_o, hit_count_o, min_count_o, max_count_o;

  assign {clear_i, fair_i, access_valid_i, access_intra_i, access_warp_i, end_warps_i, mshr_full_i,
          load_count_i} = in;
  assign out = {limited_o, limit_o, hit_count_o, min_count_o, max_count_o, by_divergence_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  throttle_unit dut (
`else
  throttle_unit #(.WARPS(WARPS), .DIVERGENCE(DIVERGENCE), .STABLE(STABLE), .HOLD(HOLD),
    .MEMORY(MEMORY)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .clear_i(clear_i),
    .fair_i(fair_i),
    .access_valid_i(access_valid_i),
    .access_intra_i(access_intra_i),
    .access_warp_i(access_warp_i),
    .end_warps_i(end_warps_i),
    .mshr_full_i(mshr_full_i),
    .load_count_i(load_count_i),
    .limited_o(limited_o),
    .limit_o(limit_o),
    .hit_count_o(hit_count_o),
    .min_count_o(min_count_o),
    .max_count_o(max_count_o),
    .by_divergence_o(by_divergence_o)
  );
endmodule
