// SPDX-License-Identifier: Apache-2.0
// Binds the properties of TSMA to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at ENTRIES=4 SLOTS=3 SLOT_BITS=3 SECTORS=4
// Tested by the mistake released_with_the_first_request
`default_nettype none
`include "common/check.svh"

module tsma_properties #(
  parameter int unsigned ENTRIES   = 48,
  parameter int unsigned SLOTS     = 8,
  parameter int unsigned SLOT_BITS = 16,
  parameter int unsigned SECTORS   = 1,
  localparam int unsigned IDX_W    = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input wire logic                 clk,
  input wire logic                 rst_n,
  input wire logic                 req_valid_i,
  input wire logic                 req_secondary_i,
  input wire logic [IDX_W-1:0]     req_idx_i,
  input wire logic [SLOT_BITS-1:0] req_slot_i,
  input wire logic [SECTORS-1:0]   req_sectors_i,
  input wire logic [SECTORS-1:0]   req_held_i,
  input wire logic                 req_ready_o,
  input wire logic [IDX_W-1:0]     req_idx_o,
  input wire logic [SECTORS-1:0]   req_fetch_o,
  input wire logic                 rf_o,
  input wire logic [1:0]           rf_cause_o,
  input wire logic                 ret_valid_i,
  input wire logic [IDX_W-1:0]     ret_idx_i,
  input wire logic [SECTORS-1:0]   ret_sectors_i,
  input wire logic                 ret_ready_o,
  input wire logic                 rsp_valid_o,
  input wire logic                 rsp_ready_i,
  input wire logic [IDX_W-1:0]     rsp_idx_o,
  input wire logic [SLOT_BITS-1:0] rsp_slot_o,
  input wire logic                 rsp_last_o,
  input wire logic [ENTRIES-1:0]   used_o,
  input wire logic [ENTRIES-1:0]   draining_o
);
  `include "tsma/tsma_formal.svh"
endmodule

bind tsma tsma_properties #(
  .ENTRIES(ENTRIES), .SLOTS(SLOTS), .SLOT_BITS(SLOT_BITS), .SECTORS(SECTORS)
) u_properties (.*);
`default_nettype wire
