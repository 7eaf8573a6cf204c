// SPDX-License-Identifier: Apache-2.0
// Properties of the throttling unit: a reference written from the table of README.md in 32-bit
// integers, one decision at a time, and how long a decision stands.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

localparam logic [1:0] F_NONE = 2'd0, F_HITS = 2'd1, F_LOADS = 2'd2;
logic [WARPS-1:0] f_bits_q;
logic [1:0] f_kind_q, f_kind;
integer f_hits, f_limit_q, f_limit, f_min_q, f_min, f_max_q, f_max, f_quiet_q, f_quiet, f_age_q;
integer f_loads;
logic f_any_q, f_any, f_gives_way, f_decides, f_moved;
assign f_loads = 32'(load_count_i);
always_comb begin
  f_hits = 0;
  for (int unsigned w = 0; w < WARPS; w++) if (f_bits_q[w]) f_hits = f_hits + 1;

  f_gives_way = f_kind_q == F_LOADS && f_hits != 0
                && (f_hits + 1 > WARPS ? WARPS : f_hits + 1) > f_limit_q;
  f_decides   = !fair_i && (f_gives_way || (mshr_full_i && f_age_q >= HOLD));
  f_kind = f_kind_q; f_limit = f_limit_q;
  f_min = f_min_q; f_max = f_max_q; f_any = f_any_q; f_quiet = f_quiet_q;
  f_moved = f_hits != 0 && (!f_any_q || f_hits < f_min_q || f_hits > f_max_q);
  if (f_decides && f_hits != 0) begin
    if (!f_any_q || f_hits < f_min_q) f_min = f_hits;
    if (!f_any_q || f_hits > f_max_q) f_max = f_hits;
    f_any   = 1'b1;
    f_quiet = f_moved ? 0 : (f_quiet_q < STABLE ? f_quiet_q + 1 : STABLE);
    f_kind  = F_HITS;
    f_limit = f_quiet == STABLE ? (f_min + f_max + 1) / 2 : f_hits + 1;
  end else if (f_decides && MEMORY != 0 && f_loads < DIVERGENCE) begin
    f_kind  = F_LOADS;
    f_limit = f_loads;
  end else if (f_decides) begin
    f_kind  = F_NONE;
    f_limit = 0;
  end
  if (f_kind != F_NONE && f_limit < 2) f_limit = 2;
  if (f_limit > WARPS) f_limit = WARPS;
end
always_ff @(posedge clk) begin
  if (!rst_n || clear_i) begin
    f_bits_q  <= '0;
    f_kind_q  <= F_NONE;
    f_limit_q <= 0;
    f_min_q   <= 0;
    f_max_q   <= 0;
    f_any_q   <= 1'b0;
    f_quiet_q <= 0;
    f_age_q   <= HOLD;  // cycles since the last decision, up to HOLD
  end else begin
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (end_warps_i[w]) f_bits_q[w] <= 1'b0;
      else if (access_valid_i && 32'(access_warp_i) == w) f_bits_q[w] <= access_intra_i;
    end
    f_kind_q  <= f_kind;
    f_limit_q <= f_limit;
    f_min_q   <= f_min;
    f_max_q   <= f_max;
    f_any_q   <= f_any;
    f_quiet_q <= f_quiet;
    f_age_q   <= f_decides ? 0 : (f_age_q < HOLD ? f_age_q + 1 : HOLD);
  end
end

`CHECK(hit_count_equals_reference, 32'(hit_count_o) == f_hits)
`CHECK(limited_equals_reference, limited_o == (f_kind_q != F_NONE && !fair_i))
`CHECK(limit_equals_reference, 32'(limit_o) == (limited_o ? f_limit_q : 0))
`CHECK(minimum_equals_reference, 32'(min_count_o) == f_min_q)
`CHECK(maximum_equals_reference, 32'(max_count_o) == f_max_q)
`CHECK(divergence_equals_reference, by_divergence_o == (limited_o && f_kind_q == F_LOADS))
`CHECK(limit_is_two_to_all_warps, !limited_o || (32'(limit_o) >= 2 && 32'(limit_o) <= WARPS))
`CHECK(no_limit_while_fair, !fair_i || (!limited_o && limit_o == '0))
`CHECK(minimum_up_to_maximum, 32'(min_count_o) <= 32'(max_count_o) && 32'(max_count_o) <= WARPS)

// These are the cycles for which a limit has been the same, counted from the outputs alone.
integer f_stood_q;
logic [COUNT_W:0] f_shown, f_shown_q;
logic f_shown_way_q, f_quiet_inputs_q;
assign f_shown = {limited_o, limit_o};
always_ff @(posedge clk) begin
  f_shown_q        <= f_shown;
  f_shown_way_q    <= by_divergence_o;
  f_quiet_inputs_q <= rst_n && !clear_i && !fair_i;
  // The first limit after a reset, a launch or a fair phase has no limit before it.
  if (!rst_n || clear_i || fair_i) f_stood_q <= HOLD;
  else if (f_quiet_inputs_q && f_shown != f_shown_q) f_stood_q <= 1;
  else if (f_stood_q < HOLD) f_stood_q <= f_stood_q + 1;
end
`CHECK(decision_stands_its_time,
       !(f_past && f_quiet_inputs_q && !fair_i && f_shown != f_shown_q)
       || f_stood_q >= HOLD || f_shown_way_q)

`REACH(limited_by_hits, limited_o && !by_divergence_o)
`REACH(limited_by_divergence, by_divergence_o)
`REACH(limited_by_mean, limited_o && f_quiet_q == STABLE && f_kind_q == F_HITS && f_min_q < f_max_q)
`REACH(divergence_gives_way, f_gives_way && f_decides && f_age_q < HOLD)
`REACH(no_limit_again, f_past && f_kind_q == F_NONE && f_any_q)
`REACH(limit_of_all_warps, limited_o && 32'(limit_o) == WARPS)
`REACH(fair_hides_a_limit, fair_i && f_kind_q != F_NONE)
`REACH(full_while_a_decision_stands, mshr_full_i && f_age_q < HOLD && !f_decides)
