// SPDX-License-Identifier: Apache-2.0
// Binds the properties of HTSMA to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at ENTRIES=4 SLOTS=2 SMALL_ENTRIES=2 SMALL_SLOTS=2 WAYS=4 ADDR_BITS=2 SLOT_BITS=3
// Tested by the mistake overflow_of_the_array
`default_nettype none
`include "common/check.svh"

module htsma_properties #(
  parameter int unsigned ENTRIES       = 48,
  parameter int unsigned SLOTS         = 8,
  parameter int unsigned SMALL_ENTRIES = 4,
  parameter int unsigned SMALL_SLOTS   = 8,
  parameter int unsigned WAYS          = 8,
  parameter int unsigned ADDR_BITS     = 25,
  parameter int unsigned SLOT_BITS     = 16,
  parameter int unsigned SECTORS       = 1,
  localparam int unsigned TOTAL        = ENTRIES + SMALL_ENTRIES,
  localparam int unsigned ENTRY_W      = TOTAL > 1 ? $clog2(TOTAL) : 1,
  localparam int unsigned IDX_W        = ENTRIES > 1 ? $clog2(ENTRIES) : 1,
  localparam int unsigned COUNT_W      = $clog2(WAYS + 1)
) (
  input wire logic                 clk,
  input wire logic                 rst_n,
  input wire logic                 req_valid_i,
  input wire logic                 req_secondary_i,
  input wire logic [IDX_W-1:0]     req_idx_i,
  input wire logic [ADDR_BITS-1:0] req_addr_i,
  input wire logic [COUNT_W-1:0]   req_shared_count_i,
  input wire logic                 req_victim_valid_i,
  input wire logic                 req_victim_hit_i,
  input wire logic [SLOT_BITS-1:0] req_slot_i,
  input wire logic [SECTORS-1:0]   req_sectors_i,
  input wire logic [SECTORS-1:0]   req_held_i,
  input wire logic                 req_ready_o,
  input wire logic                 req_secondary_o,
  input wire logic [ENTRY_W-1:0]   req_entry_o,
  input wire logic [2:0]           req_steer_o,
  input wire logic                 req_critical_o,
  input wire logic [SECTORS-1:0]   req_fetch_o,
  input wire logic                 rf_o,
  input wire logic [1:0]           rf_cause_o,
  input wire logic                 ret_valid_i,
  input wire logic [ENTRY_W-1:0]   ret_entry_i,
  input wire logic [ADDR_BITS-1:0] ret_addr_i,
  input wire logic [SECTORS-1:0]   ret_sectors_i,
  input wire logic                 ret_ready_o,
  input wire logic                 rsp_valid_o,
  input wire logic                 rsp_ready_i,
  input wire logic [ENTRY_W-1:0]   rsp_entry_o,
  input wire logic [ADDR_BITS-1:0] rsp_addr_o,
  input wire logic [SLOT_BITS-1:0] rsp_slot_o,
  input wire logic                 rsp_last_o,
  input wire logic [TOTAL-1:0]     used_o,
  input wire logic [TOTAL-1:0]     draining_o,
  // These are inside the unit.
  input wire logic [ENTRIES-1:0]   array_draining,
  input wire logic                 ret_small
);
  `include "htsma/htsma_formal.svh"
endmodule

bind htsma htsma_properties #(
  .ENTRIES(ENTRIES), .SLOTS(SLOTS), .SMALL_ENTRIES(SMALL_ENTRIES), .SMALL_SLOTS(SMALL_SLOTS),
  .WAYS(WAYS), .ADDR_BITS(ADDR_BITS), .SLOT_BITS(SLOT_BITS), .SECTORS(SECTORS)
) u_properties (.*);
`default_nettype wire
