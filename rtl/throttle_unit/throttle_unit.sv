// SPDX-License-Identifier: Apache-2.0
// Throttling unit of LAWS-TH (KI 3.3): how many warps of the SM may issue, decided when the MSHRs
// have become full. The rules are in README.md. A decision and what follows, HOLD = 3:
//
//   cycle       0    1    2    3    4    5
//   mshr_full   1    1              1          1, 2: the decision of cycle 0 stands
//   limit_o     -    L    L    L    L    M
//   hold_q      0    3    2    1    0    3
`default_nettype none
`include "common/check.svh"

module throttle_unit #(
  parameter int unsigned WARPS      = 32,    // warps of the SM: 2 to 64
  parameter int unsigned DIVERGENCE = 8,     // memory divergence factor: 1 to WARPS
  parameter int unsigned STABLE     = 8,     // decisions: 1 to 255
  parameter int unsigned HOLD       = 1000,  // cycles that a decision stands: 1 to 65535
  parameter int unsigned MEMORY     = 1,     // 0: memory divergence does not throttle (LAWS-NMD)
  // These are derived; leave them alone.
  localparam int unsigned WARP_W  = $clog2(WARPS),
  localparam int unsigned COUNT_W = $clog2(WARPS + 1)
) (
  input  wire logic               clk,
  input  wire logic               rst_n,

  input  wire logic               clear_i,         // a kernel is launched
  input  wire logic               fair_i,          // fair scheduling policy: no throttling
  input  wire logic               access_valid_i,  // an L1D access that sets or clears a warp's bit
  input  wire logic               access_intra_i,  // a hit within the warp; else a miss
  input  wire logic [WARP_W-1:0]  access_warp_i,
  input  wire logic [WARPS-1:0]   end_warps_i,     // warps that have ended
  input  wire logic               mshr_full_i,     // a primary miss took the last MSHR entry
  input  wire logic [COUNT_W-1:0] load_count_i,    // warps that hold MSHR entries

  output wire logic               limited_o,
  output wire logic [COUNT_W-1:0] limit_o,         // warps that may issue; 0 unless limited
  output wire logic [COUNT_W-1:0] hit_count_o,
  output wire logic [COUNT_W-1:0] min_count_o,
  output wire logic [COUNT_W-1:0] max_count_o,
  output wire logic               by_divergence_o
);
  if (WARPS < 2 || WARPS > 64) begin : gen_bad_warps
    $error("throttle_unit: WARPS must be 2 to 64");
  end
  if (DIVERGENCE < 1 || DIVERGENCE > WARPS) begin : gen_bad_divergence
    $error("throttle_unit: DIVERGENCE must be 1 to WARPS");
  end
  if (MEMORY > 1) begin : gen_bad_memory
    $error("throttle_unit: MEMORY must be 0 or 1");
  end
  if (STABLE < 1 || STABLE > 255) begin : gen_bad_stable
    $error("throttle_unit: STABLE must be 1 to 255");
  end
  if (HOLD < 1 || HOLD > 65535) begin : gen_bad_hold
    $error("throttle_unit: HOLD must be 1 to 65535");
  end

  localparam int unsigned STABLE_W = $clog2(STABLE + 1);
  localparam int unsigned HOLD_W   = $clog2(HOLD + 1);
  localparam logic [1:0] OFF = 2'd0, LOCALITY = 2'd1, DIVERGENT = 2'd2;

  // Returns at least two warps, at most all.
  function automatic logic [COUNT_W-1:0] warps_for(input logic [COUNT_W:0] count);
    warps_for = count[COUNT_W-1:0];
    if (count < (COUNT_W+1)'(2)) warps_for = COUNT_W'(2);
    if (count > (COUNT_W+1)'(WARPS)) warps_for = COUNT_W'(WARPS);
  endfunction

  logic [WARPS-1:0]    intra_q, access_hot;
  logic [1:0]          mode_q, mode_d;
  logic [COUNT_W-1:0]  limit_q, limit_d, min_q, min_d, max_q, max_d, hits, next_hits;
  logic                seen_q, seen_d;  // min_q and max_q hold something
  logic [STABLE_W-1:0] stable_q, stable_d;
  logic [HOLD_W-1:0]   hold_q, hold_d;
  logic                some_hits, exceeds, decides, below, above;
  logic [COUNT_W:0]    mean;

  always_comb begin
    hits = '0;
    for (int unsigned w = 0; w < WARPS; w++) hits = hits + COUNT_W'(intra_q[w]);
  end

  assign some_hits  = hits != '0;
  assign next_hits  = warps_for({1'b0, hits} + (COUNT_W+1)'(1));
  assign exceeds    = mode_q == DIVERGENT && some_hits && next_hits > limit_q;
  assign decides    = !fair_i && ((mshr_full_i && hold_q == '0) || exceeds);
  assign below      = !seen_q || hits < min_q;
  assign above      = !seen_q || hits > max_q;
  assign mean       = ({1'b0, min_d} + {1'b0, max_d} + (COUNT_W+1)'(1)) >> 1;
  assign access_hot = WARPS'(1) << access_warp_i;

  always_comb begin
    mode_d   = mode_q;
    min_d    = min_q;
    max_d    = max_q;
    seen_d   = seen_q;
    stable_d = stable_q;
    hold_d   = hold_q == '0 ? '0 : hold_q - HOLD_W'(1);
    if (decides) begin
      hold_d = HOLD_W'(HOLD);
      if (some_hits) begin
        if (below) min_d = hits;
        if (above) max_d = hits;
        seen_d = 1'b1;
        if (below || above) stable_d = '0;
        else if (stable_q != STABLE_W'(STABLE)) stable_d = stable_q + STABLE_W'(1);
        mode_d = LOCALITY;
      end else begin
        mode_d = MEMORY != 0 && load_count_i < COUNT_W'(DIVERGENCE) ? DIVERGENT : OFF;
      end
    end
  end

  always_comb begin
    limit_d = limit_q;
    if (decides) begin
      limit_d = '0;
      if (mode_d == LOCALITY)
        limit_d = stable_d == STABLE_W'(STABLE) ? warps_for(mean) : next_hits;
      if (mode_d == DIVERGENT) limit_d = warps_for({1'b0, load_count_i});
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n || clear_i) begin
      intra_q  <= '0;
      mode_q   <= OFF;
      limit_q  <= '0;
      min_q    <= '0;
      max_q    <= '0;
      seen_q   <= 1'b0;
      stable_q <= '0;
      hold_q   <= '0;
    end else begin
      intra_q  <= ((intra_q & ~({WARPS{access_valid_i}} & access_hot))
                   | ({WARPS{access_valid_i && access_intra_i}} & access_hot)) & ~end_warps_i;
      mode_q   <= mode_d;
      limit_q  <= limit_d;
      min_q    <= min_d;
      max_q    <= max_d;
      seen_q   <= seen_d;
      stable_q <= stable_d;
      hold_q   <= hold_d;
    end
  end

  assign limited_o       = mode_q != OFF && !fair_i;
  assign limit_o         = limited_o ? limit_q : '0;
  assign by_divergence_o = limited_o && mode_q == DIVERGENT;
  assign hit_count_o     = hits;
  assign min_count_o     = min_q;
  assign max_count_o     = max_q;

  `CHECK(no_such_mode, mode_q != 2'd3)
  logic limit_in_range;
  if (WARPS + 1 == 2 ** COUNT_W) begin : gen_any_count
    assign limit_in_range = limit_q >= COUNT_W'(2);
  end else begin : gen_up_to_warps
    assign limit_in_range = limit_q >= COUNT_W'(2) && limit_q <= COUNT_W'(WARPS);
  end
  `CHECK(at_least_two_warps, mode_q == OFF || limit_in_range)
  `CHECK(min_up_to_max, !seen_q || (min_q != '0 && min_q <= max_q))
`ifdef FORMAL
  `include "throttle_unit/throttle_unit_formal.svh"
`endif
endmodule
`default_nettype wire
