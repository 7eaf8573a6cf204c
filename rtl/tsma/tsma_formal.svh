// SPDX-License-Identifier: Apache-2.0
// Properties of TSMA, part of module tsma where FORMAL is defined: the rules of README.md, said of
// the ports for any one entry. The block of the reference is the entry: it has no other name here.
`include "common/formal.svh"
localparam int unsigned F_MOST = SLOTS;
localparam bit F_BESIDE = 1'b0;
localparam bit F_FORGETS = 1'b0;
`ANY_CONST(IDX_W, f_entry)
logic f_exists, f_fire, f_asked, f_put, f_ret, f_rsp;
assign f_exists = 32'(f_entry) < ENTRIES;
assign f_fire   = req_valid_i && req_ready_o;
assign f_asked  = req_secondary_i && req_idx_i == f_entry;
assign f_put    = f_fire && req_idx_o == f_entry;
assign f_ret    = ret_valid_i && ret_ready_o && ret_idx_i == f_entry;
assign f_rsp    = rsp_valid_o && rsp_idx_o == f_entry;
logic [SLOT_BITS-1:0] f_slot;
assign f_slot = req_slot_i;
logic [SECTORS-1:0] f_lacks, f_held, f_fetch, f_came;
assign f_lacks = req_sectors_i;
assign f_held  = req_held_i;
assign f_fetch = req_fetch_o;
assign f_came  = ret_sectors_i;
`include "common/open_requests_formal.svh"
`CHOOSE(IDX_W, f_entry, req_idx_o, !f_open && f_fire && !req_secondary_i)

// ---- indices ---------------------------------------------------------------------------------
logic [ENTRIES-1:0] f_used_q, f_given, f_freed, f_hot;  // given and not left by its last request
assign f_hot   = ENTRIES'(1) << f_entry;
assign f_given = (ENTRIES'(1) << req_idx_o) & {ENTRIES{f_fire && !req_secondary_i}};
assign f_freed = (ENTRIES'(1) << rsp_idx_o) & {ENTRIES{rsp_last_o && rsp_ready_i}};
always_ff @(posedge clk) begin
  if (!rst_n) f_used_q <= '0;
  else f_used_q <= (f_used_q & ~f_freed) | f_given;
end
logic [ENTRIES-1:0] f_freed_q;
always_ff @(posedge clk) f_freed_q <= f_freed;
`CHECK(index_is_an_entry, !req_ready_o || 32'(req_idx_o) < ENTRIES)
`CHECK(index_is_not_of_a_live_entry, (f_given & f_used_q) == '0)
`CHECK(primary_opens_the_entry, !(f_put && !req_secondary_i) || !f_open)
`CHECK(entry_is_live_while_requests_are_open, ((f_used_q & f_hot) != '0) == f_open)
`CHECK(used_is_given_and_not_freed, used_o == f_used_q)
`CHECK(freed_index_returns, !f_past || (f_freed_q & used_o) == '0)
`CHECK(merge_keeps_its_index, !(f_fire && req_secondary_i) || req_idx_o == req_idx_i)
`CHECK(draining_is_the_returned_entry, ((draining_o & f_hot) != '0) == f_drain_q)
`CHECK(one_entry_drains, (draining_o & (draining_o - ENTRIES'(1))) == '0)

// ---- answers ---------------------------------------------------------------------------------
logic f_no_merge, f_merge_full, f_entry_full;
assign f_no_merge   = f_asked && (!f_open || f_drain_q || f_returned);
assign f_merge_full = f_asked && !f_no_merge && 32'(f_open_q) == SLOTS;
assign f_entry_full = !req_secondary_i && f_used_q == '1;
`CHECK(primary_refused_exactly_when_all_are_live,
       req_secondary_i || req_ready_o == !f_entry_full)
`CHECK(merge_found_exactly_in_a_pending_entry,
       !f_asked || req_ready_o == !(f_no_merge || f_merge_full))
`CHECK(cause_follows_the_rules, !(req_valid_i && (f_asked || !req_secondary_i))
       || rf_cause_o == (f_entry_full ? 2'd1 : f_merge_full ? 2'd2 : f_no_merge ? 2'd3 : 2'd0))
`CHECK(refused_means_rf, rf_o == (req_valid_i && !req_ready_o) && (rf_o || rf_cause_o == '0))
`CHECK(index_is_zero_when_refused, req_ready_o || req_idx_o == '0)
`CHECK(nothing_is_fetched_when_refused, req_ready_o || req_fetch_o == '0)

// ---- drain: as many cycles with a taker as there are requests --------------------------------
`CHECK(drain_has_no_gap, !f_drain_q || f_rsp)
`CHECK(return_waits_only_for_a_drain,
       ret_ready_o == (draining_o == '0 || (rsp_last_o && rsp_ready_i)))

`REACH(refused_without_an_entry, rf_o && f_entry_full)
`REACH(refused_while_it_drains, f_asked && rf_o && f_drain_q)
`REACH(return_wins, f_asked && rf_o && f_returned)
`REACH(merge_into_a_free_entry, f_asked && rf_o && f_exists && !f_open)
`REACH(refused_without_a_slot, rf_o && f_merge_full)
`REACH(all_entries_live, used_o == '1)
`REACH(all_free_again, used_o == '0 && f_answered_q)
if (ENTRIES > 1) begin : gen_f_others
  `REACH(drains_back_to_back, f_returned && draining_o != '0)
  `REACH(entry_is_given_as_another_leaves, f_put && !f_open && f_freed != '0)
end
