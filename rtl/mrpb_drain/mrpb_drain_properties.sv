// SPDX-License-Identifier: Apache-2.0
// Binds the properties of MRPB's drain selector to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at QUEUES=4 ENTRIES=2 POLICY=2
// Tested with enter_i: {random} && !{head_full_o}
// Tested with take_i: {random} && {random}
// Tested by the mistake flush_of_a_full_queue_forgotten
`default_nettype none
`include "common/check.svh"

module mrpb_drain_properties #(
  parameter int unsigned QUEUES   = 48,
  parameter int unsigned ENTRIES  = 8,
  parameter int unsigned POLICY   = 0,
  parameter int unsigned FLUSH    = 1,
  localparam int unsigned QUEUE_W = QUEUES > 1 ? $clog2(QUEUES) : 1,
  localparam int unsigned COUNT_W = ENTRIES > 0 ? $clog2(ENTRIES + 1) : 1
) (
  input wire logic                      clk,
  input wire logic                      rst_n,
  input wire logic [QUEUES-1:0]         ready_i,
  input wire logic                      take_i,
  input wire logic                      drain_valid_o,
  input wire logic                      drain_forced_o,
  input wire logic [QUEUE_W-1:0]        drain_queue_o,
  input wire logic                      head_valid_i,
  input wire logic                      head_stored_i,
  input wire logic [QUEUE_W-1:0]        head_queue_i,
  input wire logic                      enter_i,
  input wire logic                      head_full_o,
  input wire logic                      head_empty_o,
  input wire logic [QUEUES-1:0]         held_o,
  // These are inside the unit.
  input wire logic [QUEUES*COUNT_W-1:0] count_q,
  input wire logic [QUEUES-1:0]         full,
  input wire logic [QUEUES-1:0]         head_hot
);
  `include "mrpb_drain/mrpb_drain_formal.svh"
endmodule

bind mrpb_drain mrpb_drain_properties #(
  .QUEUES(QUEUES), .ENTRIES(ENTRIES), .POLICY(POLICY), .FLUSH(FLUSH)
) u_properties (.*);
`default_nettype wire
