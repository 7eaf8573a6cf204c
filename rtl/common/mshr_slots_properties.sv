// SPDX-License-Identifier: Apache-2.0
// Binds the properties of the slots to them, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
`default_nettype none
`include "common/check.svh"

module mshr_slots_properties #(
  parameter int unsigned ENTRIES  = 32,
  parameter int unsigned SLOTS    = 8,
  localparam int unsigned ENTRY_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
  input wire logic               clk,
  input wire logic               rst_n,
  input wire logic               put_valid_i,
  input wire logic               put_first_i,
  input wire logic [ENTRY_W-1:0] put_entry_i,
  input wire logic               rsp_valid_o,
  input wire logic               rsp_ready_i,
  input wire logic [ENTRIES-1:0] draining_o,
  // These are inside the unit.
  input wire logic [SLOT_W-1:0]  newest_q [0:ENTRIES-1],
  input wire logic               drain_q,
  input wire logic [ENTRY_W-1:0] entry_q,
  input wire logic [SLOT_W-1:0]  next_q,
  input wire logic               leaves
);
  `include "common/mshr_slots_formal.svh"
endmodule

bind mshr_slots mshr_slots_properties #(
  .ENTRIES(ENTRIES), .SLOTS(SLOTS)
) u_properties (.*);
`default_nettype wire
