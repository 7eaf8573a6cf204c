// SPDX-License-Identifier: Apache-2.0
// No register, no clock.
`default_nettype none
module parity (
  input  wire logic [7:0] d_i,
  output wire logic       odd_o
);
  assign odd_o = ^d_i;
endmodule
`default_nettype wire
