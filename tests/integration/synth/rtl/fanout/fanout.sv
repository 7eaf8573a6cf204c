// SPDX-License-Identifier: Apache-2.0
// One register bit that selects for many: its net must be buffered.
`default_nettype none
module fanout #(
  parameter int unsigned LOADS = 512
) (
  input  wire logic             clk,
  input  wire logic             rst_n,
  input  wire logic             select_i,
  input  wire logic [LOADS-1:0] d_i,
  output wire logic [LOADS-1:0] q_o
);
  logic             select_q;
  logic [LOADS-1:0] data_q;
  always_ff @(posedge clk) begin
    if (!rst_n) select_q <= 1'b0;
    else select_q <= select_i;
    data_q <= select_q ? d_i : ~data_q;
  end
  assign q_o = data_q;
endmodule
`default_nettype wire
