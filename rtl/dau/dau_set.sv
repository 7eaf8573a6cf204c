// SPDX-License-Identifier: Apache-2.0
// State machine of one slot set (DL Fig 8; table in README.md). The unit around it says what
// happens to the set in a cycle; at most one of req_h_i, req_a_i, req_i is high, the first two only
// in S0, the others never in S0.
`default_nettype none
`include "common/check.svh"
module dau_set #(
  parameter int unsigned SLOTS    = 2,     // slots of the set: 1, 2, 4 or 8
  parameter bit          RESERVED = 1'b0,  // never attached: H tied to 1 (option 4)
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
  input  wire logic              clk,
  input  wire logic              rst_n,
  input  wire logic              req_h_i,      // becomes a head; the primary miss takes slot 0
  input  wire logic              req_a_i,      // is attached; a secondary miss takes slot 0
  input  wire logic              req_i,        // a secondary miss, and this set is the chain's tail
  input  wire logic              avail_i,      // a set can be linked
  input  wire logic              ret_i,        // the chain is released
  input  wire logic              free_ext_i,   // the following set has been freed (S_free_EXT)
  output wire logic              head_o,       // H
  output wire logic              active_o,     // a head that takes requests: S1 to S4
  output wire logic              attached_o,   // S6 to S10
  output wire logic              linked_o,     // L; keeps its value while the set is released
  output wire logic              s_free_o,
  output wire logic              s_full_o,
  output wire logic              fail_o,       // RF of Fig 8: the last request found no set to link
  output wire logic              releasing_o,  // S5, S10
  output wire logic              freeing_o,    // S5, S10 and free at the end of this cycle
  output wire logic [SLOT_W-1:0] count_o       // slots taken in S1 and S6, else 0: the next slot
);
  localparam logic [3:0] S0  = 4'd0;   // free
  localparam logic [3:0] S1  = 4'd1;   // head, a slot is free
  localparam logic [3:0] S2  = 4'd2;   // head, full
  localparam logic [3:0] S3  = 4'd3;   // head, full, linked
  localparam logic [3:0] S4  = 4'd4;   // head, full, no set was free
  localparam logic [3:0] S5  = 4'd5;   // head, releasing
  localparam logic [3:0] S6  = 4'd6;   // attached, a slot is free
  localparam logic [3:0] S7  = 4'd7;   // attached, full
  localparam logic [3:0] S8  = 4'd8;   // attached, full, linked
  localparam logic [3:0] S9  = 4'd9;   // attached, full, no set was free
  localparam logic [3:0] S10 = 4'd10;  // attached, releasing

  // A set of one slot is full as soon as it is taken.
  localparam logic [3:0] TAKEN_H = SLOTS > 1 ? S1 : S2;
  localparam logic [3:0] TAKEN_A = SLOTS > 1 ? S6 : S7;

  logic [3:0] state_q, state_d;
  logic       linked_q, linked_d;
  logic       last_slot;  // a request takes the last slot of S1 or S6

  always_comb begin
    state_d  = state_q;
    linked_d = linked_q;
    case (state_q)
      S0: begin
        if (req_h_i) state_d = TAKEN_H;
        if (req_a_i) state_d = TAKEN_A;
        linked_d = 1'b0;
      end
      S1: begin
        if (ret_i) state_d = S5;
        else if (req_i && last_slot) state_d = S2;
      end
      S2, S4: begin
        if (ret_i) begin
          state_d = S5;
        end else if (req_i) begin
          state_d  = avail_i ? S3 : S4;
          linked_d = avail_i;
        end else if (avail_i) begin
          state_d = S2;
        end
      end
      S3: if (ret_i) state_d = S5;
      S6: begin
        if (ret_i) state_d = S10;
        else if (req_i && last_slot) state_d = S7;
      end
      S7, S9: begin
        if (ret_i) begin
          state_d = S10;
        end else if (req_i) begin
          state_d  = avail_i ? S8 : S9;
          linked_d = avail_i;
        end else if (avail_i) begin
          state_d = S7;
        end
      end
      S8: if (ret_i) state_d = S10;
      S5, S10: begin
        if (freeing_o) begin
          state_d  = S0;
          linked_d = 1'b0;
        end
      end
      default: state_d = S0;
    endcase
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      state_q  <= S0;
      linked_q <= 1'b0;
    end else begin
      state_q  <= state_d;
      linked_q <= linked_d;
    end
  end

  // Slots taken, 0 outside of S1 and S6. Two slots need no counter.
  if (SLOTS > 2) begin : gen_count
    logic [SLOT_W-1:0] count_q, count_d;
    always_comb begin
      count_d = count_q;
      if (req_h_i || req_a_i) count_d = SLOT_W'(1);
      else if (ret_i || (req_i && last_slot)) count_d = '0;
      else if (req_i && count_q != '0) count_d = count_q + SLOT_W'(1);
    end
    always_ff @(posedge clk) begin
      if (!rst_n) count_q <= '0;
      else count_q <= count_d;
    end
    assign last_slot = count_q == SLOT_W'(SLOTS - 1);
    assign count_o   = count_q;
  end else begin : gen_no_count
    assign last_slot = 1'b1;
    assign count_o   = (state_q == S1) || (state_q == S6);
  end

  assign head_o      = RESERVED || active_o || state_q == S5;
  assign active_o    = state_q == S1 || state_q == S2 || state_q == S3 || state_q == S4;
  assign attached_o  = state_q == S6 || state_q == S7 || state_q == S8 || state_q == S9
                     || state_q == S10;
  assign linked_o    = linked_q;
  assign s_free_o    = state_q == S0;
  assign s_full_o    = state_q == S2 || state_q == S3 || state_q == S4
                     || state_q == S7 || state_q == S8 || state_q == S9;
  assign fail_o      = state_q == S4 || state_q == S9;
  assign releasing_o = state_q == S5 || state_q == S10;
  assign freeing_o   = releasing_o && (!linked_q || free_ext_i);

  `CHECK(check_state, state_q <= S10)
  `CHECK(check_free, !(req_h_i || req_a_i) || s_free_o)
  `CHECK(check_taken, !(req_i || ret_i) || !(s_free_o || releasing_o))
  `CHECK(check_linked, !linked_q || state_q == S3 || state_q == S8 || releasing_o)
  `CHECK(check_not_linked, linked_q || !(state_q == S3 || state_q == S8))
  `CHECK(check_reserved, !RESERVED || !attached_o)
endmodule
`default_nettype wire
