// SPDX-License-Identifier: Apache-2.0
// Properties of the DAU for any number of sets, part of module dau where FORMAL and WARPMEM_WINDOW
// are defined. The SETS sets are those that matter in one cycle out of arbitrarily many; README.md
// ("Any number of sets") says which, and why no more do. A pointer may lead out of the window, to
// the numbers from SETS on. Each property is of one, two or three sets, and together they are
// inductive: from any state that has them, reachable or not, one cycle leads to such a state again.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

// Row i of a SETS by SETS vector stands at SETS*i.
logic [SETS-1:0]       f_used, f_live_head;
logic [SETS*SET_W-1:0] f_head;   // number of the chain's head, a set behind the other
logic [SETS*SETS-1:0]  f_same;   // row i: sets of the chain of i
logic [SETS*SETS-1:0]  f_points; // row i: the set that i is linked to, if it is in the window
logic [SETS*SETS-1:0]  f_peer;   // row i: the set in the peer pointer of i, likewise
logic [SETS-1:0]       f_outside;  // their heads are not in the window
assign f_used      = ~s_free_o;
assign f_live_head = f_used & ~attached & ~releasing_o;
for (genvar i = 0; i < SETS; i++) begin : gen_f_numbers
  logic [SET_W-1:0] next, peer, head;
  for (genvar b = 0; b < SET_W; b++) begin : gen_bit
    assign next[b] = next_o[b*SETS + i];
    assign peer[b] = peer_o[b*SETS + i];
  end
  assign head = attached[i] ? peer : SET_W'(i);
  assign f_head[SET_W*i +: SET_W] = head;
  assign f_points[SETS*i +: SETS] = (SETS'(1) << next) & {SETS{linked_o[i]}};
  assign f_peer[SETS*i +: SETS]   = SETS'(1) << peer;
  assign f_outside[i]             = f_used[i] && 32'(head) >= SETS;
  for (genvar k = 0; k < SETS; k++) begin : gen_same
    assign f_same[SETS*i + k] = f_used[i] && f_used[k] && head == f_head[SET_W*k +: SET_W];
  end
end

// ---- who is in the window ----------------------------------------------------------------------
// The heads of its sets; the sets that the pins name; the tail that is asked for; the set that was
// freed last; of a chain that is being released the set that goes now.
`ASSUME(heads_are_in_the_window, f_outside == '0)
`ASSUME(named_sets_are_in_the_window, 32'(req_head_i) < SETS && 32'(ret_head_i) < SETS
        && (!freed_valid_q || 32'(freed_set_q) < SETS))
`ASSUME(tail_is_in_the_window, !live || tail_hot != '0)

// ---- the order of a chain ----------------------------------------------------------------------
// Row i: sets of its chain that came later. Known from what is linked, not from L and P.
logic [SETS*SETS-1:0] f_later_q;
for (genvar i = 0; i < SETS; i++) begin : gen_f_later
  logic joins;
  assign joins = f_used[i] && f_head[SET_W*i +: SET_W] == req_head_i;
  always_ff @(posedge clk) begin
    f_later_q[SETS*i +: SETS] <= (f_later_q[SETS*i +: SETS] | (req_a & {SETS{joins}}))
                                 & ~freed & {SETS{rst_n && !freed[i]}};
  end
end

// ---- one set -----------------------------------------------------------------------------------
logic [SETS-1:0] f_counted;  // slots are taken and others are free
always_comb begin
  f_counted = '0;
  for (int unsigned b = 0; b < SLOT_W; b++) f_counted = f_counted | count_o[b*SETS +: SETS];
end
`CHECK(count_is_of_sets_with_room, f_counted == (f_used & ~s_full_o & ~releasing_o))
`CHECK(single_slot_fills_its_set, SLOTS != 1 || f_counted == '0)

// ---- one set beside any other, and beside any two ----------------------------------------------
logic [SETS-1:0] f_freed_hot;
logic [SETS-1:0] f_order, f_total, f_end_last, f_goes_last, f_next_later, f_members, f_one_release;
logic [SETS-1:0] f_tail_right, f_tail_known, f_transitive, f_next_nearest;
assign f_freed_hot = (SETS'(1) << freed_set_q) & {SETS{freed_valid_q}};
for (genvar i = 0; i < SETS; i++) begin : gen_f_set
  logic [SETS-1:0] own, same, later, earlier, points, peer, behind_next, missed;
  assign own    = SETS'(1) << i;
  assign same   = f_same[SETS*i +: SETS];
  assign later  = f_later_q[SETS*i +: SETS];
  assign points = f_points[SETS*i +: SETS];
  assign peer   = f_peer[SETS*i +: SETS];
  for (genvar k = 0; k < SETS; k++) begin : gen_earlier
    assign earlier[k] = f_later_q[SETS*k + i];
  end
  always_comb begin
    behind_next = '0;  // later than what i is linked to
    missed      = '0;  // later than what is later than i, and not itself later
    for (int unsigned j = 0; j < SETS; j++) begin
      behind_next = behind_next | (f_later_q[SETS*j +: SETS] & {SETS{points[j]}});
      missed      = missed | (f_later_q[SETS*j +: SETS] & ~later & {SETS{later[j]}});
    end
  end
  assign f_order[i]        = (later & ~(same & attached & ~earlier & ~own)) == '0;
  assign f_total[i]        = (same & ~own & ~later & ~earlier) == '0;
  assign f_end_last[i]     = linked_o[i] || later == '0;
  assign f_goes_last[i]    = !freed[i] || later == '0;
  assign f_next_later[i]   = (points & ~later & ~(f_freed_hot & {SETS{releasing_o[i]}})) == '0;
  assign f_members[i]      = !attached[i] || (peer & ~(f_used & ~attached
                             & (releasing_o ~^ {SETS{releasing_o[i]}}))) == '0;
  assign f_one_release[i]  = !releasing_o[i] || (releasing_o & ~same) == '0;
  assign f_tail_right[i]   = !f_live_head[i] || (peer & ~(same & ~linked_o)) == '0;
  assign f_tail_known[i]   = !f_live_head[i] || (same & ~linked_o & ~peer) == '0;
  assign f_transitive[i]   = missed == '0;
  assign f_next_nearest[i] = points == '0 || (later & ~points & ~behind_next) == '0;
end
`CHECK(order_is_of_sets_of_one_chain, f_order == '1)
`CHECK(order_is_total_in_a_chain, f_total == '1)
`CHECK(set_without_a_next_is_the_last, f_end_last == '1)
`CHECK(set_that_goes_is_the_last, f_goes_last == '1)
`CHECK(next_comes_later, f_next_later == '1)
`CHECK(members_follow_their_head, f_members == '1)
`CHECK(one_chain_is_released_at_a_time, f_one_release == '1)
`CHECK(tail_pointer_shows_a_last_set, f_tail_right == '1)
`CHECK(last_set_is_shown_by_the_tail_pointer, f_tail_known == '1)
`CHECK(freed_set_is_free, !freed_valid_q || (s_free_o & (SETS'(1) << freed_set_q)) != '0)
`CHECK(order_is_transitive, f_transitive == '1)
`CHECK(nothing_is_between_a_set_and_its_next, f_next_nearest == '1)

// ---- answers, by the rules of README.md --------------------------------------------------------
logic f_accept, f_ret, f_asked, f_can_link;
logic [SETS-1:0] f_given;
assign f_accept   = req_valid_i && req_ready_o;
assign f_given    = SETS'(1) << req_set_o;
assign f_ret      = ret_valid_i && ret_ready_o && ((SETS'(1) << ret_head_i) & f_live_head) != '0;
assign f_asked    = (head_hot & f_live_head) != '0 && !(f_ret && ret_head_i == req_head_i);
assign f_can_link = (s_free_o & ORDINARY) != '0;
`CHECK(answer_follows_the_rules, req_ready_o == (req_secondary_i
       ? f_asked && ((tail_hot & ~s_full_o) != '0 || f_can_link) : s_free_o != '0))
`CHECK(primary_gets_a_free_set, !(f_accept && !req_secondary_i) || (f_given & s_free_o) != '0)
`CHECK(primary_prefers_a_reserved_set,
       !(f_accept && !req_secondary_i && (s_free_o & ~ORDINARY) != '0)
       || (f_given & ~ORDINARY) != '0)
`CHECK(merge_uses_the_tail_while_it_has_room,
       !(f_accept && req_secondary_i && (tail_hot & ~s_full_o) != '0)
       || (!req_link_o && f_given == tail_hot))
`CHECK(merge_links_an_ordinary_free_set,
       !(f_accept && req_secondary_i && (tail_hot & s_full_o) != '0)
       || (req_link_o && (f_given & s_free_o & ORDINARY) != '0))

// ---- one slot, whichever: a request that got it keeps it until its chain goes ------------------
`ANY_CONST(SET_W, f_set)
`ANY_CONST(SLOT_W, f_slot)
logic [SETS-1:0]   f_hot;
logic [SET_W-1:0]  f_owner_q, f_own_head;
logic [SLOT_W-1:0] f_count;
logic f_held_q, f_returned_q, f_gets;
assign f_hot  = SETS'(1) << f_set;
assign f_gets = f_accept && req_set_o == f_set && req_slot_o == f_slot;
always_comb begin
  f_count    = '0;
  f_own_head = '0;
  for (int unsigned i = 0; i < SETS; i++)
    if (f_hot[i]) f_own_head = f_head[SET_W*i +: SET_W];
  for (int unsigned b = 0; b < SLOT_W; b++) f_count[b] = (f_hot & count_o[b*SETS +: SETS]) != '0;
end
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_held_q     <= 1'b0;
    f_returned_q <= 1'b0;
    f_owner_q    <= '0;
  end else begin
    f_held_q <= (f_held_q && (f_hot & freed) == '0) || f_gets;
    if (f_gets) f_owner_q <= req_secondary_i ? req_head_i : req_set_o;
    if (f_gets) f_returned_q <= 1'b0;
    else if (f_ret && ret_head_i == f_owner_q) f_returned_q <= 1'b1;
  end
end
`ASSUME(followed_set_is_in_the_window, 32'(f_set) < SETS)
`CHECK(slot_is_not_given_twice, !(f_gets && f_held_q))
`CHECK(slot_in_use_is_known, (f_hot & releasing_o) != '0 || 32'(f_slot) >= SLOTS
       || f_held_q == ((f_hot & s_full_o) != '0 || ((f_hot & f_used) != '0 && f_slot < f_count)))
`CHECK(request_is_in_its_chain, !f_held_q || f_own_head == f_owner_q)
`CHECK(slot_goes_exactly_after_its_ret,
       !f_held_q || ((f_hot & releasing_o) != '0) == f_returned_q)
`CHECK(no_slot_survives_its_chain, !(f_held_q && (f_hot & f_used) == '0))

// ---- S4 and S9 ---------------------------------------------------------------------------------
logic f_could_link_q;
always_ff @(posedge clk) f_could_link_q <= rst_n && f_can_link;
`CHECK(fail_ends_when_a_set_can_be_linked, !f_could_link_q || fail_o == '0)

`REACH(chain_of_two_in_the_window, f_later_q != '0)
