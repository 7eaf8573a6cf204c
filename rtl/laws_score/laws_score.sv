// SPDX-License-Identifier: Apache-2.0
// Locality score of LAWS (KI 2.5.1): a signed saturating score whose sign chooses the scheduling
// policy, and a saturating count of the primary misses since the last hit between warps.
//
//   primary miss          score + 1               miss_count + 1
//   hit within the warp   score + 1
//   hit between warps     score - miss_count - 1  miss_count := 0
//
// L1D and MSHR may report in one cycle; L1D's event applies first.
`default_nettype none
`include "common/check.svh"

module laws_score #(
  parameter int unsigned SCORE_BITS = 16,  // bits of the score: 2 to 31
  parameter int unsigned MISS_BITS  = 5,   // bits of miss_count: 1 to 16
  parameter int unsigned MISS_LIMIT = 31   // where miss_count stops: 1 to 2^MISS_BITS - 1
) (
  input  wire logic                  clk,
  input  wire logic                  rst_n,

  input  wire logic                  clear_i,       // a kernel is launched
  input  wire logic                  l1d_hit_i,     // L1D reports a hit
  input  wire logic                  l1d_intra_i,   // on a line that the same warp brought
  input  wire logic                  mshr_valid_i,  // the MSHRs report a miss
  input  wire logic                  mshr_hit_i,    // a secondary one
  input  wire logic                  mshr_intra_i,  // behind a primary miss of the same warp

  output wire logic                  fair_o,        // the score is negative
  output wire logic [SCORE_BITS-1:0] score_o,       // signed
  output wire logic [MISS_BITS-1:0]  miss_count_o
);
  if (SCORE_BITS < 2 || SCORE_BITS > 31) begin : gen_bad_score_bits
    $error("laws_score: SCORE_BITS must be 2 to 31");
  end
  if (MISS_BITS < 1 || MISS_BITS > 16) begin : gen_bad_miss_bits
    $error("laws_score: MISS_BITS must be 1 to 16");
  end
  if (MISS_LIMIT < 1 || MISS_LIMIT >= (1 << MISS_BITS)) begin : gen_bad_miss_limit
    $error("laws_score: MISS_LIMIT must be 1 to 2^MISS_BITS - 1");
  end

  // A sum of a score and a weight fits here without overflow.
  localparam int unsigned SUM_BITS = (SCORE_BITS > MISS_BITS + 1 ? SCORE_BITS : MISS_BITS + 1) + 2;
  localparam logic [SUM_BITS-1:0] MOST = SUM_BITS'((64'd1 << (SCORE_BITS - 1)) - 64'd1);
  localparam logic [SUM_BITS-1:0] LEAST = ~MOST;

  // Returns the score after a hit or a primary miss that adds `up` or takes away `down`.
  function automatic logic [SCORE_BITS-1:0] saturated(input logic [SCORE_BITS-1:0] score,
                                                      input logic up,
                                                      input logic [MISS_BITS:0] down);
    logic [SUM_BITS-1:0] sum;
    sum = {{(SUM_BITS-SCORE_BITS){score[SCORE_BITS-1]}}, score} + SUM_BITS'(up) - SUM_BITS'(down);
    if ($signed(sum) > $signed(MOST)) sum = MOST;
    if ($signed(sum) < $signed(LEAST)) sum = LEAST;
    saturated = sum[SCORE_BITS-1:0];
  endfunction

  logic [SCORE_BITS-1:0] score_q, score_l1d, score_d;
  logic [MISS_BITS-1:0]  miss_count_q, miss_count_l1d, miss_count_d;
  logic l1d_inter, mshr_primary, mshr_inter;

  assign l1d_inter    = l1d_hit_i && !l1d_intra_i;
  assign mshr_primary = mshr_valid_i && !mshr_hit_i;
  assign mshr_inter   = mshr_valid_i && mshr_hit_i && !mshr_intra_i;

  always_comb begin
    score_l1d      = score_q;
    miss_count_l1d = miss_count_q;
    if (l1d_hit_i) begin
      score_l1d = saturated(score_q, l1d_intra_i,
                            l1d_inter ? {1'b0, miss_count_q} + (MISS_BITS+1)'(1) : '0);
      if (l1d_inter) miss_count_l1d = '0;
    end

    score_d      = score_l1d;
    miss_count_d = miss_count_l1d;
    if (mshr_valid_i) begin
      score_d = saturated(score_l1d, !mshr_inter,
                          mshr_inter ? {1'b0, miss_count_l1d} + (MISS_BITS+1)'(1) : '0);
      if (mshr_inter) miss_count_d = '0;
      if (mshr_primary && miss_count_l1d != MISS_BITS'(MISS_LIMIT))
        miss_count_d = miss_count_l1d + MISS_BITS'(1);
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n || clear_i) begin
      score_q      <= '0;
      miss_count_q <= '0;
    end else begin
      score_q      <= score_d;
      miss_count_q <= miss_count_d;
    end
  end

  assign fair_o       = score_q[SCORE_BITS-1];
  assign score_o      = score_q;
  assign miss_count_o = miss_count_q;

  `CHECK(miss_count_stays_within_its_limit, {1'b0, miss_count_q} < (MISS_BITS+1)'(MISS_LIMIT + 1))
`ifdef FORMAL
  `include "laws_score/laws_score_formal.svh"
`endif
endmodule
`default_nettype wire
