// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the steering of the hybrid of TSMA and a small MSHR file (README.md).
module htsma_steer_tb;
  parameter WAYS = 8;
  localparam COUNT_W = $clog2(WAYS + 1);
  localparam INPUTS  = 5 + COUNT_W;
  localparam OUTPUTS = 8;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire [COUNT_W-1:0] shared_count_i;
  wire victim_valid_i, victim_hit_i, small_empty_i, small_full_i, small_match_i, to_small_o,
       to_array_o, merges_o, compares_o, critical_o;
  wire [2:0] steer_o;

  assign {shared_count_i, victim_valid_i, victim_hit_i, small_empty_i, small_full_i, small_match_i}
          = in;
  assign out = {to_small_o, to_array_o, merges_o, compares_o, critical_o, steer_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  htsma_steer dut (
`else
  htsma_steer #(.WAYS(WAYS)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .shared_count_i(shared_count_i),
    .victim_valid_i(victim_valid_i),
    .victim_hit_i(victim_hit_i),
    .small_empty_i(small_empty_i),
    .small_full_i(small_full_i),
    .small_match_i(small_match_i),
    .to_small_o(to_small_o),
    .to_array_o(to_array_o),
    .merges_o(merges_o),
    .compares_o(compares_o),
    .critical_o(critical_o),
    .steer_o(steer_o)
  );
endmodule
