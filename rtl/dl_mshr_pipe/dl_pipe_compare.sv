// SPDX-License-Identifier: Apache-2.0
// Comparator of a slot set of dl_mshr_pipe. In front of its XORs are gates that pass an address to
// the head of a chain that waits alone (DL 4.6, optimisation 2); without GATING it sees every one.
// Its toggles are what the gates save (docs/synthesis.md).
`default_nettype none

module dl_pipe_compare #(
  parameter int unsigned ADDR_BITS = 25,
  parameter bit          GATING    = 1'b1
) (
  input  wire logic                 live_i,
  input  wire logic [ADDR_BITS-1:0] own_i,   // the address of the set
  input  wire logic [ADDR_BITS-1:0] addr_i,
  output wire logic                 match_o
);
  logic [ADDR_BITS-1:0] seen;
  assign seen    = addr_i & {ADDR_BITS{live_i || !GATING}};
  assign match_o = live_i && (seen ^ own_i) == '0;
endmodule
`default_nettype wire
