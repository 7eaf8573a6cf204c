// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of DL-MSHR (DL 4.5): gives a slot to each miss, links slot sets into
// chains and releases them. README.md has the ports' timing, the states and the parameters' cost.
`default_nettype none
`include "common/check.svh"
module dau #(
  parameter int unsigned SETS     = 16,  // slot sets, 1 to 4096
  parameter int unsigned SLOTS    = 2,   // slots of a set: 1, 2, 4 or 8
  parameter int unsigned RESERVED = 0,   // sets 0 .. RESERVED-1 are heads only, 0 to SETS
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input  wire logic                   clk,
  input  wire logic                   rst_n,

  // A miss asks for a slot.
  input  wire logic                   req_valid_i,
  input  wire logic                   req_secondary_i,  // it merges into the chain of req_head_i
  input  wire logic [SET_W-1:0]       req_head_i,
  output wire logic                   req_ready_o,      // accepted, if valid; not a function of it
  output wire logic                   rf_o,             // reservation fail: valid and not ready
  output wire logic [SET_W-1:0]       req_set_o,        // the set and slot that it gets; 0 unless
  output wire logic [SLOT_W-1:0]      req_slot_o,       // req_ready_o
  output wire logic                   req_link_o,       // req_set_o is newly linked

  // The line of a chain has come back and its targets are served.
  input  wire logic                   ret_valid_i,
  input  wire logic [SET_W-1:0]       ret_head_i,
  output wire logic                   ret_ready_o,      // no release, or its last cycle
  output wire logic                   release_busy_o,   // a release is in progress

  output wire logic [COUNT_W-1:0]     n_free_o,         // free sets: what a primary miss can take
  output wire logic [COUNT_W-1:0]     n_linkable_o,     // free ordinary sets: what a link can take

  // State of each set, for the slot array, the comparators and the drain.
  output wire logic [SETS-1:0]        head_o,           // H: enables the set's comparator
  output wire logic [SETS-1:0]        linked_o,         // L
  output wire logic [SETS-1:0]        s_free_o,
  output wire logic [SETS-1:0]        s_full_o,
  output wire logic [SETS-1:0]        fail_o,           // S4, S9
  output wire logic [SETS-1:0]        releasing_o,      // S5, S10
  output wire logic [SETS*SLOT_W-1:0] count_o,          // slots taken in S1 and S6, else 0
  output wire logic [SETS*SET_W-1:0]  next_o,           // P: the set linked behind this one
  output wire logic [SETS*SET_W-1:0]  peer_o            // of a head the tail of its chain, of an
                                                        // attached set its head
);
  if (SETS < 1 || SETS > 4096) begin : gen_bad_sets
    $error("dau: SETS must be 1 to 4096");
  end
  if (SLOTS != 1 && SLOTS != 2 && SLOTS != 4 && SLOTS != 8) begin : gen_bad_slots
    $error("dau: SLOTS must be 1, 2, 4 or 8");
  end
  if (RESERVED > SETS) begin : gen_bad_reserved
    $error("dau: RESERVED must not exceed SETS");
  end

  // Lowest bit that is set, in a number of gate levels that grows with the logarithm of SETS.
  function automatic logic [SETS-1:0] lowest(input logic [SETS-1:0] bits);
    logic [SETS-1:0] seen;
    seen = bits;
    for (int unsigned step = 1; step < SETS; step = step * 2) seen = seen | (seen << step);
    lowest = bits & ~(seen << 1);
  endfunction

  function automatic logic [SET_W-1:0] index_of(input logic [SETS-1:0] onehot);
    index_of = '0;
    for (int unsigned i = 0; i < SETS; i++) if (onehot[i]) index_of = index_of | SET_W'(i);
  endfunction

  // Sets that a link may take.
  localparam logic [SETS-1:0] ORDINARY = {SETS{1'b1}} << RESERVED;

  wire logic [SETS-1:0] active, attached, freeing;
  logic [SETS-1:0] req_head_hot, ret_head_hot, tail_hot;
  logic [SET_W-1:0] tail;
  logic [SLOT_W-1:0] tail_count;

  // ---- release -------------------------------------------------------------------------------
  wire logic ret_fire;
  assign release_busy_o = |releasing_o;
  // Of the sets that are being released one is a head, and it is freed last.
  assign ret_ready_o    = !release_busy_o || |(freeing & head_o);
  assign ret_fire       = ret_valid_i && ret_ready_o && |(ret_head_hot & active);

  // The set freed in the last cycle: S_free_EXT of the one that it was linked behind.
  logic [SET_W-1:0] freed_q;
  logic             freed_valid_q;
  always_ff @(posedge clk) begin
    if (!rst_n) freed_valid_q <= 1'b0;
    else freed_valid_q <= |freeing;
    freed_q <= index_of(freeing);
  end

  // ---- requests ------------------------------------------------------------------------------
  always_comb begin
    tail = '0;
    for (int unsigned i = 0; i < SETS; i++) begin
      req_head_hot[i] = req_head_i == SET_W'(i);
      ret_head_hot[i] = ret_head_i == SET_W'(i);
      if (req_head_hot[i]) tail = tail | peer_o[i*SET_W +: SET_W];
    end
    tail_count = '0;
    for (int unsigned i = 0; i < SETS; i++) begin
      tail_hot[i] = tail == SET_W'(i);
      if (tail_hot[i]) tail_count = tail_count | count_o[i*SLOT_W +: SLOT_W];
    end
  end

  wire logic [SETS-1:0] free_hot, link_hot;
  assign free_hot = lowest(s_free_o);
  assign link_hot = lowest(s_free_o & ORDINARY);

  wire logic avail, merges, tail_full, secondary_ready, fire;
  assign avail           = n_linkable_o != '0;
  // RET of the same chain goes first.
  assign merges          = |(req_head_hot & active) && !(ret_fire && ret_head_i == req_head_i);
  assign tail_full       = |(tail_hot & s_full_o);
  assign secondary_ready = merges && (!tail_full || avail);

  assign req_ready_o = req_secondary_i ? secondary_ready : n_free_o != '0;
  assign rf_o        = req_valid_i && !req_ready_o;
  assign req_link_o  = req_secondary_i && secondary_ready && tail_full;
  assign fire        = req_valid_i && req_ready_o;

  logic [SET_W-1:0] req_set;
  always_comb begin
    req_set = '0;
    if (req_link_o) req_set = index_of(link_hot);
    else if (req_secondary_i && secondary_ready) req_set = tail;
    else if (!req_secondary_i) req_set = index_of(free_hot);  // 0 when none is free
  end
  assign req_set_o  = req_set;
  assign req_slot_o = (req_secondary_i && secondary_ready) ? tail_count : '0;  // 0 in a full tail

  // ---- the sets ------------------------------------------------------------------------------
  for (genvar i = 0; i < SETS; i++) begin : gen_set
    logic [SET_W-1:0] next_q, peer_q;

    wire logic req_h, req_a, links;
    assign req_h = fire && !req_secondary_i && free_hot[i];
    assign req_a = fire && req_link_o && link_hot[i];
    assign links = fire && req_link_o && tail_hot[i];

    wire logic member;  // of the chain on ret_head_i
    assign member = ret_head_hot[i] || (attached[i] && peer_q == ret_head_i);

    dau_set #(
      .SLOTS    (SLOTS),
      .RESERVED (i < RESERVED)
    ) u_set (
      .clk         (clk),
      .rst_n       (rst_n),
      .req_h_i     (req_h),
      .req_a_i     (req_a),
      .req_i       (req_valid_i && req_secondary_i && merges && tail_hot[i]),
      .avail_i     (avail),
      .ret_i       (ret_fire && member),
      .free_ext_i  (freed_valid_q && freed_q == next_q),
      .head_o      (head_o[i]),
      .active_o    (active[i]),
      .attached_o  (attached[i]),
      .linked_o    (linked_o[i]),
      .s_free_o    (s_free_o[i]),
      .s_full_o    (s_full_o[i]),
      .fail_o      (fail_o[i]),
      .releasing_o (releasing_o[i]),
      .freeing_o   (freeing[i]),
      .count_o     (count_o[i*SLOT_W +: SLOT_W])
    );

    // Pointers keep their value when the set is freed.
    always_ff @(posedge clk) begin
      if (!rst_n) next_q <= '0;
      else if (links) next_q <= index_of(link_hot);
    end
    always_ff @(posedge clk) begin
      if (!rst_n) peer_q <= '0;
      else if (req_h) peer_q <= SET_W'(i);
      else if (req_a) peer_q <= req_head_i;
      else if (fire && req_link_o && req_head_hot[i]) peer_q <= index_of(link_hot);
    end
    assign next_o[i*SET_W +: SET_W] = next_q;
    assign peer_o[i*SET_W +: SET_W] = peer_q;
  end

  // ---- counters of free sets -----------------------------------------------------------------
  logic [COUNT_W-1:0] n_free_q, n_free_d;
  always_comb begin
    n_free_d = n_free_q;
    if (|freeing && !(fire && (!req_secondary_i || req_link_o))) n_free_d = n_free_q + COUNT_W'(1);
    if (!(|freeing) && fire && (!req_secondary_i || req_link_o)) n_free_d = n_free_q - COUNT_W'(1);
  end
  always_ff @(posedge clk) begin
    if (!rst_n) n_free_q <= COUNT_W'(SETS);
    else n_free_q <= n_free_d;
  end
  assign n_free_o = n_free_q;

  if (RESERVED == 0) begin : gen_one_counter
    assign n_linkable_o = n_free_q;
  end else if (RESERVED == SETS) begin : gen_no_links
    assign n_linkable_o = '0;
  end else begin : gen_two_counters
    logic [COUNT_W-1:0] n_linkable_q, n_linkable_d;
    wire logic frees, takes;
    assign frees = |(freeing & ORDINARY);
    assign takes = fire && (req_link_o || (!req_secondary_i && |(free_hot & ORDINARY)));
    always_comb begin
      n_linkable_d = n_linkable_q;
      if (frees && !takes) n_linkable_d = n_linkable_q + COUNT_W'(1);
      if (!frees && takes) n_linkable_d = n_linkable_q - COUNT_W'(1);
    end
    always_ff @(posedge clk) begin
      if (!rst_n) n_linkable_q <= COUNT_W'(SETS - RESERVED);
      else n_linkable_q <= n_linkable_d;
    end
    assign n_linkable_o = n_linkable_q;
  end

  // ---- checks --------------------------------------------------------------------------------
  `CHECK(check_n_free, 32'(n_free_o) == $countones(s_free_o))
  `CHECK(check_n_linkable, 32'(n_linkable_o) == $countones(s_free_o & ORDINARY))
  `CHECK(check_one_freed, (freeing & (freeing - SETS'(1))) == '0)
  `CHECK(check_one_release, $countones(releasing_o & head_o) <= 1)
  `CHECK(check_fail_full, (fail_o & ~s_full_o) == '0)
  `CHECK(check_link_free, !(fire && req_link_o) || (link_hot != '0))
  `CHECK(check_reserved, (attached & ~ORDINARY) == '0)
`ifdef FORMAL
  initial assume (!rst_n);
  for (genvar i = 0; i < SETS; i++) begin : gen_prove
    `CHECK(prove_not_free_and_full, !(s_free_o[i] && s_full_o[i]))
    `CHECK(prove_link_not_self, !linked_o[i] || 32'(next_o[i*SET_W +: SET_W]) != i)
    `CHECK(prove_tail_in_range, 32'(peer_o[i*SET_W +: SET_W]) < SETS)
  end
`endif
endmodule
`default_nettype wire
