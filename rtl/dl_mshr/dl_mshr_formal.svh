// SPDX-License-Identifier: Apache-2.0
// Properties of the DL-MSHR file, part of module dl_mshr where FORMAL is defined: the rules of
// README.md, said of the ports for any one block, and where its requests are. The DAU has its own,
// in rtl/dau/dau_formal.svh; they are judged here once more, for the inputs that the file makes.
`include "common/formal.svh"
localparam int unsigned F_MOST = SLOTS * (RESERVED == 0 ? SETS : SETS - RESERVED + 1);
localparam bit F_BESIDE = 1'b0;
localparam bit F_FORGETS = RELEASES != 0;
`include "common/block_requests_formal.svh"

// ---- the block's chain, as it was handed out -------------------------------------------------
logic [SETS-1:0]  f_sets_q, f_head_q, f_tail_q, f_set_hot;
logic [SET_W-1:0] f_at_q;  // where the followed request is
logic f_new, f_room;
assign f_set_hot = SETS'(1) << req_set_o;
assign f_new     = f_fire && (!req_secondary_o || req_link_o);
assign f_room    = ((32'(f_open_q) & (SLOTS - 1)) != 0);  // of the tail, while nothing has left
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_sets_q <= '0;
    f_head_q <= '0;
    f_tail_q <= '0;
  end else if (f_put && f_new) begin
    f_sets_q <= f_set_hot | (f_here ? f_sets_q : '0);
    f_head_q <= f_here ? f_head_q : f_set_hot;
    f_tail_q <= f_set_hot;
  end else if (f_leaves && f_open_q == F_OPEN_W'(1)) begin
    f_sets_q <= '0;
  end
  if (f_put && f_pick && !f_followed_q) f_at_q <= req_set_o;
end
`CHECK(block_has_one_head, !f_asked || req_match == (f_head_q & {SETS{f_here}}))
`CHECK(cam_sees_heads_alone, ((req_match | ret_match) & ~head) == '0)
`CHECK(return_matches_once, $onehot0(ret_match))
`CHECK(set_is_given_only_when_free, !f_new || (f_set_hot & s_free) != '0)
`CHECK(chain_is_not_free_while_open, !f_open || (f_sets_q & (s_free | releasing)) == '0)
`CHECK(chain_is_the_blocks_alone, !(f_fire && !f_asked && f_open) || (f_set_hot & f_sets_q) == '0)
`CHECK(merge_goes_to_the_tail, !(f_put && f_here && !req_link_o) || f_set_hot == f_tail_q)
`CHECK(links_exactly_behind_a_full_tail, !f_put || req_link_o == (f_here && !f_room))
`CHECK(reserved_set_is_never_linked, !(f_fire && req_link_o) || 32'(req_set_o) >= RESERVED)
`CHECK(answer_comes_from_its_set,
       !(f_rsp && f_followed_q && f_ahead_q == '0) || rsp_set_o == f_at_q)
`CHECK(answer_comes_from_the_chain, !f_rsp || ((SETS'(1) << rsp_set_o) & f_sets_q) != '0)

// ---- answers ---------------------------------------------------------------------------------
logic f_drains, f_merge_full, f_entry_full;
assign f_drains     = f_here && (f_drain_q || f_returned);
assign f_merge_full = f_here && !f_drains && !f_room && n_linkable_o == '0;
assign f_entry_full = !f_here && n_free_o == '0;
`CHECK(secondary_iff_the_block_is_open, !f_asked || req_secondary_o == f_here)
`CHECK(refused_exactly_by_the_rules,
       !f_asked || req_ready_o == !(f_drains || f_merge_full || f_entry_full))
`CHECK(cause_follows_the_rules, !(f_asked && req_valid_i)
       || rf_cause_o == (f_entry_full ? 2'd1 : f_merge_full ? 2'd2 : f_drains ? 2'd3 : 2'd0))
`CHECK(refused_means_rf, rf_o == (req_valid_i && !req_ready_o) && (rf_o || rf_cause_o == '0))
`CHECK(nothing_is_given_when_refused, req_ready_o || (req_set_o == '0 && !req_link_o))
`CHECK(nothing_is_fetched_when_refused, req_ready_o || req_fetch_o == '0)

// ---- conservation: slots in use are requests accepted and not answered, and those of the
// draining chain that have left; sets in use are those given and not yet freed, one a cycle ------
localparam int unsigned F_SUM_W = $clog2(SETS * SLOTS + 1);
logic [F_SUM_W-1:0] f_all_q, f_gone_q, f_in_use, f_of_set;
logic [COUNT_W-1:0] f_taken_q;
logic f_one_leaves;
assign f_one_leaves = rsp_valid_o && rsp_ready_i;
always_comb begin
  f_in_use = '0;
  for (int unsigned i = 0; i < SETS; i++) begin
    f_of_set = '0;
    for (int unsigned b = 0; b < SLOT_W; b++)
      f_of_set = f_of_set | (F_SUM_W'(count[b*SETS + i]) << b);
    f_in_use = f_in_use + (s_full[i] ? F_SUM_W'(SLOTS) : f_of_set);
  end
end
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_all_q   <= '0;
    f_gone_q  <= '0;
    f_taken_q <= '0;
  end else begin
    f_all_q   <= f_all_q + F_SUM_W'(f_fire) - F_SUM_W'(f_one_leaves);
    f_gone_q  <= leaves ? '0 : f_gone_q + F_SUM_W'(f_one_leaves);
    f_taken_q <= f_taken_q + COUNT_W'(f_new) - COUNT_W'(release_busy_o);
  end
end
`CHECK(slots_in_use_are_accepted_minus_answered,
       waiting != '0 || f_in_use == f_all_q + f_gone_q)
`CHECK(sets_in_use_are_given_minus_freed, 32'(n_free_o) == SETS - 32'(f_taken_q))

// ---- drain and release -----------------------------------------------------------------------
logic [COUNT_W-1:0] f_left_q;  // sets of the block's chain that are still to be freed
always_ff @(posedge clk) begin
  if (!rst_n) f_left_q <= '0;
  else if (f_leaves && rsp_last_o) f_left_q <= COUNT_W'($countones(f_sets_q));
  else if (f_left_q != '0) f_left_q <= f_left_q - COUNT_W'(1);
end
logic [COUNT_W-1:0] f_was_releasing_q;  // sets that were being released
always_ff @(posedge clk) f_was_releasing_q <= COUNT_W'($countones(releasing));
`CHECK(drain_waits_only_with_its_last_request,
       !f_drain_q || f_rsp || (f_open_q == F_OPEN_W'(1) && release_busy_o) || slot_waits)
`CHECK(chain_is_free_within_its_length,
       RELEASES != 0 || f_left_q == '0 || COUNT_W'($countones(releasing)) == f_left_q)
`CHECK(return_waits_only_for_a_drain, ret_ready_o == (!drain_q || (rsp_last_o && rsp_ready_i)))
`CHECK(drain_never_waits_with_room_for_all, RELEASES < SETS || !f_drain_q || f_rsp || slot_waits)
`CHECK(last_goes_when_the_release_ends, RELEASES != 0 || !f_past
       || f_was_releasing_q != COUNT_W'(1) || !drain_q || rsp_valid_o || slot_waits)

`REACH(refused_without_a_set, f_asked && rf_o && f_entry_full)
`REACH(refused_while_it_drains, f_asked && rf_o && f_drain_q)
`REACH(return_wins, f_asked && rf_o && f_returned)
`REACH(all_sets_in_use, n_free_o == '0)
`REACH(all_free_again, f_answered_q && n_free_o == COUNT_W'(SETS))
if (SETS > 1) begin : gen_f_others
  `include "common/slot_port_formal.svh"
  `REACH(drains_back_to_back, f_returned && drain_q)
  `REACH(asks_during_a_release, f_put && release_busy_o)
end
if (RELEASES != 0) begin : gen_f_waits
  `REACH(block_comes_again_as_it_is_forgotten, f_put && f_open && !f_here)
  if (SETS > 2 && RESERVED < SETS) begin : gen_f_chain_waits
    `REACH(drained_chain_waits, waiting != '0)
  end
end
if (SETS > 2 && RESERVED < SETS && RELEASES == 0) begin : gen_f_two_chains
  `REACH(last_waits_for_a_release, f_drain_q && !f_rsp)
end
if (SETS > 1 && RESERVED < SETS) begin : gen_f_links
  `REACH(refused_without_a_set_to_link, f_asked && rf_o && f_merge_full)
  `REACH(chain_of_two_is_answered, f_leaves && rsp_last_o && f_head_q != f_tail_q)
  logic f_was_two_q;
  always_ff @(posedge clk) f_was_two_q <= rst_n && (f_was_two_q || f_left_q == COUNT_W'(2));
  `REACH(chain_of_two_is_free, f_was_two_q && n_free_o == COUNT_W'(SETS))
end
