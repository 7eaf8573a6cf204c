// SPDX-License-Identifier: Apache-2.0
// Steering of the hybrid TSMA (KI 5.2, Listing 5.1): which of s-MSHR and TSMA a miss goes to, from
// the share counter of its set, the hit bit of the line to be replaced, and the flags of the
// s-MSHR. Combinational; `clk` and `rst_n` are for the checks alone.
`default_nettype none
`include "common/check.svh"

module htsma_steer #(
  parameter int unsigned WAYS     = 8,  // lines of a cache set: 1 to 4096
  // This is derived; leave it alone.
  localparam int unsigned COUNT_W = $clog2(WAYS + 1)
) (
  input  wire logic               clk,
  input  wire logic               rst_n,

  input  wire logic [COUNT_W-1:0] shared_count_i,  // lines of the set whose tags are shared
  input  wire logic               victim_valid_i,  // there is a line to be replaced
  input  wire logic               victim_hit_i,    // it was hit since it came
  input  wire logic               small_empty_i,   // no entry of the s-MSHR is in use
  input  wire logic               small_full_i,    // all its entries are in use
  input  wire logic               small_match_i,   // one has the address: a secondary miss

  output wire logic               to_small_o,      // a primary miss goes to the s-MSHR ...
  output wire logic               to_array_o,      // ... or to TSMA; neither: a secondary miss
  output wire logic               merges_o,        // a secondary miss in the s-MSHR
  output wire logic               compares_o,      // the comparators of the s-MSHR are needed
  output wire logic               critical_o,      // first the s-MSHR, then TSMA
  output wire logic [2:0]         steer_o          // branch of the listing, as in README.md
);
  if (WAYS < 1 || WAYS > 4096) begin : gen_bad_ways
    $error("htsma_steer: WAYS must be 1 to 4096");
  end

  localparam logic [2:0] SMALL_LAST_WAY = 3'd0;
  localparam logic [2:0] SMALL_HIT_LINE = 3'd1;
  localparam logic [2:0] ARRAY_OVERFLOW = 3'd2;
  localparam logic [2:0] ARRAY_COMPARED = 3'd3;
  localparam logic [2:0] ARRAY          = 3'd4;

  logic [2:0] steer;
  always_comb begin
    steer = ARRAY;
    if (shared_count_i == COUNT_W'(WAYS - 1) || !victim_valid_i) begin
      steer = SMALL_LAST_WAY;
    end else if (victim_hit_i) begin
      steer = small_full_i ? ARRAY_OVERFLOW : SMALL_HIT_LINE;
    end else if (!small_empty_i) begin
      steer = ARRAY_COMPARED;
    end
  end

  logic by_small;
  assign by_small   = steer == SMALL_LAST_WAY || steer == SMALL_HIT_LINE;
  assign merges_o   = small_match_i && !small_empty_i;
  assign to_small_o = by_small && !merges_o;
  assign to_array_o = !by_small && !merges_o;
  assign compares_o = steer != ARRAY;
  assign critical_o = to_array_o && compares_o;
  assign steer_o    = steer;

  `CHECK(a_miss_goes_one_way, $onehot({to_small_o, to_array_o, merges_o}))
  `CHECK(a_merge_has_compared, !merges_o || compares_o)
`ifdef FORMAL
  `include "htsma_steer/htsma_steer_formal.svh"
`endif
endmodule
`default_nettype wire
