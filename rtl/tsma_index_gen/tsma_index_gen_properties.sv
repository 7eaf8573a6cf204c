// SPDX-License-Identifier: Apache-2.0
// Binds the properties of the index generator to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at ENTRIES=6
// Tested by the mistake full_one_entry_early
`default_nettype none
`include "common/check.svh"

module tsma_index_gen_properties #(
  parameter int unsigned ENTRIES = 48,
  localparam int unsigned IDX_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input wire logic               clk,
  input wire logic               rst_n,
  input wire logic               take_i,
  input wire logic               release_i,
  input wire logic [IDX_W-1:0]   release_idx_i,
  input wire logic [IDX_W-1:0]   idx_o,
  input wire logic               full_o,
  input wire logic [ENTRIES-1:0] available_o
);
  `include "tsma_index_gen/tsma_index_gen_formal.svh"
endmodule

bind tsma_index_gen tsma_index_gen_properties #(
  .ENTRIES(ENTRIES)
) u_properties (.*);
`default_nettype wire
