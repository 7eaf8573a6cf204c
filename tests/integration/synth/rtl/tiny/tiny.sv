// SPDX-License-Identifier: Apache-2.0
// A register whose first bit leaves inverted: its area can be added up by hand.
`default_nettype none
module tiny #(
  parameter int unsigned BITS = 4  // width, 1..64
) (
  input  wire logic            clk,
  input  wire logic            rst_n,
  input  wire logic [BITS-1:0] d_i,
  output wire logic [BITS-1:0] q_o
);
  if (BITS < 1 || BITS > 64) begin : gen_bad_bits
    $error("tiny: BITS must be 1 to 64");
  end

  logic [BITS-1:0] data_q;
  always_ff @(posedge clk) data_q <= d_i;
  assign q_o = data_q ^ BITS'(1);
endmodule
`default_nettype wire
