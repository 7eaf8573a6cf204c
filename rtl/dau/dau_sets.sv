// SPDX-License-Identifier: Apache-2.0
// The state machines of all slot sets (DL Fig 8). A vector has a bit for each set. The state of a
// set is in the bits that Fig 8 writes into its circles, so they need no decoding:
//
//          taken  attached  full  linked  fail  releasing
//   S0       0       0        0      0      0       0       free
//   S1       1       0        0      0      0       0       head, a slot is free
//   S2       1       0        1      0      0       0       head, full
//   S3       1       0        1      1      0       0       head, full, next set linked
//   S4       1       0        1      0      1       0       head, full, no set was free
//   S5       1       0        0      x      0       1       head, releasing
//   S6-S10   1       1       as S1 to S5                    attached
//
//   S0 -req_h-> S1 -take-> S2 -link-> S3      S0 -req_a-> S6 -take-> S7 -link-> S8
//               S2 -fail-> S4 -link-> S3                  S7 -fail-> S9 -link-> S8
//               S4 -linkable-> S2                         S9 -linkable-> S7
//   S1..S4 -ret-> S5 -free-> S0               S6..S9 -ret-> S10 -free-> S0
//
// S1 and S6 stay until the last slot is taken; with SLOTS = 1 they are left out.
`default_nettype none
`include "common/check.svh"

module dau_sets #(
  parameter int unsigned SETS     = 16,  // slot sets
  parameter int unsigned SLOTS    = 2,   // slots of a set: 1, 2, 4 or 8
  parameter int unsigned RESERVED = 0,   // sets 0 .. RESERVED-1 are heads only
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
  input  wire logic                   clk,
  input  wire logic                   rst_n,

  // These pins say what happens to the sets in this cycle.
  input  wire logic [SETS-1:0]        req_h_i,     // S0: becomes a head, its first slot is taken
  input  wire logic [SETS-1:0]        req_a_i,     // S0: is attached, its first slot is taken
  input  wire logic [SETS-1:0]        take_i,      // S1, S6: a slot is taken
  input  wire logic [SETS-1:0]        link_i,      // S2, S4, S7, S9: a set is linked behind it
  input  wire logic [SETS-1:0]        fail_i,      // S2, S4, S7, S9: a request found none to link
  input  wire logic                   linkable_i,  // there is one; then fail_i is 0
  input  wire logic [SETS-1:0]        ret_i,       // S1..S4, S6..S9: the chain is released
  input  wire logic [SETS-1:0]        free_ext_i,  // the set linked behind has been freed

  output wire logic [SETS-1:0]        head_o,      // H: S1 to S5, and always in a reserved set
  output wire logic [SETS-1:0]        active_o,    // S1 to S4
  output wire logic [SETS-1:0]        attached_o,  // S6 to S10
  output wire logic [SETS-1:0]        linked_o,    // L; keeps its value in S5 and S10
  output wire logic [SETS-1:0]        s_free_o,
  output wire logic [SETS-1:0]        s_full_o,
  output wire logic [SETS-1:0]        fail_o,      // RF of Fig 8: S4, S9
  output wire logic [SETS-1:0]        releasing_o, // S5, S10
  output wire logic [SETS-1:0]        freed_o,     // S5, S10, and S0 in the next cycle
  output wire logic [SETS*SLOT_W-1:0] count_o      // slots taken in S1 and S6, else 0; bit b of set
                                                   // i at b*SETS + i
);
  localparam int unsigned     ALL        = SETS < 1 ? 1 : SETS;  // dau.sv refuses 0
  localparam logic [SETS-1:0] HEADS_ONLY = ~({ALL{1'b1}} << RESERVED);
  localparam logic [SETS-1:0] ONE_SLOT   = {ALL{SLOTS == 1}};

  logic [SETS-1:0] taken_q, attached_q, full_q, linked_q, fail_q, releasing_q;
  logic [SETS-1:0] fills;  // the next slot is the last one

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      taken_q     <= '0;
      attached_q  <= '0;
      full_q      <= '0;
      linked_q    <= '0;
      fail_q      <= '0;
      releasing_q <= '0;
    end else begin
      taken_q     <= (taken_q | req_h_i | req_a_i) & ~freed_o;
      attached_q  <= (attached_q | req_a_i) & ~freed_o;
      full_q      <= (full_q | (take_i & fills) | ((req_h_i | req_a_i) & ONE_SLOT)) & ~ret_i;
      linked_q    <= (linked_q | link_i) & ~freed_o;
      fail_q      <= (fail_q | fail_i) & ~ret_i & {SETS{!linkable_i}};
      releasing_q <= (releasing_q | ret_i) & ~freed_o;
    end
  end

  assign freed_o     = releasing_q & (~linked_q | free_ext_i);
  assign head_o      = (taken_q & ~attached_q) | HEADS_ONLY;
  assign active_o    = taken_q & ~attached_q & ~releasing_q;
  assign attached_o  = attached_q;
  assign linked_o    = linked_q;
  assign s_free_o    = ~taken_q;
  assign s_full_o    = full_q;
  assign fail_o      = fail_q;
  assign releasing_o = releasing_q;

  // This counts the slots taken. A count that reaches SLOTS wraps to 0, as it must outside of S1
  // and S6. With two slots S1 and S6 say it all.
  if (SLOTS > 2) begin : gen_count
    logic [SETS*SLOT_W-1:0] count_q, count_d;
    logic [SETS-1:0] carry;
    always_comb begin
      carry = take_i;
      fills = '1;
      for (int unsigned b = 0; b < SLOT_W; b++) begin
        count_d[b*SETS +: SETS] = (count_q[b*SETS +: SETS] ^ carry) & ~ret_i;
        carry = carry & count_q[b*SETS +: SETS];
        fills = fills & count_q[b*SETS +: SETS];
      end
      count_d[SETS-1:0] = count_d[SETS-1:0] | req_h_i | req_a_i;
    end
    always_ff @(posedge clk) begin
      if (!rst_n) count_q <= (SETS*SLOT_W)'(0);
      else count_q <= count_d;
    end
    assign count_o = count_q;
  end else begin : gen_no_count
    assign fills   = '1;
    assign count_o = taken_q & ~full_q & ~releasing_q;
  end

  `CHECK(free_sets_have_no_bit,
         ((attached_q | full_q | linked_q | fail_q | releasing_q) & ~taken_q) == '0)
  `CHECK(fail_only_when_full, (fail_q & ~(full_q & ~linked_q)) == '0)
  `CHECK(releasing_is_not_full, (releasing_q & full_q) == '0)
  `CHECK(linked_is_full_or_releasing, (linked_q & ~(full_q | releasing_q)) == '0)
  `CHECK(reserved_is_never_attached, (attached_q & HEADS_ONLY) == '0)
  `CHECK(taken_only_when_free, ((req_h_i | req_a_i) & taken_q) == '0)
  `CHECK(slot_only_when_there_is_one, (take_i & (~taken_q | full_q | releasing_q)) == '0)
  `CHECK(link_only_behind_a_full_tail, ((link_i | fail_i) & ~(full_q & ~linked_q)) == '0)
  `CHECK(ret_only_when_taken, (ret_i & (~taken_q | releasing_q)) == '0)
endmodule
`default_nettype wire
