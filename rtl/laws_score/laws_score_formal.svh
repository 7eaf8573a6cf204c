// SPDX-License-Identifier: Apache-2.0
// Properties of the locality score: a reference that counts in 32-bit signed integers, event after
// event as KI 2.5.1 words them, and clamps at the end of each.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

localparam integer F_MOST = (1 << (SCORE_BITS - 1)) - 1;
integer f_score_q, f_misses_q, f_score, f_misses;
logic signed [SCORE_BITS-1:0] f_shown;
assign f_shown = score_o;
always_comb begin
  f_score  = f_score_q;
  f_misses = f_misses_q;
  // This is L1D's event.
  if (l1d_hit_i && l1d_intra_i) begin
    f_score = f_score + 1;
  end else if (l1d_hit_i) begin
    f_score  = f_score - (f_misses + 1);
    f_misses = 0;
  end
  if (f_score > F_MOST) f_score = F_MOST;
  if (f_score < -F_MOST - 1) f_score = -F_MOST - 1;
  // This is the MSHRs' event.
  if (mshr_valid_i && !mshr_hit_i) begin
    f_score  = f_score + 1;
    f_misses = f_misses + 1;
  end else if (mshr_valid_i && mshr_intra_i) begin
    f_score = f_score + 1;
  end else if (mshr_valid_i) begin
    f_score  = f_score - (f_misses + 1);
    f_misses = 0;
  end
  if (f_score > F_MOST) f_score = F_MOST;
  if (f_score < -F_MOST - 1) f_score = -F_MOST - 1;
  if (f_misses > MISS_LIMIT) f_misses = MISS_LIMIT;
  if (clear_i) begin
    f_score  = 0;
    f_misses = 0;
  end
end
always_ff @(posedge clk) begin
  f_score_q  <= rst_n ? f_score : 0;
  f_misses_q <= rst_n ? f_misses : 0;
end

`CHECK(score_equals_reference, 32'(f_shown) == f_score_q)
`CHECK(miss_count_equals_reference, 32'(miss_count_o) == f_misses_q)
`CHECK(fair_means_a_negative_score, fair_o == (f_score_q < 0))

logic signed [SCORE_BITS-1:0] f_before;
logic f_rises, f_falls;
always_ff @(posedge clk) begin
  f_before <= score_o;
  f_rises  <= rst_n && !clear_i && l1d_hit_i && l1d_intra_i && mshr_valid_i && !mshr_hit_i;
  f_falls  <= rst_n && !clear_i && l1d_hit_i && !l1d_intra_i && !mshr_valid_i;
end
`CHECK(score_never_wraps_upward, !f_rises || f_shown >= f_before)
`CHECK(score_never_wraps_downward, !f_falls || f_shown <= f_before)

`REACH(score_at_its_top, f_score_q == F_MOST)
`REACH(score_at_its_bottom, f_score_q == -F_MOST - 1)
`REACH(top_is_kept, f_rises && f_before == f_shown)
`REACH(bottom_is_kept, f_falls && f_before == f_shown)
`REACH(miss_count_at_its_limit, f_misses_q == MISS_LIMIT)
`REACH(both_events, l1d_hit_i && !l1d_intra_i && mshr_valid_i && mshr_hit_i && !mshr_intra_i)
`REACH(becomes_fair, fair_o && f_before >= 0)
`REACH(becomes_greedy, !fair_o && f_before < 0)
