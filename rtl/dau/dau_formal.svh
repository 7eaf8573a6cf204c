// SPDX-License-Identifier: Apache-2.0
// Properties of the DAU, part of module dau where FORMAL is defined; a label is the name that
// `warpmem formal dau` prints. A chain is what DL 4.4 draws: a walk from its head along L and P,
// done anew in every cycle, so that the pointers which the unit keeps are judged by something else.
// Row i of a SETS by SETS vector stands at SETS*i.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

// A bounded check whose first cycles are known: so many primary misses, then secondary ones to set
// 0 until another set is linked. What a pool with a chain and hardly a free set leads to is then
// within the reach of a few cycles, with all inputs.
`ifdef WARPMEM_PRIMED
logic [31:0] f_primed_q = '0;
always_ff @(posedge clk) begin
  if (!rst_n) f_primed_q <= '0;
  else if (f_primed_q < `WARPMEM_PRIMED + SLOTS) f_primed_q <= f_primed_q + 1;
end
always_comb begin
  if (rst_n && f_primed_q < `WARPMEM_PRIMED + SLOTS)
    assume (req_valid_i && req_secondary_i == (f_primed_q >= `WARPMEM_PRIMED)
            && req_head_i == '0 && !ret_valid_i);
end
`endif

// ---- sets and chains -------------------------------------------------------------------------
logic [11*SETS-1:0]   f_in;           // bit 11*i + s: set i is in state s
logic [SETS-1:0]      f_legal;        // in exactly one of the states S0 to S10
logic [SETS*SETS-1:0] f_points;       // row p: the set that p is linked to
logic [SETS*SETS-1:0] f_peer;         // row i: the set in the peer pointer of i
logic [SETS*SETS-1:0] f_chain;        // row h: the sets on the walk from h
logic [SETS*SETS-1:0] f_last;         // row h: the end of the walk
logic [SETS-1:0]      f_one_before;   // exactly one set points at it
logic [SETS-1:0]      f_none_before;
logic [SETS-1:0]      f_ends;         // the walk has an end
logic [SETS-1:0]      f_tail_right;   // the tail pointer shows it
logic [SETS-1:0]      f_members;      // the attached sets that name h are those on its walk
logic [SETS-1:0]      f_live_head, f_head_releasing;
assign f_live_head      = ~s_free_o & ~attached & ~releasing_o;
assign f_head_releasing = ~attached & releasing_o;

for (genvar i = 0; i < SETS; i++) begin : gen_f_numbers
  logic [4:0] bits;
  logic [SET_W-1:0] next, peer;
  logic [6:0] which;  // free, slot free, full, linked, failed, releasing, releasing with L
  assign bits  = {!s_free_o[i], s_full_o[i], linked_o[i], fail_o[i], releasing_o[i]};
  assign which = {bits == 5'b10101, bits == 5'b10001, bits == 5'b11010, bits == 5'b11100,
                  bits == 5'b11000, bits == 5'b10000, bits == 5'b00000};
  assign f_in[11*i]          = which[0] && !attached[i];
  assign f_in[11*i + 1 +: 5] = {|which[6:5], which[4:1]} & {5{!attached[i]}};
  assign f_in[11*i + 6 +: 5] = {|which[6:5], which[4:1]} & {5{attached[i]}};
  assign f_legal[i] = $onehot(f_in[11*i +: 11]);
  for (genvar b = 0; b < SET_W; b++) begin : gen_bit
    assign next[b] = next_o[b*SETS + i];
    assign peer[b] = peer_o[b*SETS + i];
  end
  assign f_points[SETS*i +: SETS] = (SETS'(1) << next) & {SETS{linked_o[i]}};
  assign f_peer[SETS*i +: SETS]   = SETS'(1) << peer;
end

for (genvar i = 0; i < SETS; i++) begin : gen_f_chain
  logic [SETS-1:0] from, named_by;
  for (genvar p = 0; p < SETS; p++) begin : gen_pair
    assign from[p]     = f_points[SETS*p + i];
    assign named_by[p] = attached[p] && f_peer[SETS*p + i];
  end
  assign f_one_before[i]  = $onehot(from);
  assign f_none_before[i] = from == '0;

  // SETS - 1 steps lead to the end of every chain without a cycle. A set that has just been freed
  // is pointed at for one cycle more; the walk stops before it.
  logic [SETS*SETS-1:0] at, met;  // row s: after s steps
  assign at[SETS-1:0]  = SETS'(1) << i;
  assign met[SETS-1:0] = SETS'(1) << i;
  for (genvar s = 1; s < SETS; s++) begin : gen_step
    logic [SETS-1:0] to;
    always_comb begin
      to = '0;
      for (int unsigned p = 0; p < SETS; p++)
        to = to | (f_points[SETS*p +: SETS] & ~s_free_o & {SETS{at[SETS*(s-1) + p]}});
    end
    assign at[SETS*s +: SETS]  = to == '0 ? at[SETS*(s-1) +: SETS] : to;
    assign met[SETS*s +: SETS] = met[SETS*(s-1) +: SETS] | to;
  end
  logic [SETS-1:0] beyond;
  always_comb begin
    beyond = '0;
    for (int unsigned p = 0; p < SETS; p++)
      beyond = beyond | (f_points[SETS*p +: SETS] & {SETS{f_last[SETS*i + p]}});
  end
  assign f_chain[SETS*i +: SETS] = met[SETS*(SETS-1) +: SETS];
  assign f_last[SETS*i +: SETS]  = at[SETS*(SETS-1) +: SETS];
  assign f_ends[i]               = (beyond & ~s_free_o) == '0 && (releasing_o[i] || beyond == '0);
  assign f_tail_right[i]         = f_peer[SETS*i +: SETS] == f_last[SETS*i +: SETS];
  assign f_members[i]            = (named_by | (SETS'(1) << i)) == f_chain[SETS*i +: SETS];
end

`CHECK(every_set_is_in_one_state, f_legal == '1)
`CHECK(attached_set_has_one_predecessor, (attached & ~f_one_before) == '0)
`CHECK(head_has_no_predecessor, (~s_free_o & ~attached & ~f_none_before) == '0)
`CHECK(chain_ends, ((f_live_head | f_head_releasing) & ~f_ends) == '0)
`CHECK(tail_pointer_shows_the_last_set, (f_live_head & ~f_tail_right) == '0)
`CHECK(members_name_their_head, ((f_live_head | f_head_releasing) & ~f_members) == '0)
`CHECK(reserved_set_is_never_attached, (attached & ~ORDINARY) == '0)
`CHECK(reserved_set_keeps_its_comparator, (head_o | ORDINARY) == '1)

// ---- answers, by the rules of README.md ------------------------------------------------------
logic [SETS-1:0] f_asked, f_tail;  // head that is asked for, end of its chain
logic f_ret, f_chain_asked, f_room, f_can_link, f_accept;
assign f_asked = (SETS'(1) << req_head_i) & f_live_head;
always_comb begin
  f_tail = '0;
  for (int unsigned h = 0; h < SETS; h++)
    f_tail = f_tail | (f_last[SETS*h +: SETS] & {SETS{f_asked[h]}});
end
assign f_ret         = ret_valid_i && ret_ready_o && |((SETS'(1) << ret_head_i) & f_live_head);
assign f_chain_asked = f_asked != '0 && !(f_ret && ret_head_i == req_head_i);
assign f_room        = (f_tail & ~s_full_o) != '0;
assign f_can_link    = (s_free_o & ORDINARY) != '0;
assign f_accept      = req_valid_i && req_ready_o;
`CHECK(answer_follows_the_rules,
       req_ready_o == (req_secondary_i ? f_chain_asked && (f_room || f_can_link) : s_free_o != '0))
`CHECK(refused_means_rf, rf_o == (req_valid_i && !req_ready_o))
`CHECK(primary_gets_a_free_set,
       !(f_accept && !req_secondary_i) || (s_free_o & (SETS'(1) << req_set_o)) != '0)
`CHECK(primary_prefers_a_reserved_set,
       !(f_accept && !req_secondary_i && (s_free_o & ~ORDINARY) != '0)
       || (~ORDINARY & (SETS'(1) << req_set_o)) != '0)
`CHECK(merge_uses_the_tail_while_it_has_room,
       !(f_accept && req_secondary_i && f_room)
       || (!req_link_o && f_tail == (SETS'(1) << req_set_o)))
`CHECK(merge_links_an_ordinary_free_set,
       !(f_accept && req_secondary_i && !f_room)
       || (req_link_o && (s_free_o & ORDINARY & (SETS'(1) << req_set_o)) != '0))

// ---- one slot, whichever: a request that got it keeps it until its chain goes -----------------
`ANY_CONST(SET_W, f_set)
`ANY_CONST(SLOT_W, f_slot)
logic [SETS-1:0]  f_set_hot;
logic [SET_W-1:0] f_owner_q;      // head of the request in the slot
logic             f_held_q, f_returned_q;
logic             f_given, f_set_free, f_set_full, f_set_releasing;
logic [SLOT_W-1:0] f_count;
assign f_set_hot       = SETS'(1) << f_set;
assign f_given         = f_accept && req_set_o == f_set && req_slot_o == f_slot;
assign f_set_free      = (f_set_hot & s_free_o) != '0;
assign f_set_full      = (f_set_hot & s_full_o) != '0;
assign f_set_releasing = (f_set_hot & releasing_o) != '0;
for (genvar b = 0; b < SLOT_W; b++) begin : gen_f_count
  assign f_count[b] = (f_set_hot & count_o[b*SETS +: SETS]) != '0;
end
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_held_q     <= 1'b0;
    f_returned_q <= 1'b0;
    f_owner_q    <= '0;
  end else begin
    f_held_q <= (f_held_q && (f_set_hot & freed) == '0) || f_given;
    if (f_given) f_owner_q <= req_secondary_i ? req_head_i : req_set_o;
    if (f_given) f_returned_q <= 1'b0;
    else if (f_ret && ret_head_i == f_owner_q) f_returned_q <= 1'b1;
  end
end
// Another slot is chosen as it is given, while this one is nobody's.
`CHOOSE(SET_W, f_set, req_set_o, f_accept && !f_held_q)
`CHOOSE(SLOT_W, f_slot, req_slot_o, f_accept && !f_held_q)
logic [SETS-1:0]  f_owned;  // sets that name the owner
for (genvar i = 0; i < SETS; i++) begin : gen_f_owned
  assign f_owned[i] = f_peer[SETS*i +: SETS] == (SETS'(1) << f_owner_q);
end
`CHECK(slot_is_not_given_twice, !(f_given && f_held_q))
`CHECK(slot_in_use_is_known,
       f_set_releasing || 32'(f_slot) >= SLOTS
       || f_held_q == (f_set_full || (!f_set_free && f_slot < f_count)))
`CHECK(request_is_in_its_chain,
       !f_held_q || f_returned_q
       || (f_set_hot & ((SETS'(1) << f_owner_q) | (attached & f_owned))) == f_set_hot)
`CHECK(slot_goes_only_after_its_ret, !(f_held_q && f_set_releasing) || f_returned_q)
`CHECK(no_slot_survives_its_chain, !(f_held_q && f_set_free))

// ---- release ---------------------------------------------------------------------------------
logic [COUNT_W-1:0] f_left_q;  // sets of the chain that is being released
logic [SETS-1:0]    f_released;
always_comb begin
  f_released = '0;
  for (int unsigned h = 0; h < SETS; h++)
    f_released = f_released | (f_chain[SETS*h +: SETS] & {SETS{f_ret && 32'(ret_head_i) == h}});
end
logic [SETS-1:0] f_released_q;
always_ff @(posedge clk) begin
  if (!rst_n) f_left_q <= '0;
  else if (f_ret) f_left_q <= COUNT_W'($countones(f_released));
  else if (f_left_q != '0) f_left_q <= f_left_q - COUNT_W'(1);
  f_released_q <= f_released;
end
`CHECK(ret_frees_a_set_a_cycle, COUNT_W'($countones(releasing_o)) == f_left_q)
`CHECK(ret_releases_all_sets_at_once, !f_past || (f_released_q & ~releasing_o) == '0)
`CHECK(ret_is_ready_when_the_last_set_goes, ret_ready_o == (f_left_q <= COUNT_W'(1)))

// ---- S4 and S9 -------------------------------------------------------------------------------
logic f_could_link_q;
always_ff @(posedge clk) f_could_link_q <= rst_n && f_can_link;
`CHECK(fail_ends_when_a_set_can_be_linked, !f_could_link_q || fail_o == '0)
`CHECK(fail_only_while_none_could_be_linked, !(f_can_link && f_could_link_q) || fail_o == '0)

// ---- reachability ----------------------------------------------------------------------------
logic [10:0] f_any;  // some set is in the state
logic [121:0] f_step;  // bit 11*a + b: some set went from a to b
logic [11*SETS-1:0] f_in_q;
always_ff @(posedge clk) f_in_q <= f_in;
for (genvar s = 0; s < 11; s++) begin : gen_f_any
  logic [SETS-1:0] now;
  for (genvar i = 0; i < SETS; i++) begin : gen_set
    assign now[i] = f_in[11*i + s];
  end
  assign f_any[s] = |now;
  for (genvar t = 0; t < 11; t++) begin : gen_next
    logic [SETS-1:0] went;
    for (genvar i = 0; i < SETS; i++) begin : gen_set
      assign went[i] = f_in_q[11*i + s] && f_in[11*i + t];
    end
    assign f_step[11*s + t] = |went;
  end
end
`REACH(state_s0, f_any[0])
`REACH(state_s2, f_any[2])
`REACH(state_s5, f_any[5])
if (SLOTS > 1) begin : gen_f_first_slots
  `REACH(state_s1, f_any[1])
  `REACH(s0_to_s1, f_step[1])
  `REACH(s1_to_s2, f_step[13])
  `REACH(s1_to_s5, f_step[16])
end else begin : gen_f_only_slot
  `REACH(s0_to_s2, f_step[2])
end
`REACH(s2_to_s5, f_step[27])
`REACH(s5_to_s0, f_step[55])
if (SETS > 1 && RESERVED < SETS) begin : gen_f_chains
  `REACH(state_s3, f_any[3])
  `REACH(state_s4, f_any[4])
  `REACH(state_s7, f_any[7])
  `REACH(state_s8, f_any[8])
  `REACH(state_s9, f_any[9])
  `REACH(state_s10, f_any[10])
  `REACH(s2_to_s3, f_step[25])
  `REACH(s2_to_s4, f_step[26])
  `REACH(s3_to_s5, f_step[38])
  `REACH(s4_to_s5, f_step[49])
  `REACH(s7_to_s8, f_step[85])
  `REACH(s7_to_s9, f_step[86])
  `REACH(s7_to_s10, f_step[87])
  `REACH(s8_to_s10, f_step[98])
  `REACH(s9_to_s10, f_step[109])
  `REACH(s10_to_s0, f_step[110])
  `REACH(s4_to_s2, f_step[46])
  `REACH(s4_to_s3, f_step[47])
  `REACH(s9_to_s7, f_step[106])
  `REACH(s9_to_s8, f_step[107])
  if (SLOTS > 1) begin : gen_attached
    `REACH(state_s6, f_any[6])
    `REACH(s0_to_s6, f_step[6])
    `REACH(s6_to_s7, f_step[73])
    `REACH(s6_to_s10, f_step[76])
  end else begin : gen_attached_full
    `REACH(s0_to_s7, f_step[7])
  end
end
