// SPDX-License-Identifier: Apache-2.0
// The unit has two instances of another unit.
`default_nettype none
module pair (
  input  wire logic       clk,
  input  wire logic       rst_n,
  input  wire logic [3:0] d_i,
  output wire logic [3:0] q_o
);
  wire logic [3:0] between;
  tiny u_first  (.clk(clk), .rst_n(rst_n), .d_i(d_i), .q_o(between));
  tiny u_second (.clk(clk), .rst_n(rst_n), .d_i(between), .q_o(q_o));
endmodule
`default_nettype wire
