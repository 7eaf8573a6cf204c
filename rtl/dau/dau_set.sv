// SPDX-License-Identifier: Apache-2.0
// One slot set of the DAU: the state machine of DL Fig 8 with its count, L bit and pointers.
//
//   S0 -req_h-> S1 -take-> S2 -link-> S3      S0 -req_a-> S6 -take-> S7 -link-> S8
//               S2 -fail-> S4 -link-> S3                  S7 -fail-> S9 -link-> S8
//               S4 -linkable-> S2                         S9 -linkable-> S7
//   S1..S4 -ret-> S5 -> S0                    S6..S9 -ret-> S10 -> S0
//
// S1 and S6 stay until the last slot is taken; with SLOTS = 1 they are left out.
`default_nettype none
`include "common/check.svh"

module dau_set #(
  parameter int unsigned SLOTS    = 2,   // slots of the set, >= 1
  parameter int unsigned SET_W    = 4,   // width of a set number
  parameter int unsigned SLOT_W   = 1,   // width of a slot number
  parameter int unsigned ID       = 0,   // number of this set
  parameter bit          RESERVED = 1'b0 // the set is never attached: H stays 1 (option 4)
) (
  input  wire logic              clk,
  input  wire logic              rst_n,

  // What happens to this set in this cycle; at most one of the first five.
  input  wire logic              req_h_i,     // a primary miss takes the set
  input  wire logic              req_a_i,     // the set is attached to the chain of req_head_i
  input  wire logic              take_i,      // a secondary miss takes the next slot
  input  wire logic              link_i,      // req_set_i is linked behind this set
  input  wire logic              fail_i,      // a secondary miss found the set full and none free
  input  wire logic              tail_i,      // this head's chain gets req_set_i as its tail
  input  wire logic [SET_W-1:0]  req_head_i,
  input  wire logic [SET_W-1:0]  req_set_i,
  input  wire logic              linkable_i,  // some set is free to be linked
  input  wire logic              ret_i,       // the chain of ret_head_i starts its release
  input  wire logic [SET_W-1:0]  ret_head_i,
  input  wire logic              ext_free_i,  // the set that next_o names is free (S_free_EXT)

  // The state shows in single bits, so that Yosys recognises the machine.
  output logic [SLOT_W-1:0]      count_o,     // slots taken in S1 and S6; else 0
  output logic [SET_W-1:0]       next_o,      // P
  output logic [SET_W-1:0]       peer_o,      // of a head: the tail; of an attached set: the head
  output logic                   head_o,      // H
  output logic                   linked_o,    // L
  output logic                   s_free_o,
  output logic                   s_full_o,
  output logic                   fail_o,      // S4, S9: a request found the set full and none free
  output logic                   releasing_o, // S5, S10
  output logic                   active_o,    // head of a live chain: S1..S4
  output logic                   freed_o      // goes to S0 at the end of this cycle
);
  localparam logic [3:0] S0 = 4'd0, S1 = 4'd1, S2 = 4'd2, S3 = 4'd3, S4 = 4'd4, S5 = 4'd5;
  localparam logic [3:0] S6 = 4'd6, S7 = 4'd7, S8 = 4'd8, S9 = 4'd9, S10 = 4'd10;
  localparam logic [SET_W-1:0]  SELF = SET_W'(ID);
  localparam logic [SLOT_W-1:0] LAST = SLOT_W'(SLOTS - 1);  // count when one slot is left
  localparam bit ONE_SLOT = SLOTS == 1;

  // Left to itself, Yosys makes the state one-hot: a third more cells. (For a picture of the
  // machine: setattr -unset fsm_encoding, then fsm_extract.)
  (* fsm_encoding = "none" *)
  logic [3:0]        state_q;
  logic [3:0]        state_d;
  logic [SLOT_W-1:0] count_q, count_d;
  logic              linked_q, linked_d;
  logic [SET_W-1:0]  next_q, next_d, peer_q, peer_d;
  logic              attached, fills;

  assign attached  = state_q == S6 || state_q == S7 || state_q == S8 || state_q == S9;
  assign fills     = count_q == LAST;
  assign active_o  = state_q == S1 || state_q == S2 || state_q == S3 || state_q == S4;
  assign freed_o   = releasing_o && (!linked_q || ext_free_i);

  always_comb begin
    state_d = state_q;
    case (state_q)
      S0: begin
        if (req_h_i) state_d = ONE_SLOT ? S2 : S1;
        else if (req_a_i) state_d = ONE_SLOT ? S7 : S6;
      end
      S1: if (take_i && fills) state_d = S2;
      S2: begin
        if (link_i) state_d = S3;
        else if (fail_i) state_d = S4;
      end
      S4: begin
        if (link_i) state_d = S3;
        else if (linkable_i) state_d = S2;
      end
      S6: if (take_i && fills) state_d = S7;
      S7: begin
        if (link_i) state_d = S8;
        else if (fail_i) state_d = S9;
      end
      S9: begin
        if (link_i) state_d = S8;
        else if (linkable_i) state_d = S7;
      end
      S5, S10: if (freed_o) state_d = S0;
      default: state_d = state_q;
    endcase
    if (ret_i && active_o && ret_head_i == SELF) state_d = S5;
    if (ret_i && attached && ret_head_i == peer_q) state_d = S10;
  end

  always_comb begin
    count_d = count_q;
    if (req_h_i || req_a_i) count_d = SLOT_W'(1);
    else if (take_i) count_d = count_q + SLOT_W'(1);
    if (state_d != S1 && state_d != S6) count_d = '0;
    linked_d = (linked_q || link_i) && !freed_o;
    next_d = link_i ? req_set_i : next_q;
    peer_d = peer_q;
    if (req_h_i) peer_d = SELF;
    else if (req_a_i) peer_d = req_head_i;
    else if (tail_i) peer_d = req_set_i;
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      state_q  <= S0;
      count_q  <= '0;
      linked_q <= 1'b0;
      next_q   <= '0;
      peer_q   <= '0;
    end else begin
      state_q  <= state_d;
      count_q  <= count_d;
      linked_q <= linked_d;
      next_q   <= next_d;
      peer_q   <= peer_d;
    end
  end

  assign count_o     = count_q;
  assign next_o      = next_q;
  assign peer_o      = peer_q;
  assign linked_o    = linked_q;
  assign head_o      = RESERVED || active_o || state_q == S5;
  assign s_free_o    = state_q == S0;
  assign s_full_o    = (active_o && state_q != S1) || (attached && state_q != S6);
  assign fail_o      = state_q == S4 || state_q == S9;
  assign releasing_o = state_q == S5 || state_q == S10;

  `CHECK(known_state, state_q <= S10)
  `CHECK(reserved_is_never_attached, !RESERVED || !(attached || state_q == S10))
  `CHECK(taken_only_when_free, !(req_h_i || req_a_i) || state_q == S0)
  `CHECK(one_event, $onehot0({req_h_i, req_a_i, take_i, link_i, fail_i}))
  `CHECK(slot_only_when_there_is_one, !take_i || state_q == S1 || state_q == S6)
  `CHECK(link_only_when_full, !link_i || state_q == S2 || state_q == S4 || state_q == S7
                              || state_q == S9)
  `CHECK(linked_as_the_state_says, linked_q ? state_q == S3 || state_q == S5 || state_q == S8
                                              || state_q == S10
                                            : state_q != S3 && state_q != S8)
  `CHECK(count_within_the_set, (state_q == S1 || state_q == S6) ? count_q != '0 : count_q == '0)
endmodule
`default_nettype wire
