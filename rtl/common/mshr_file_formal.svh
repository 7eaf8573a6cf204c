// SPDX-License-Identifier: Apache-2.0
// Properties of mshr_conventional and mshr_set_assoc, part of both where FORMAL is defined: the
// rules of their READMEs, said of the ports for any one block. F_WAYS is declared before: entries
// of a set.
`include "common/formal.svh"
localparam int unsigned F_MOST = SLOTS;
localparam bit F_BESIDE = 1'b0;
localparam bit F_FORGETS = 1'b0;
localparam int unsigned F_SETS = ENTRIES / F_WAYS;
`include "common/block_requests_formal.svh"

// ---- entries ---------------------------------------------------------------------------------
logic [ENTRIES-1:0] f_used_q;   // given and not left by their last request
logic [ENTRIES-1:0] f_of_set;   // entries of the block's set
logic [ENTRIES-1:0] f_given, f_freed, f_entry_q;  // bit of the entry; f_entry_q: that of the block
assign f_of_set = ENTRIES'({F_WAYS{1'b1}}) << ((32'(f_block) & (F_SETS - 1)) * F_WAYS);
assign f_given  = (ENTRIES'(1) << req_entry_o) & {ENTRIES{f_fire && !req_secondary_o}};
assign f_freed  = (ENTRIES'(1) << rsp_entry_o) & {ENTRIES{rsp_last_o && rsp_ready_i}};
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_used_q  <= '0;
    f_entry_q <= '0;
  end else begin
    f_used_q <= (f_used_q & ~f_freed) | f_given;
    if (f_put && !req_secondary_o) f_entry_q <= f_given;
  end
end
logic f_full;
logic [ENTRIES-1:0] f_free;  // the free entries of the block's set
assign f_free = f_of_set & ~f_used_q;
assign f_full = f_free == '0;
`CHECK(used_is_given_and_not_freed, used_o == f_used_q)
`CHECK(entry_is_given_only_when_free, (f_given & f_used_q) == '0 && 32'(req_entry_o) < ENTRIES)
`CHECK(entry_is_of_the_blocks_set, !f_open || (f_entry_q & f_of_set) != '0)
`CHECK(entry_stays_until_the_last_answer, !f_open || (f_entry_q & used_o) != '0)
`CHECK(entry_is_the_blocks_alone, !(f_fire && !f_asked && f_open)
       || (ENTRIES'(1) << req_entry_o) != f_entry_q)
`CHECK(primary_gets_the_lowest_free_entry, !(f_put && !f_open)
       || (f_given == (f_free & -f_free) && f_given != '0))
`CHECK(merge_goes_to_the_blocks_entry, !(f_put && f_open)
       || (ENTRIES'(1) << req_entry_o) == f_entry_q)
`CHECK(answer_comes_from_the_blocks_entry, !f_rsp || (ENTRIES'(1) << rsp_entry_o) == f_entry_q)
`CHECK(draining_is_the_returned_entry, !f_open || ((draining_o & f_entry_q) != '0) == f_drain_q)
`CHECK(one_entry_drains, (draining_o & (draining_o - ENTRIES'(1))) == '0)

// ---- answers ---------------------------------------------------------------------------------
logic f_drains, f_merge_full, f_entry_full;
assign f_drains     = f_open && (f_drain_q || f_returned);
assign f_merge_full = f_open && !f_drains && f_open_q == F_OPEN_W'(SLOTS);
assign f_entry_full = !f_open && f_full;
`CHECK(secondary_iff_the_block_is_open, !f_asked || req_secondary_o == f_open)
`CHECK(refused_exactly_by_the_rules,
       !f_asked || req_ready_o == !(f_drains || f_merge_full || f_entry_full))
`CHECK(cause_follows_the_rules, !(f_asked && req_valid_i)
       || rf_cause_o == (f_entry_full ? 2'd1 : f_merge_full ? 2'd2 : f_drains ? 2'd3 : 2'd0))
`CHECK(refused_means_rf, rf_o == (req_valid_i && !req_ready_o) && (rf_o || rf_cause_o == '0))
`CHECK(entry_is_zero_when_refused, req_ready_o || req_entry_o == '0)
`CHECK(nothing_is_fetched_when_refused, req_ready_o || req_fetch_o == '0)

// ---- drain: as many cycles with a taker as there are requests --------------------------------
`CHECK(drain_has_no_gap, !f_drain_q || f_rsp)
`CHECK(return_waits_only_for_a_drain,
       ret_ready_o == (draining_o == '0 || (rsp_last_o && rsp_ready_i)))

`REACH(refused_without_an_entry, f_asked && rf_o && f_entry_full)
`REACH(refused_without_a_slot, f_asked && rf_o && f_merge_full)
`REACH(refused_while_it_drains, f_asked && rf_o && f_drain_q)
`REACH(return_wins, f_asked && rf_o && f_returned)
`REACH(all_entries_in_use, used_o == '1)
if (ENTRIES > 1) begin : gen_f_others
  `REACH(drains_back_to_back, f_returned && draining_o != '0)
  `REACH(entry_is_given_as_another_leaves, f_put && !f_open && rsp_last_o && rsp_ready_i)
end
if (F_SETS > 1) begin : gen_f_sets
  `REACH(full_set_refuses_with_room_elsewhere, f_asked && rf_o && f_entry_full && used_o != '1)
end
