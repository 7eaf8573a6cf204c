// SPDX-License-Identifier: Apache-2.0
// Binds the properties of BUCL's control to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at PERIOD=6 HIT_LIMIT=300 LEAST=2 MOST=6
// Tested with clear_i: {random} && {random} && {random} && {random} && {random} && {random}
// Tested by the mistake threshold_passes_its_bound
`default_nettype none
`include "common/check.svh"

module bucl_ctrl_properties #(
  parameter int unsigned PERIOD     = 1000,
  parameter int unsigned HIT_LIMIT  = 800,
  parameter int unsigned UIB_LIMIT  = 700,
  parameter int unsigned TUCD       = 5,
  parameter int unsigned LEAST      = 2,
  parameter int unsigned MOST       = 25,
  parameter int unsigned PROFILE    = 0,
  localparam int unsigned BALANCE_W = $clog2(1000*PERIOD + 1) + 1
) (
  input wire logic                 clk,
  input wire logic                 rst_n,
  input wire logic                 clear_i,
  input wire logic                 access_valid_i,
  input wire logic                 access_hit_i,
  input wire logic                 choose_valid_i,
  input wire logic [3:0]           choose_row_i,
  input wire logic [5:0]           load_degree_i,
  input wire logic [3:0]           load_row_i,
  input wire logic [5:0]           tucd_o,
  input wire logic                 load_bypass_o,
  input wire logic [9:0]           uib_i,
  input wire logic                 refused_bypass_o,
  input wire logic                 low_o,
  input wire logic                 period_end_o,
  // These are inside the unit.
  input wire logic [BALANCE_W-1:0] balance_q,
  input wire logic                 accessed_q
);
  `include "bucl_ctrl/bucl_ctrl_formal.svh"
endmodule

bind bucl_ctrl bucl_ctrl_properties #(
  .PERIOD(PERIOD), .HIT_LIMIT(HIT_LIMIT), .UIB_LIMIT(UIB_LIMIT), .TUCD(TUCD), .LEAST(LEAST),
  .MOST(MOST), .PROFILE(PROFILE)
) u_properties (.*);
`default_nettype wire
