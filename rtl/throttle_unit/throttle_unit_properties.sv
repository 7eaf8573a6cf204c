// SPDX-License-Identifier: Apache-2.0
// Binds the properties of the throttling unit to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at WARPS=6 DIVERGENCE=3 STABLE=2 HOLD=5
// Tested with clear_i: {random} && {random} && {random} && {random} && {random} && {random}
// Tested with fair_i: {random} && {random} && {random} && {random} && {random} && {random}
// Tested with end_warps_i: WARPS'({random} && {random} && {random} && {random})
// Tested by the mistake mean_rounds_down
`default_nettype none
`include "common/check.svh"

module throttle_unit_properties #(
  parameter int unsigned WARPS      = 32,
  parameter int unsigned DIVERGENCE = 8,
  parameter int unsigned STABLE     = 8,
  parameter int unsigned HOLD       = 1000,
  parameter int unsigned MEMORY     = 1,
  localparam int unsigned WARP_W    = $clog2(WARPS),
  localparam int unsigned COUNT_W   = $clog2(WARPS + 1)
) (
  input wire logic               clk,
  input wire logic               rst_n,
  input wire logic               clear_i,
  input wire logic               fair_i,
  input wire logic               access_valid_i,
  input wire logic               access_intra_i,
  input wire logic [WARP_W-1:0]  access_warp_i,
  input wire logic [WARPS-1:0]   end_warps_i,
  input wire logic               mshr_full_i,
  input wire logic [COUNT_W-1:0] load_count_i,
  input wire logic               limited_o,
  input wire logic [COUNT_W-1:0] limit_o,
  input wire logic [COUNT_W-1:0] hit_count_o,
  input wire logic [COUNT_W-1:0] min_count_o,
  input wire logic [COUNT_W-1:0] max_count_o,
  input wire logic               by_divergence_o
);
  `include "throttle_unit/throttle_unit_formal.svh"
endmodule

bind throttle_unit throttle_unit_properties #(
  .WARPS(WARPS), .DIVERGENCE(DIVERGENCE), .STABLE(STABLE), .HOLD(HOLD), .MEMORY(MEMORY)
) u_properties (.*);
`default_nettype wire
