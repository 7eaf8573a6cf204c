// SPDX-License-Identifier: Apache-2.0
// The free sets of dl_mshr_pipe. The lowest free set and the lowest that can be linked stand in
// registers, so that a request finds them at once; while they wait there, the ones behind them are
// looked for.
`default_nettype none
`include "common/check.svh"

module dl_pipe_free #(
  parameter int unsigned SETS     = 128,
  parameter int unsigned RESERVED = 64,  // sets 0 .. RESERVED-1 are heads only
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input  wire logic               clk,
  input  wire logic               rst_n,
  input  wire logic               give_free_i,   // the lowest free set is taken
  input  wire logic               give_link_i,   // the lowest that can be linked is
  input  wire logic               frees_i,       // this set is to be freed, in the next cycle
  input  wire logic [SET_W-1:0]   frees_set_i,
  output wire logic               freed_o,       // one is freed
  output wire logic [SETS-1:0]    free_o,
  output wire logic [SETS-1:0]    free_hot_o,    // a bit for the set; none if there is no such set
  output wire logic [SETS-1:0]    link_hot_o,
  output wire logic [SET_W-1:0]   free_set_o,    // its number
  output wire logic [SET_W-1:0]   link_set_o,
  output wire logic [COUNT_W-1:0] n_free_o,
  output wire logic [COUNT_W-1:0] n_linkable_o
);
  localparam int unsigned     ALL      = SETS < 1 ? 1 : SETS;
  localparam logic [SETS-1:0] ORDINARY = {ALL{1'b1}} << RESERVED;
  localparam int unsigned     PART     = 8;
  localparam int unsigned     PARTS    = (ALL + PART - 1) / PART;

  // Returns the lowest bit that is 1: none below it in its part of eight, and none in the parts
  // below.
  function automatic logic [SETS-1:0] lowest(input logic [SETS-1:0] bits);
    logic [PARTS*PART-1:0] wide, below;
    logic [PARTS-1:0] any, seen;
    wide = (PARTS*PART)'(bits);
    below = '0;
    for (int unsigned p = 0; p < PARTS; p++) begin
      any[p] = |wide[p*PART +: PART];
      for (int unsigned i = 1; i < PART; i++)
        for (int unsigned j = 0; j < i; j++)
          below[p*PART + i] = below[p*PART + i] | wide[p*PART + j];
    end
    seen = any;
    for (int unsigned step = 1; step < PARTS; step = step * 2) seen = seen | (seen << step);
    seen = seen << 1;
    for (int unsigned i = 0; i < SETS; i++) lowest[i] = bits[i] && !below[i] && !seen[i / PART];
  endfunction

  // Returns the sets whose number has bit b.
  function automatic logic [SETS-1:0] having_bit(input int unsigned b);
    for (int unsigned i = 0; i < SETS; i++) having_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  logic [SETS-1:0]    free_q, free_hot_q, link_hot_q, freed_hot_q;
  logic [SETS-1:0]    under_q;                   // the sets below the one that is freed
  logic [SETS-1:0]    free_behind, link_behind;  // the candidates when those in the registers go
  logic [SETS-1:0]    free_kept, link_kept;      // when they stay
  logic [COUNT_W-1:0] n_free_q, n_linkable_q;
  logic free_goes, link_goes, same, freed_q, freed_ordinary_q;

  // The set's number is decoded in a cycle of its own.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      freed_q          <= 1'b0;
      freed_ordinary_q <= 1'b0;
      freed_hot_q      <= '0;
      under_q          <= '0;
    end else begin
      freed_q          <= frees_i;
      freed_ordinary_q <= frees_i && 32'(frees_set_i) + 32'd1 > RESERVED;
      freed_hot_q      <= (SETS'(1) << frees_set_i) & {SETS{frees_i}};
      under_q          <= ~({ALL{1'b1}} << frees_set_i);
    end
  end
  assign freed_o = freed_q;
  for (genvar b = 0; b < SET_W; b++) begin : gen_number
    localparam logic [SETS-1:0] HAVING = having_bit(b);
    assign free_set_o[b] = |(free_hot_q & HAVING);
    assign link_set_o[b] = |(link_hot_q & HAVING);
  end

  assign same        = n_free_q == n_linkable_q;  // the lowest free set is an ordinary one
  assign free_goes   = give_free_i || (give_link_i && same);
  assign link_goes   = give_link_i || (give_free_i && same);
  assign free_behind = lowest((free_q & ~free_hot_q) | freed_hot_q);
  assign link_behind = lowest(((free_q & ~link_hot_q) | freed_hot_q) & ORDINARY);
  assign free_kept   = freed_q && (free_hot_q & under_q) == '0 ? freed_hot_q : free_hot_q;
  assign link_kept   = freed_ordinary_q && (link_hot_q & under_q) == '0 ? freed_hot_q : link_hot_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      free_q     <= '1;
      free_hot_q <= SETS'(1);
      link_hot_q <= ORDINARY & ~(ORDINARY << 1);
    end else begin
      free_q <= (free_q & ~(free_hot_q & {SETS{give_free_i}}) & ~(link_hot_q & {SETS{give_link_i}}))
                | freed_hot_q;
      free_hot_q <= free_goes ? free_behind : free_kept;
      link_hot_q <= link_goes ? link_behind : link_kept;
    end
  end

  // What is given is known late, so both sums are made before.
  logic [COUNT_W-1:0] n_free_kept, n_free_given, n_linkable_kept, n_linkable_given;
  assign n_free_kept      = n_free_q + COUNT_W'(freed_q);
  assign n_free_given     = freed_q ? n_free_q : n_free_q - COUNT_W'(1);
  assign n_linkable_kept  = n_linkable_q + COUNT_W'(freed_ordinary_q);
  assign n_linkable_given = freed_ordinary_q ? n_linkable_q : n_linkable_q - COUNT_W'(1);
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      n_free_q     <= COUNT_W'(SETS);
      n_linkable_q <= COUNT_W'(SETS - RESERVED);
    end else begin
      n_free_q     <= give_free_i || give_link_i ? n_free_given : n_free_kept;
      n_linkable_q <= link_goes ? n_linkable_given : n_linkable_kept;
    end
  end
  assign free_o       = free_q;
  assign free_hot_o   = free_hot_q;
  assign link_hot_o   = link_hot_q;
  assign n_free_o     = n_free_q;
  assign n_linkable_o = n_linkable_q;

  `CHECK(n_free_counts_free_sets, 32'(n_free_q) == 32'($countones(free_q)))
  `CHECK(n_linkable_counts_ordinary_ones, 32'(n_linkable_q) == 32'($countones(free_q & ORDINARY)))
  `CHECK(the_lowest_free_set_waits, free_hot_q == (free_q & (~free_q + SETS'(1))))
  `CHECK(the_lowest_ordinary_set_waits,
         link_hot_q == (free_q & ORDINARY & (~(free_q & ORDINARY) + SETS'(1))))
  `CHECK(a_free_set_is_not_freed, (free_q & freed_hot_q) == '0)
  `CHECK(one_set_is_given, !(give_free_i && give_link_i))
endmodule
`default_nettype wire
