// SPDX-License-Identifier: Apache-2.0
// Properties of the pipelined DL-MSHR file, part of module dl_mshr_pipe where FORMAL is defined:
// the rules of README.md, said of the ports for any one block, and where its requests are. What
// stands in stage 2 is known here from the ports of the cycle before alone.
`include "common/formal.svh"
localparam int unsigned F_MOST = SLOTS * (RESERVED == 0 ? SETS : SETS - RESERVED + 1);
localparam bit F_FORGETS = 1'b0;
localparam bit F_BESIDE = 1'b1;
`ANY_CONST(ADDR_BITS, f_block)
logic                 f_ask_q, f_back_q;  // a request, a return that was taken, in the last cycle
logic [ADDR_BITS-1:0] f_ask_addr_q, f_back_addr_q;
logic [SLOT_BITS-1:0] f_slot;
logic [SECTORS-1:0]   f_lacks, f_held, f_fetch, f_came;
assign f_fetch = ans_fetch_o;
always_ff @(posedge clk) begin
  f_ask_q       <= rst_n && req_valid_i;
  f_ask_addr_q  <= req_addr_i;
  f_slot        <= req_slot_i;
  f_lacks       <= req_sectors_i;
  f_held        <= req_held_i;
  f_came        <= ret_sectors_i;
  f_back_q      <= rst_n && ret_valid_i && ret_ready_o;
  f_back_addr_q <= ret_addr_i;
end
logic f_asked, f_fire, f_put, f_ret, f_rsp;
assign f_asked = f_ask_q && f_ask_addr_q == f_block;
assign f_fire  = f_ask_q && ans_ok_o;
assign f_put   = f_fire && f_asked;
assign f_ret   = f_back_q && f_back_addr_q == f_block;
assign f_rsp   = rsp_valid_o && rsp_addr_o == f_block;
`include "common/open_requests_formal.svh"
`CHOOSE(ADDR_BITS, f_block, f_ask_addr_q, !f_open && f_fire && !ans_secondary_o)

// ---- the block's chain, as it was handed out -------------------------------------------------
logic [SETS-1:0]  f_sets_q, f_tail_q, f_set_hot, f_ordinary;
logic [SET_W-1:0] f_at_q;  // where the followed request is
logic f_new, f_room;
assign f_ordinary = free & ({SETS{1'b1}} << RESERVED);
assign f_set_hot = SETS'(1) << ans_set_o;
assign f_new     = f_fire && (!ans_secondary_o || ans_link_o);
assign f_room    = ((32'(f_open_q) & (SLOTS - 1)) != 0);  // of the tail, while nothing has left
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_sets_q <= '0;
    f_tail_q <= '0;
  end else if (f_put && f_new) begin
    f_sets_q <= f_set_hot | (f_open ? f_sets_q : '0);
    f_tail_q <= f_set_hot;
  end else if (f_leaves && f_open_q == F_OPEN_W'(1)) begin
    f_sets_q <= '0;
  end
  if (f_put && f_pick && !f_followed_q) f_at_q <= ans_set_o;
end
`CHECK(set_is_given_only_when_free, !f_new || (f_set_hot & free) != '0)
`CHECK(the_lowest_set_is_given, !f_new
       || f_set_hot == (ans_link_o ? f_ordinary & -f_ordinary : free & -free))
`CHECK(chain_is_not_free_while_open, !f_open || (f_sets_q & free) == '0)
`CHECK(chain_is_the_blocks_alone, !(f_fire && !f_asked && f_open) || (f_set_hot & f_sets_q) == '0)
`CHECK(merge_goes_to_the_tail, !(f_put && f_open && !ans_link_o) || f_set_hot == f_tail_q)
`CHECK(links_exactly_behind_a_full_tail, !f_put || ans_link_o == (f_open && !f_room))
`CHECK(reserved_set_is_never_linked, !(f_fire && ans_link_o) || 32'(ans_set_o) >= RESERVED)
`CHECK(answer_comes_from_its_set,
       !(f_rsp && f_followed_q && f_ahead_q == '0) || rsp_set_o == f_at_q)
`CHECK(answer_comes_from_the_chain, !f_rsp || ((SETS'(1) << rsp_set_o) & f_sets_q) != '0)

// ---- answers ---------------------------------------------------------------------------------
logic f_drains, f_merge_full, f_entry_full;
assign f_drains     = f_open && f_drain_q;
assign f_merge_full = f_open && !f_drains && !f_room && n_linkable_o == '0;
assign f_entry_full = !f_open && n_free_o == '0;
`CHECK(each_request_is_answered_in_the_next_cycle, !f_past
       || ((ans_ok_o || rf_o) == f_ask_q && !(ans_ok_o && rf_o)))
`CHECK(secondary_iff_the_block_is_open, !f_asked || ans_secondary_o == f_open)
`CHECK(refused_exactly_by_the_rules,
       !f_asked || ans_ok_o == !(f_drains || f_merge_full || f_entry_full))
`CHECK(cause_follows_the_rules, !f_asked
       || rf_cause_o == (f_entry_full ? 2'd1 : f_merge_full ? 2'd2 : f_drains ? 2'd3 : 2'd0))
`CHECK(nothing_is_given_when_refused, ans_ok_o || (ans_set_o == '0 && !ans_link_o))
`CHECK(nothing_is_fetched_when_refused, ans_ok_o || ans_fetch_o == '0)
`CHECK(nothing_is_said_without_a_request, f_ask_q || !f_past
       || (!ans_secondary_o && rf_cause_o == '0))
`CHECK(error_exactly_when_no_chain_waits, !f_ret || err_o == (!f_open || f_drain_q))
`CHECK(error_only_behind_a_return, !err_o || f_back_q)

// ---- sets in use are those given and not yet freed, one a cycle --------------------------------
logic [COUNT_W-1:0] f_taken_q;
always_ff @(posedge clk) begin
  if (!rst_n) f_taken_q <= '0;
  else f_taken_q <= f_taken_q + COUNT_W'(f_new) - COUNT_W'(release_busy_o);
end
`CHECK(sets_in_use_are_given_minus_freed, 32'(n_free_o) == SETS - 32'(f_taken_q))

// ---- drain and release -------------------------------------------------------------------------
logic [SETS-1:0]         f_gone_q;  // sets of the block's chain that are still to be freed
logic [$clog2(SETS+3):0] f_age_q;   // cycles since its last request left
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_gone_q <= '0;
    f_age_q  <= '0;
  end else if ((f_gone_q & ~free) != '0) begin
    f_gone_q <= f_gone_q & ~free;
    f_age_q  <= f_age_q + 1'b1;
  end else begin
    f_gone_q <= f_leaves && rsp_last_o ? f_sets_q : '0;
    f_age_q  <= '0;
  end
end
`CHECK(chain_is_free_in_time, 32'(f_age_q) <= SETS + 1)
`CHECK(drain_waits_only_with_its_last_request,
       !drain_q || rsp_valid_o || (last && !room) || slot_waits)
`CHECK(drain_never_waits_with_room_for_all,
       RELEASES < SETS || !drain_q || rsp_valid_o || slot_waits)
`CHECK(return_waits_only_for_a_drain,
       ret_ready_o || (drain_q && !(rsp_last_o && rsp_ready_i)))
`CHECK(some_sectors_never_wait, ret_ready_o || !(f_ret && f_open && !f_drain_q && !f_whole))

`REACH(refused_without_a_set, f_asked && rf_o && f_entry_full)
`REACH(refused_while_it_drains, f_asked && rf_o && f_drain_q)
`REACH(request_beside_its_return, f_put && f_returned)
`REACH(all_sets_in_use, n_free_o == '0)
`REACH(all_free_again, f_answered_q && n_free_o == COUNT_W'(SETS))
`REACH(error_without_a_chain, f_ret && err_o && !f_open)
`REACH(error_while_it_drains, f_ret && err_o && f_open)
// What stage 1 must know of stage 2: the request after it, of the same block.
logic f_next;
assign f_next = req_valid_i && req_addr_i == f_block;
`REACH(request_behind_its_head, f_put && !f_open && f_next)
`REACH(return_behind_its_head, f_put && !f_open && ret_valid_i && ret_ready_o
                               && ret_addr_i == f_block)
`REACH(request_as_the_drain_begins, f_next && drains && ret_addr_q == f_block)
`REACH(request_as_its_block_is_forgotten, f_next && f_leaves && f_open_q == F_OPEN_W'(1))
if (SETS > 1) begin : gen_f_others
  `include "common/slot_port_formal.svh"
  `REACH(drains_back_to_back, drains && drain_q)
  `REACH(asks_during_a_release, f_put && release_busy_o)
  `REACH(return_waits, f_ret && !ret_ready_o)
  `REACH(return_that_waits_wins, f_asked && rf_o && f_drain_q
                                 && !(drain_q && drain_addr_q == f_block))
  `REACH(last_set_goes_as_one_is_freed, f_new && n_free_o == COUNT_W'(1) && release_busy_o)
end
if (SETS > 1 && RESERVED < SETS) begin : gen_f_links
  `REACH(refused_without_a_set_to_link, f_asked && rf_o && f_merge_full)
  `REACH(return_behind_a_link, f_put && ans_link_o && ret_valid_i && ret_ready_o
                               && ret_addr_i == f_block)
  `REACH(chain_of_two_is_answered, f_leaves && rsp_last_o && $countones(f_sets_q) == 2)
end
