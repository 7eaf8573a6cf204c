// SPDX-License-Identifier: Apache-2.0
// Properties of the steering, part of module htsma_steer where FORMAL is defined: Listing 5.1 of
// KI as it is printed, a branch at a time. There is no state: one cycle is all.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

logic f_last_way, f_hit_line, f_small, f_merge;  // the listing's conditions, the outer ones first
assign f_last_way = !victim_valid_i || 32'(shared_count_i) + 32'd1 == WAYS;
assign f_hit_line = victim_hit_i && !f_last_way;
assign f_small    = f_last_way || (f_hit_line && !small_full_i);
assign f_merge    = small_match_i && !small_empty_i;

`CHECK(a_match_merges, merges_o == f_merge)
`CHECK(an_empty_file_merges_nothing, !(small_empty_i && merges_o))
`CHECK(last_way_goes_to_the_small_file, !(f_last_way && !f_merge) || to_small_o)
`CHECK(last_way_never_goes_to_the_array, !(f_last_way && to_array_o))
`CHECK(hit_line_goes_to_the_small_file_while_it_has_room,
       !(f_hit_line && !small_full_i && !f_merge) || to_small_o)
`CHECK(hit_line_overflows_to_the_array,
       !(f_hit_line && small_full_i && !f_merge) || to_array_o)
`CHECK(line_without_a_hit_goes_to_the_array,
       !(!f_last_way && !victim_hit_i && !f_merge) || to_array_o)
`CHECK(compares_unless_empty_and_not_wanted,
       compares_o == (f_small || f_hit_line || !small_empty_i))
`CHECK(critical_is_array_behind_a_comparison, critical_o == (to_array_o && compares_o))
`CHECK(critical_never_beside_the_small_file, !(critical_o && (to_small_o || merges_o)))
`CHECK(branch_is_the_listings,
       steer_o == (f_last_way ? 3'd0 : f_hit_line ? (small_full_i ? 3'd2 : 3'd1)
                                                 : small_empty_i ? 3'd4 : 3'd3))

`REACH(branch_last_way, steer_o == 3'd0 && to_small_o)
`REACH(branch_compared, steer_o == 3'd3 && critical_o)
`REACH(no_victim, !victim_valid_i && to_small_o)
`REACH(merges_on_the_last_way, steer_o == 3'd0 && merges_o)
`REACH(merges_beside_a_compared_miss, steer_o == 3'd3 && merges_o)
`REACH(branch_hit_line, steer_o == 3'd1 && to_small_o)
`REACH(branch_overflow, steer_o == 3'd2 && critical_o)
`REACH(branch_array, steer_o == 3'd4 && to_array_o && !critical_o)
`REACH(merges_into_a_full_file, steer_o == 3'd2 && merges_o)
`REACH(merges_beside_a_hit_line, steer_o == 3'd1 && merges_o)
