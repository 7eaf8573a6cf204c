// SPDX-License-Identifier: Apache-2.0
// Index generator of TSMA (KI 5.1, Fig 5.2): a vector with a bit an entry (1 = available), a
// priority encoder, and the IDX register, which always holds the entry that the next primary miss
// gets. Two entries:
//
//   cycle        0   1   2   3   4
//   take         1   1   1            2: without effect, the generator is full
//   release                  1        of entry 1
//   idx          0   1   0   0   1
//   full         0   0   1   1   0
`default_nettype none
`include "common/check.svh"

module tsma_index_gen #(
  parameter int unsigned ENTRIES = 48,  // number of entries: 1 to 4096
  // This is derived; leave it alone.
  localparam int unsigned IDX_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input  wire logic               clk,
  input  wire logic               rst_n,

  input  wire logic               take_i,         // a primary miss takes idx_o
  input  wire logic               release_i,      // entry release_idx_i is free again
  input  wire logic [IDX_W-1:0]   release_idx_i,

  output wire logic [IDX_W-1:0]   idx_o,          // the lowest available entry; 0 while full
  output wire logic               full_o,         // none is available
  output wire logic [ENTRIES-1:0] available_o
);
  if (ENTRIES < 1 || ENTRIES > 4096) begin : gen_bad_entries
    $error("tsma_index_gen: ENTRIES must be 1 to 4096");
  end

  // Returns the lowest bit that is 1, in a depth that grows with the logarithm of ENTRIES.
  function automatic logic [ENTRIES-1:0] lowest(input logic [ENTRIES-1:0] bits);
    logic [ENTRIES-1:0] seen;
    seen = bits;
    for (int unsigned step = 1; step < ENTRIES; step = step * 2) seen = seen | (seen << step);
    lowest = bits & ~(seen << 1);
  endfunction

  // Returns the entries whose number has bit b.
  function automatic logic [ENTRIES-1:0] having_bit(input int unsigned b);
    for (int unsigned i = 0; i < ENTRIES; i++) having_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  logic [ENTRIES-1:0] available_q, available_d, next_hot;
  logic [IDX_W-1:0]   idx_q, idx_d;
  logic               full_q;

  // A number that is no entry's releases nothing.
  assign available_d = (available_q & ~((ENTRIES'(1) << idx_q) & {ENTRIES{take_i && !full_q}}))
                       | ((ENTRIES'(1) << release_idx_i) & {ENTRIES{release_i}});
  assign next_hot    = lowest(available_d);
  for (genvar b = 0; b < IDX_W; b++) begin : gen_number
    localparam logic [ENTRIES-1:0] HAVING = having_bit(b);
    assign idx_d[b] = |(next_hot & HAVING);
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      available_q <= '1;
      idx_q       <= '0;
      full_q      <= 1'b0;
    end else begin
      available_q <= available_d;
      idx_q       <= idx_d;
      full_q      <= available_d == '0;
    end
  end

  assign idx_o       = idx_q;
  assign full_o      = full_q;
  assign available_o = available_q;

  `CHECK(full_iff_none_is_available, full_q == (available_q == '0))
  `CHECK(idx_is_available, full_q || |(available_q & (ENTRIES'(1) << idx_q)))
`ifdef FORMAL
  `include "tsma_index_gen/tsma_index_gen_formal.svh"
`endif
endmodule
`default_nettype wire
