// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of DL-MSHR (DL 4.5): gives slots to misses, links slot sets into chains
// and releases them. Free-set selection and counters are here, a state machine a set in dau_set.sv.
//
//   primary    takes the lowest free set, thus a reserved one as long as one is free
//   secondary  takes the next slot of the tail of its chain; when the tail is full, links the
//              lowest free ordinary set; refused (and the tail remembers it, S4/S9) if there is none
//   RET        frees the chain, one set a cycle from the tail:
//
//   cycle        0      1      2      3      4
//   ret_valid    1                    (1)             chain of 3: head a, then b, tail c
//   ret_ready    1      0      0      1      1        3: the head goes, the next RET may come
//   a            S3     S5     S5     S5     S0
//   b            S8     S10    S10    S0
//   c            S7     S10    S0
//   n_free       0      0      1      2      3
//
// req_ready_o does not depend on req_valid_i. Request and RET may come in one cycle; a secondary to
// the chain that RET takes is refused and changes nothing, as is one to a set that heads no live
// chain; RET of such a set is ignored.
`default_nettype none
`include "common/check.svh"

module dau #(
  parameter int unsigned SETS     = 16,  // slot sets; area and delay grow with it
  parameter int unsigned SLOTS    = 2,   // slots of a set
  parameter int unsigned RESERVED = 0,   // sets 0 .. RESERVED-1 are heads only (option 4)
  // Derived; leave alone.
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input  wire logic                     clk,
  input  wire logic                     rst_n,

  // A miss asks for a slot.
  input  wire logic                     req_valid_i,
  input  wire logic                     req_secondary_i,  // 1: merges into the chain of req_head_i
  input  wire logic [SET_W-1:0]         req_head_i,
  output logic                          req_ready_o,
  output logic                          rf_o,             // reservation fail: valid, not ready
  output logic [SET_W-1:0]              req_set_o,        // these three: 0 unless ready
  output logic [SLOT_W-1:0]             req_slot_o,
  output logic                          req_link_o,       // req_set_o is newly linked

  // The data of a chain have returned: release it.
  input  wire logic                     ret_valid_i,
  input  wire logic [SET_W-1:0]         ret_head_i,
  output logic                          ret_ready_o,
  output logic                          release_busy_o,

  output logic [COUNT_W-1:0]            n_free_o,         // free sets
  output logic [COUNT_W-1:0]            n_linkable_o,     // free ordinary sets

  // Architectural state, set 0 in the low bits.
  output logic [SETS-1:0]               head_o,           // H; always 1 in a reserved set
  output logic [SETS-1:0]               linked_o,         // L
  output logic [SETS-1:0]               s_free_o,         // S0
  output logic [SETS-1:0]               s_full_o,
  output logic [SETS-1:0]               fail_o,           // S4 and S9
  output logic [SETS-1:0]               releasing_o,      // S5 and S10
  output logic [SLOT_W*SETS-1:0]        count_o,          // slots taken in S1 and S6; else 0
  output logic [SET_W*SETS-1:0]         next_o,           // P
  output logic [SET_W*SETS-1:0]         peer_o            // head: its tail; attached set: its head
);
  if (SETS < 1) begin : gen_bad_sets
    $error("dau: SETS must be at least 1");
  end
  if (SLOTS < 1) begin : gen_bad_slots
    $error("dau: SLOTS must be at least 1");
  end
  if (RESERVED > SETS) begin : gen_bad_reserved
    $error("dau: RESERVED must not exceed SETS");
  end

  // Numbers of sets that do not exist read as "not active".
  localparam int unsigned NUMBERS = 2 ** SET_W;
  logic [NUMBERS-1:0] active;
  logic [NUMBERS-1:0] free_sets;
  logic [NUMBERS-1:0] full_sets;

  logic [SETS-1:0]  freed, freed_linkable;
  logic [SET_W-1:0] peer [SETS];
  logic [SLOT_W-1:0] count [SETS];
  logic [COUNT_W-1:0] n_free_q, n_free_d, n_linkable_q, n_linkable_d;

  // Selection of a free set. The reserved sets have the lowest numbers.
  logic [SET_W-1:0] lowest_free, lowest_linkable;
  always_comb begin
    lowest_free     = '0;
    lowest_linkable = '0;
    for (int unsigned i = SETS; i > 0; i--) begin
      if (free_sets[i-1]) lowest_free = SET_W'(i - 1);
      if (free_sets[i-1] && i > RESERVED) lowest_linkable = SET_W'(i - 1);
    end
  end

  // Release.
  logic ret_accept;
  assign release_busy_o = |releasing_o;
  assign ret_ready_o    = (releasing_o & ~freed) == '0;  // nothing is left after this cycle
  assign ret_accept     = ret_valid_i && ret_ready_o && active[ret_head_i];

  // Request.
  logic             linkable, live, tail_full, primary, take, link, fail;
  logic [SET_W-1:0] chain, tail;
  assign linkable  = n_linkable_q != '0;
  assign live      = active[req_head_i] && !(ret_accept && ret_head_i == req_head_i);
  assign chain     = live ? req_head_i : '0;
  assign tail      = peer[chain];
  assign tail_full = full_sets[tail];
  assign primary   = !req_secondary_i && n_free_q != '0;
  assign take      = req_secondary_i && live && !tail_full;
  assign link      = req_secondary_i && live && tail_full && linkable;
  assign fail      = req_secondary_i && live && tail_full && !linkable;

  assign req_ready_o = primary || take || link;
  assign rf_o        = req_valid_i && !req_ready_o;
  assign req_link_o  = link;
  always_comb begin
    req_set_o  = '0;
    req_slot_o = '0;
    if (primary) req_set_o = lowest_free;
    if (link) req_set_o = lowest_linkable;
    if (take) begin
      req_set_o  = tail;
      req_slot_o = count[tail];
    end
  end

  for (genvar i = 0; i < SETS; i++) begin : gen_set
    localparam logic [SET_W-1:0] SELF = SET_W'(i);
    localparam bit ORDINARY = i >= RESERVED;
    logic [SET_W-1:0]  own_next, own_peer;
    logic [SLOT_W-1:0] own_count;
    logic gets, is_tail;
    assign gets    = req_valid_i && req_set_o == SELF;
    assign is_tail = req_valid_i && tail == SELF;

    dau_set #(
      .SLOTS(SLOTS), .SET_W(SET_W), .SLOT_W(SLOT_W), .ID(i), .RESERVED(!ORDINARY)
    ) u_set (
      .clk, .rst_n,
      .req_h_i(gets && primary),
      .req_a_i(gets && link),
      .take_i(gets && take),
      .link_i(is_tail && link),
      .fail_i(is_tail && fail),
      .tail_i(req_valid_i && link && chain == SELF),
      .req_head_i(chain),
      .req_set_i(req_set_o),
      .linkable_i(linkable),
      .ret_i(ret_accept),
      .ret_head_i(ret_head_i),
      .ext_free_i(free_sets[own_next]),
      .count_o(own_count),
      .next_o(own_next),
      .peer_o(own_peer),
      .head_o(head_o[i]),
      .linked_o(linked_o[i]),
      .s_free_o(free_sets[i]),
      .s_full_o(full_sets[i]),
      .fail_o(fail_o[i]),
      .releasing_o(releasing_o[i]),
      .active_o(active[i]),
      .freed_o(freed[i])
    );
    assign freed_linkable[i] = freed[i] && ORDINARY;
    // Not from the pins: Yosys reads a module anew when an instance drives an array element, and
    // loses its parameters.
    assign peer[i]  = own_peer;
    assign count[i] = own_count;
    assign next_o[SET_W*i +: SET_W] = own_next;
    assign peer_o[SET_W*i +: SET_W] = own_peer;
    assign count_o[SLOT_W*i +: SLOT_W] = own_count;
  end
  for (genvar i = SETS; i < NUMBERS; i++) begin : gen_none
    assign active[i]    = 1'b0;
    assign free_sets[i] = 1'b0;
    assign full_sets[i] = 1'b0;
  end

  // Counters: at most one set is taken and one freed in a cycle.
  logic taken, taken_linkable;
  assign taken          = req_valid_i && (primary || link);
  assign taken_linkable = taken && (link || n_free_q == n_linkable_q);
  always_comb begin
    n_free_d = n_free_q;
    if (taken && freed == '0) n_free_d = n_free_q - COUNT_W'(1);
    if (!taken && freed != '0) n_free_d = n_free_q + COUNT_W'(1);
    n_linkable_d = n_linkable_q;
    if (taken_linkable && freed_linkable == '0) n_linkable_d = n_linkable_q - COUNT_W'(1);
    if (!taken_linkable && freed_linkable != '0) n_linkable_d = n_linkable_q + COUNT_W'(1);
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      n_free_q     <= COUNT_W'(SETS);
      n_linkable_q <= COUNT_W'(SETS - RESERVED);
    end else begin
      n_free_q     <= n_free_d;
      n_linkable_q <= n_linkable_d;
    end
  end
  assign n_free_o     = n_free_q;
  assign n_linkable_o = n_linkable_q;
  assign s_free_o     = free_sets[SETS-1:0];
  assign s_full_o     = full_sets[SETS-1:0];

`ifndef SYNTHESIS
  logic [SETS-1:0] ordinary;
  for (genvar i = 0; i < SETS; i++) begin : gen_ordinary
    assign ordinary[i] = i >= RESERVED;
  end
`endif
  `CHECK(n_free_counts_free_sets, 32'(n_free_q) == 32'($countones(s_free_o)))
  `CHECK(n_linkable_counts_ordinary_ones, 32'(n_linkable_q) == 32'($countones(s_free_o & ordinary)))
  `CHECK(one_release_at_a_time, $onehot0(releasing_o & head_o))
  `CHECK(one_set_freed_a_cycle, $onehot0(freed))
  `CHECK(a_set_is_found, n_free_q == '0 || free_sets[lowest_free])
  `CHECK(an_ordinary_set_is_found, n_linkable_q == '0 || free_sets[lowest_linkable])
endmodule
`default_nettype wire
