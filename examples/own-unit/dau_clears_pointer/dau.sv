// SPDX-License-Identifier: Apache-2.0
// A legal DAU: when a set is freed, its pointers are reset, as DL 4.4 says; warpmem's keep their
// last value. It has the ports that show its state.
`default_nettype none

module dau #(
  parameter int unsigned SETS     = 16,
  parameter int unsigned SLOTS    = 2,
  parameter int unsigned RESERVED = 0,
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input  wire logic                     clk,
  input  wire logic                     rst_n,
  input  wire logic                     req_valid_i,
  input  wire logic                     req_secondary_i,
  input  wire logic [SET_W-1:0]         req_head_i,
  output wire logic                     req_ready_o,
  output wire logic                     rf_o,
  output wire logic [SET_W-1:0]         req_set_o,
  output wire logic [SLOT_W-1:0]        req_slot_o,
  output wire logic                     req_link_o,
  input  wire logic                     ret_valid_i,
  input  wire logic [SET_W-1:0]         ret_head_i,
  output wire logic                     ret_ready_o,
  output wire logic                     release_busy_o,
  output wire logic [COUNT_W-1:0]       n_free_o,
  output wire logic [COUNT_W-1:0]       n_linkable_o,
  output wire logic [SETS-1:0]          head_o,
  output wire logic [SETS-1:0]          linked_o,
  output wire logic [SETS-1:0]          s_free_o,
  output wire logic [SETS-1:0]          s_full_o,
  output wire logic [SETS-1:0]          fail_o,
  output wire logic [SETS-1:0]          releasing_o,
  output wire logic [SETS*SLOT_W-1:0]   count_o,
  output wire logic [SETS*SET_W-1:0]    next_o,
  output wire logic [SETS*SET_W-1:0]    peer_o
);
  own_dau #(
    .SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED), .CLEARS_POINTER(1'b1)
  ) u_dau (
    .clk, .rst_n, .req_valid_i, .req_secondary_i, .req_head_i, .req_ready_o, .rf_o, .req_set_o,
    .req_slot_o, .req_link_o, .ret_valid_i, .ret_head_i, .ret_ready_o, .release_busy_o, .n_free_o,
    .n_linkable_o,
    .head_o, .linked_o, .s_free_o, .s_full_o, .fail_o, .releasing_o, .count_o, .next_o, .peer_o
  );
endmodule
`default_nettype wire
