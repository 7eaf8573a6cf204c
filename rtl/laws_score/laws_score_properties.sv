// SPDX-License-Identifier: Apache-2.0
// Binds the properties of the locality score to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at SCORE_BITS=4 MISS_BITS=3 MISS_LIMIT=6
// Tested with clear_i: {random} && {random} && {random} && {random} && {random} && {random}
// Tested by the mistake wraps_at_the_top
`default_nettype none
`include "common/check.svh"

module laws_score_properties #(
  parameter int unsigned SCORE_BITS = 16,
  parameter int unsigned MISS_BITS  = 5,
  parameter int unsigned MISS_LIMIT = 31
) (
  input wire logic                  clk,
  input wire logic                  rst_n,
  input wire logic                  clear_i,
  input wire logic                  l1d_hit_i,
  input wire logic                  l1d_intra_i,
  input wire logic                  mshr_valid_i,
  input wire logic                  mshr_hit_i,
  input wire logic                  mshr_intra_i,
  input wire logic                  fair_o,
  input wire logic [SCORE_BITS-1:0] score_o,
  input wire logic [MISS_BITS-1:0]  miss_count_o
);
  `include "laws_score/laws_score_formal.svh"
endmodule

bind laws_score laws_score_properties #(
  .SCORE_BITS(SCORE_BITS), .MISS_BITS(MISS_BITS), .MISS_LIMIT(MISS_LIMIT)
) u_properties (.*);
`default_nettype wire
