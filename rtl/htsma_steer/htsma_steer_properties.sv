// SPDX-License-Identifier: Apache-2.0
// Binds the properties of HTSMA's steering to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at WAYS=4
// Tested by the mistake overflow_the_wrong_way_round
`default_nettype none
`include "common/check.svh"

module htsma_steer_properties #(
  parameter int unsigned WAYS     = 8,
  localparam int unsigned COUNT_W = $clog2(WAYS + 1)
) (
  input wire logic               clk,
  input wire logic               rst_n,
  input wire logic [COUNT_W-1:0] shared_count_i,
  input wire logic               victim_valid_i,
  input wire logic               victim_hit_i,
  input wire logic               small_empty_i,
  input wire logic               small_full_i,
  input wire logic               small_match_i,
  input wire logic               to_small_o,
  input wire logic               to_array_o,
  input wire logic               merges_o,
  input wire logic               compares_o,
  input wire logic               critical_o,
  input wire logic [2:0]         steer_o
);
  `include "htsma_steer/htsma_steer_formal.svh"
endmodule

bind htsma_steer htsma_steer_properties #(
  .WAYS(WAYS)
) u_properties (.*);
`default_nettype wire
