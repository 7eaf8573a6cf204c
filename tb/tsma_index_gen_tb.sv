// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the index generator of the Tag Shared MSHR Array (README.md).
// Tested with: --entries 12; as a netlist, too
module tsma_index_gen_tb;
  parameter ENTRIES = 48;
  localparam IDX_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
  localparam INPUTS  = 2 + IDX_W;
  localparam OUTPUTS = 1 + IDX_W;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire take_i, release_i, full_o;
  wire [IDX_W-1:0] release_idx_i, idx_o;

  assign {take_i, release_i, release_idx_i} = in;
  assign out = {idx_o, full_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  tsma_index_gen dut (
`else
  tsma_index_gen #(.ENTRIES(ENTRIES)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .take_i(take_i),
    .release_i(release_i),
    .release_idx_i(release_idx_i),
    .idx_o(idx_o),
    .full_o(full_o),
    .available_o()
  );
endmodule
