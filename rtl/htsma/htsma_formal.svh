// SPDX-License-Identifier: Apache-2.0
// Properties of HTSMA, part of module htsma where FORMAL is defined: the rules of README.md, said
// of the ports for any one entry of either part. The block of the reference is the entry; of one in
// the s-MSHR its address is known, too.
`include "common/formal.svh"
localparam int unsigned F_MOST = SLOTS > SMALL_SLOTS ? SLOTS : SMALL_SLOTS;
localparam bit F_BESIDE = 1'b0;
localparam bit F_FORGETS = 1'b0;
`ANY_CONST(ENTRY_W, f_entry)
logic [ADDR_BITS-1:0] f_addr_q;  // block of the s-MSHR's entry
logic f_exists, f_small, f_fire, f_put, f_ret, f_rsp;
assign f_exists = 32'(f_entry) < TOTAL;
assign f_small  = 32'(f_entry) >= ENTRIES;
assign f_fire   = req_valid_i && req_ready_o;
assign f_put    = f_fire && req_entry_o == f_entry;
assign f_ret    = ret_valid_i && ret_ready_o
                  && (f_small ? 32'(ret_entry_i) >= ENTRIES && ret_addr_i == f_addr_q
                              : ret_entry_i == f_entry);
assign f_rsp    = rsp_valid_o && rsp_entry_o == f_entry;
logic [SLOT_BITS-1:0] f_slot;
assign f_slot = req_slot_i;
logic [SECTORS-1:0] f_lacks, f_held, f_fetch, f_came;
assign f_lacks = req_sectors_i;
assign f_held  = req_held_i;
assign f_fetch = req_fetch_o;
assign f_came  = ret_sectors_i;
`include "common/open_requests_formal.svh"
`CHOOSE(ENTRY_W, f_entry, req_entry_o, !f_open && f_fire && !req_secondary_o)
always_ff @(posedge clk) if (f_put && !f_open) f_addr_q <= req_addr_i;

// ---- entries ---------------------------------------------------------------------------------
logic [TOTAL-1:0] f_used_q, f_given, f_freed, f_hot;  // given and not left by its last request
assign f_hot   = TOTAL'(1) << f_entry;
assign f_given = (TOTAL'(1) << req_entry_o) & {TOTAL{f_fire && !req_secondary_o}};
assign f_freed = (TOTAL'(1) << rsp_entry_o) & {TOTAL{rsp_last_o && rsp_ready_i}};
always_ff @(posedge clk) begin
  if (!rst_n) f_used_q <= '0;
  else f_used_q <= (f_used_q & ~f_freed) | f_given;
end
`CHECK(used_is_given_and_not_freed, used_o == f_used_q)
`CHECK(entry_is_given_only_when_free, (f_given & f_used_q) == '0 && 32'(req_entry_o) < TOTAL)
`CHECK(entry_is_used_while_requests_are_open, ((f_used_q & f_hot) != '0) == f_open)
`CHECK(draining_is_the_returned_entry, ((draining_o & f_hot) != '0) == f_drain_q)
`CHECK(one_entry_drains, (draining_o & (draining_o - TOTAL'(1))) == '0)
`CHECK(answer_names_the_block_of_the_small_file,
       !f_rsp || rsp_addr_o == (f_small ? f_addr_q : '0))

// ---- secondary misses: by the line's number in the array, by the address in the s-MSHR ---------
logic f_by_line, f_by_address;
assign f_by_line    = req_secondary_i && !f_small && 32'(req_idx_i) == 32'(f_entry);
assign f_by_address = !req_secondary_i && f_small && f_open && req_addr_i == f_addr_q;
`CHECK(merge_is_of_the_entry_asked_for, !(f_put && req_secondary_o) || f_by_line || f_by_address)
`CHECK(block_of_the_small_file_is_found, !f_by_address || req_secondary_o)
`CHECK(primary_opens_the_entry, !(f_put && !req_secondary_o) || (!f_open && !req_secondary_i))
`CHECK(no_more_requests_than_the_part_has_slots,
       32'(f_open_q) <= (f_small ? SMALL_SLOTS : SLOTS))

// ---- primary misses: Listing 5.1 as it is printed ----------------------------------------------
logic f_array_full, f_small_full, f_small_empty, f_last_way, f_to_small;
assign f_array_full  = f_used_q[ENTRIES-1:0] == '1;
assign f_small_full  = f_used_q[TOTAL-1:ENTRIES] == '1;
assign f_small_empty = f_used_q[TOTAL-1:ENTRIES] == '0;
assign f_last_way    = !req_victim_valid_i || 32'(req_shared_count_i) + 32'd1 == WAYS;
assign f_to_small    = f_last_way || (req_victim_hit_i && !f_small_full);
`CHECK(primary_goes_where_the_listing_says, !(f_fire && !req_secondary_o)
       || (32'(req_entry_o) >= ENTRIES) == f_to_small)
`CHECK(last_way_is_never_shared, !(f_fire && !req_secondary_o && f_last_way)
       || 32'(req_entry_o) >= ENTRIES)
`CHECK(empty_small_file_has_no_secondary_miss, !(f_small_empty && req_secondary_o)
       || req_secondary_i)
`CHECK(branch_is_the_listings,
       req_steer_o == (f_last_way ? 3'd0 : req_victim_hit_i ? (f_small_full ? 3'd2 : 3'd1)
                                                            : f_small_empty ? 3'd4 : 3'd3))
`CHECK(critical_is_array_behind_a_comparison, req_critical_o
       == (!req_secondary_o && !f_to_small && (req_victim_hit_i || !f_small_empty)))

// ---- answers ---------------------------------------------------------------------------------
logic f_asked, f_no_merge, f_merge_full, f_entry_full;
assign f_asked      = f_by_line || f_by_address;
assign f_no_merge   = f_asked && (!f_open || f_drain_q || f_returned);
assign f_merge_full = f_asked && !f_no_merge
                      && 32'(f_open_q) == (f_small ? SMALL_SLOTS : SLOTS);
assign f_entry_full = !req_secondary_o && (f_to_small ? f_small_full : f_array_full);
`CHECK(primary_refused_exactly_when_its_part_is_full,
       req_secondary_o || req_ready_o == !f_entry_full)
`CHECK(merge_refused_exactly_by_the_rules,
       !f_asked || req_ready_o == !(f_no_merge || f_merge_full))
`CHECK(cause_follows_the_rules, !(req_valid_i && (f_asked || !req_secondary_o))
       || rf_cause_o == (f_entry_full ? 2'd1 : f_merge_full ? 2'd2 : f_no_merge ? 2'd3 : 2'd0))
`CHECK(refused_means_rf, rf_o == (req_valid_i && !req_ready_o) && (rf_o || rf_cause_o == '0))
`CHECK(entry_is_zero_when_refused, req_ready_o || req_entry_o == '0)
`CHECK(nothing_is_fetched_when_refused, req_ready_o || req_fetch_o == '0)

// ---- drain: as many cycles with a taker as there are requests --------------------------------
`CHECK(drain_has_no_gap, !f_drain_q || f_rsp)
`CHECK(return_waits_only_for_a_drain,
       ret_ready_o == (draining_o == '0 || (rsp_last_o && rsp_ready_i)))

`REACH(taken_for_the_last_way, f_put && !req_secondary_o && req_steer_o == 3'd0)
`REACH(taken_for_a_hit_line, f_put && !req_secondary_o && req_steer_o == 3'd1)
`REACH(overflow_is_taken_by_the_array, f_put && !req_secondary_o && req_steer_o == 3'd2)
`REACH(compared_and_taken_by_the_array, f_put && !req_secondary_o && req_steer_o == 3'd3)
`REACH(taken_without_a_comparison, f_put && !req_secondary_o && req_steer_o == 3'd4)
`REACH(last_way_refused_with_room_in_the_array, rf_o && f_entry_full && !f_array_full)
`REACH(array_refuses_with_room_in_the_small_file, rf_o && f_entry_full && !f_small_full)
`REACH(refused_without_a_slot, rf_o && f_merge_full)
`REACH(refused_while_it_drains, f_asked && rf_o && f_drain_q)
`REACH(return_wins, f_asked && rf_o && f_returned)
`REACH(merge_into_a_free_entry, f_by_line && rf_o && f_exists && !f_open)
`REACH(return_waits_for_the_other_part,
       ret_valid_i && !ret_ready_o && ret_small == (array_draining != '0))
`REACH(parts_drain_back_to_back, f_returned && f_small == (array_draining != '0)
       && draining_o != '0)
`REACH(all_entries_in_use, used_o == '1)
`REACH(all_free_again, used_o == '0 && f_answered_q)
if (SLOTS > 1) begin : gen_f_array_merges
  `REACH(merges_in_the_array, f_put && f_by_line)
end
if (SMALL_SLOTS > 1) begin : gen_f_small_merges
  `REACH(merges_in_the_small_file, f_put && f_by_address)
end
