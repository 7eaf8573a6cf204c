// SPDX-License-Identifier: Apache-2.0
// Binds the properties of the Dynamic Allocation Unit to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at SETS=4 SLOTS=2 RESERVED=1
// Tested with ret_valid_i: {random} && {random} && {random}
// Tested by the mistake release_frees_two
`default_nettype none
`include "common/check.svh"

module dau_properties #(
  parameter int unsigned SETS     = 16,
  parameter int unsigned SLOTS    = 2,
  parameter int unsigned RESERVED = 0,
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input wire logic                   clk,
  input wire logic                   rst_n,
  input wire logic                   req_valid_i,
  input wire logic                   req_secondary_i,
  input wire logic [SET_W-1:0]       req_head_i,
  input wire logic                   req_ready_o,
  input wire logic                   rf_o,
  input wire logic [SET_W-1:0]       req_set_o,
  input wire logic [SLOT_W-1:0]      req_slot_o,
  input wire logic                   req_link_o,
  input wire logic                   ret_valid_i,
  input wire logic [SET_W-1:0]       ret_head_i,
  input wire logic                   ret_ready_o,
  input wire logic [SETS-1:0]        head_o,
  input wire logic [SETS-1:0]        linked_o,
  input wire logic [SETS-1:0]        s_free_o,
  input wire logic [SETS-1:0]        s_full_o,
  input wire logic [SETS-1:0]        fail_o,
  input wire logic [SETS-1:0]        releasing_o,
  input wire logic [SETS*SLOT_W-1:0] count_o,
  input wire logic [SETS*SET_W-1:0]  next_o,
  input wire logic [SETS*SET_W-1:0]  peer_o,
  // These are inside the unit.
  input wire logic [SETS-1:0]        attached,
  input wire logic [SETS-1:0]        freed
);
  localparam logic [SETS-1:0] ORDINARY = {SETS{1'b1}} << RESERVED;
  `include "dau/dau_formal.svh"
endmodule

bind dau dau_properties #(
  .SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED)
) u_properties (.*);
`default_nettype wire
