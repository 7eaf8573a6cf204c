// SPDX-License-Identifier: Apache-2.0
// What properties follow in a simulation: `value_i` of a cycle with `when_i`, in that cycle and
// from then on. Every second chance is let pass, at random, so that not only the first of many is
// followed. Choices with the same `when_i` are made together.
`default_nettype none

module property_choice #(
  parameter int unsigned BITS = 1
) (
  input  wire logic            clk,
  input  wire logic            rst_n,
  input  wire logic [BITS-1:0] value_i,
  input  wire logic            when_i,
  output wire logic [BITS-1:0] choice_o
);
  logic [BITS-1:0] choice_q;
  logic            coin, takes;
  property_coin u_coin (.clk, .rst_n, .coin_o(coin));
  assign takes = when_i && coin;
  always_ff @(posedge clk) begin
    if (!rst_n) choice_q <= '0;
    else choice_q <= choice_o;
  end
  assign choice_o = takes ? value_i : choice_q;
endmodule
`default_nettype wire
