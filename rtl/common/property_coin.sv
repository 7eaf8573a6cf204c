// SPDX-License-Identifier: Apache-2.0
// A bit that is 1 in one cycle of two, for properties in a simulation: a shift register of 16 bits
// with feedback, the same after every reset. Coins of another BIT fall otherwise.
`default_nettype none

module property_coin #(
  parameter int unsigned BIT = 0  // 0 to 15
) (
  input  wire logic clk,
  input  wire logic rst_n,
  output wire logic coin_o
);
  logic [15:0] bits_q;
  always_ff @(posedge clk) begin
    if (!rst_n) bits_q <= 16'h1;
    else bits_q <= {bits_q[14:0], bits_q[15] ^ bits_q[13] ^ bits_q[12] ^ bits_q[10]};
  end
  assign coin_o = bits_q[BIT];
endmodule
`default_nettype wire
