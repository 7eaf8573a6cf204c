// SPDX-License-Identifier: Apache-2.0
// Properties of BUCL's control: a reference that counts hits and accesses and multiplies.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

localparam int unsigned F_W = $clog2(PERIOD + 1);
logic [F_W-1:0] f_hits_q, f_accesses_q, f_hits, f_accesses, f_cycle_q;
logic           f_low_q, f_above, f_below;
logic [5:0]     f_tucd_q, f_tucd_of_row;
// With PROFILE: the row that was chosen last, if one was. BU Table II has 2, 3 .. 8, 10, 12 .. 22
// and 25.
logic           f_chosen_q;
logic [3:0]     f_chosen_row_q, f_row;
assign f_row         = f_chosen_q ? f_chosen_row_q : load_row_i;
assign f_tucd_of_row = f_row > 4'd13  ? 6'd25
                       : f_row > 4'd6 ? 6'(f_row) + 6'(f_row) - 6'd4 : 6'(f_row) + 6'd2;
assign f_accesses = f_accesses_q + F_W'(access_valid_i);
assign f_hits     = f_hits_q + F_W'(access_valid_i && access_hit_i);
assign f_above    = 32'(f_hits) * 1000 > 32'(f_accesses) * HIT_LIMIT;
assign f_below    = 32'(f_hits) * 1000 < 32'(f_accesses) * HIT_LIMIT;
always_ff @(posedge clk) begin
  f_cycle_q    <= f_cycle_q + F_W'(1);
  f_hits_q     <= f_hits;
  f_accesses_q <= f_accesses;
  if (period_end_o) begin
    f_cycle_q    <= '0;
    f_hits_q     <= '0;
    f_accesses_q <= '0;
    if (f_accesses != '0) begin
      f_low_q <= f_below;
      if (PROFILE == 0 && f_above && 32'(f_tucd_q) < MOST) f_tucd_q <= f_tucd_q + 6'd1;
      if (PROFILE == 0 && !f_above && 32'(f_tucd_q) > LEAST) f_tucd_q <= f_tucd_q - 6'd1;
    end
  end
  if (PROFILE != 0 && choose_valid_i) begin
    f_chosen_q     <= 1'b1;
    f_chosen_row_q <= choose_row_i;
  end
  if (!rst_n || clear_i) begin
    f_chosen_q   <= 1'b0;
    f_cycle_q    <= '0;
    f_hits_q     <= '0;
    f_accesses_q <= '0;
    f_low_q      <= HIT_LIMIT != 0;
    f_tucd_q     <= 6'(TUCD);
  end
end
`CHECK(balance_is_that_of_the_counts,
       balance_q == BALANCE_W'(32'(f_hits_q) * 1000 - 32'(f_accesses_q) * HIT_LIMIT)
       && accessed_q == (f_accesses_q != '0))
`CHECK(counts_keep_within_the_period, f_hits_q <= f_accesses_q && f_accesses_q <= f_cycle_q)
`CHECK(period_ends_after_its_cycles, period_end_o == (32'(f_cycle_q) == PERIOD - 1))
`CHECK(low_equals_reference, low_o == f_low_q)
`CHECK(threshold_equals_reference, PROFILE != 0 || tucd_o == f_tucd_q)
`CHECK(threshold_is_that_of_its_row, PROFILE == 0 || tucd_o == f_tucd_of_row)
`CHECK(bounds_hold, PROFILE != 0 || (32'(tucd_o) >= LEAST && 32'(tucd_o) <= MOST))
`CHECK(load_bypasses_above_the_threshold, load_bypass_o == (load_degree_i > tucd_o))
`CHECK(refused_bypasses_with_low_rate_and_room, refused_bypass_o == (f_low_q
       && 32'(uib_i) < UIB_LIMIT))

`REACH(rate_at_the_limit, period_end_o && f_accesses != '0 && !f_above && !f_below)
`REACH(threshold_at_its_top, PROFILE != 0 || 32'(tucd_o) == MOST)
`REACH(threshold_at_its_bottom, PROFILE != 0 || 32'(tucd_o) == LEAST)
`REACH(locality_is_known, !low_o)
