// SPDX-License-Identifier: Apache-2.0
// Binds the properties of the DL-MSHR file to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at SETS=4 SLOTS=2 RESERVED=1 ADDR_BITS=2 SLOT_BITS=3 SECTORS=2
// Tested with ret_valid_i: {random} && {random}
// Tested by the mistake merges_into_a_returning_block
`default_nettype none
`include "common/check.svh"

module dl_mshr_properties #(
  parameter int unsigned SETS      = 128,
  parameter int unsigned SLOTS     = 2,
  parameter int unsigned RESERVED  = 64,
  parameter int unsigned ADDR_BITS = 25,
  parameter int unsigned SLOT_BITS = 16,
  parameter int unsigned RELEASES  = 0,
  parameter int unsigned SECTORS   = 1,
  parameter int unsigned STORAGE   = 0,
  localparam int unsigned SET_W    = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned COUNT_W  = $clog2(SETS + 1),
  localparam int unsigned SLOT_W   = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
  input wire logic                   clk,
  input wire logic                   rst_n,
  input wire logic                   req_valid_i,
  input wire logic [ADDR_BITS-1:0]   req_addr_i,
  input wire logic [SLOT_BITS-1:0]   req_slot_i,
  input wire logic [SECTORS-1:0]     req_sectors_i,
  input wire logic [SECTORS-1:0]     req_held_i,
  input wire logic                   req_ready_o,
  input wire logic                   req_secondary_o,
  input wire logic [SET_W-1:0]       req_set_o,
  input wire logic                   req_link_o,
  input wire logic [SECTORS-1:0]     req_fetch_o,
  input wire logic                   rf_o,
  input wire logic [1:0]             rf_cause_o,
  input wire logic                   ret_valid_i,
  input wire logic [ADDR_BITS-1:0]   ret_addr_i,
  input wire logic [SECTORS-1:0]     ret_sectors_i,
  input wire logic                   ret_ready_o,
  input wire logic                   rsp_valid_o,
  input wire logic                   rsp_ready_i,
  input wire logic [SET_W-1:0]       rsp_set_o,
  input wire logic [ADDR_BITS-1:0]   rsp_addr_o,
  input wire logic [SLOT_BITS-1:0]   rsp_slot_o,
  input wire logic                   rsp_last_o,
  input wire logic [COUNT_W-1:0]     n_free_o,
  input wire logic [COUNT_W-1:0]     n_linkable_o,
  input wire logic                   release_busy_o,
  // These are inside the unit.
  input wire logic [SETS-1:0]        head,
  input wire logic [SETS-1:0]        s_free,
  input wire logic [SETS-1:0]        s_full,
  input wire logic [SETS-1:0]        releasing,
  input wire logic [SETS*SLOT_W-1:0] count,
  input wire logic [SETS-1:0]        req_match,
  input wire logic [SETS-1:0]        ret_match,
  input wire logic [SETS-1:0]        waiting,
  input wire logic                   drain_q,
  input wire logic                   slot_waits,
  input wire logic                   leaves
);
  `include "dl_mshr/dl_mshr_formal.svh"
endmodule

bind dl_mshr dl_mshr_properties #(
  .SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED), .ADDR_BITS(ADDR_BITS),
  .SLOT_BITS(SLOT_BITS), .RELEASES(RELEASES), .SECTORS(SECTORS), .STORAGE(STORAGE)
) u_properties (.*);
`default_nettype wire
