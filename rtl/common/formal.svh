// SPDX-License-Identifier: Apache-2.0
// For the *_formal.svh files. Yosys reads them as parts of their modules, with FORMAL defined; any
// other tool as parts of the modules that UNIT_properties.sv binds to them (README.md).
//
// REACH(name, expr): some sequence of inputs leads to `expr`; needs f_past, 1 when the last clock
// edge was out of reset, and rst_n.
// ASSUME(name, expr): what the unit may count on. A simulator checks it as it does a CHECK.
// RESET_FIRST: a proof begins with a reset. Provers other than Yosys have a command for it.
// ANY_CONST(bits, name): a value that is chosen once; a proof is for all of them. In a simulation
// CHOOSE chooses: `value` in a cycle with `when`, for that cycle and those after it. The properties
// take care that what they know of the value before fits the new one as well.
// ANY_SEQ(name): a bit that is anything in each cycle; in a simulation one in two, at random.
`ifndef WARPMEM_FORMAL_SVH
`define WARPMEM_FORMAL_SVH
`ifdef YOSYS
`define REACH(name, expr) always_comb begin name: cover (f_past && rst_n && (expr)); end
`define ASSUME(name, expr) always_comb begin assume (expr); end
`define RESET_FIRST initial assume (!rst_n);
`define ANY_CONST(bits, name) (* anyconst *) logic [(bits)-1:0] name;
`define ANY_SEQ(name) (* anyseq *) logic name;
`define CHOOSE(bits, name, value, when)
`else
`define REACH(name, expr) \
  always_ff @(posedge clk) begin name: cover (f_past && rst_n && (expr)); end
`define ASSUME(name, expr) \
  always_ff @(posedge clk) if (rst_n) begin name: assume (expr); end
`define RESET_FIRST
`define ANY_CONST(bits, name) logic [(bits)-1:0] name;
`ifdef WARPMEM_PROVER
`define ANY_SEQ(name) logic name;
`define CHOOSE(bits, name, value, when) \
  name``_stays: assume property (@(posedge clk) $stable(name));
`else
`define ANY_SEQ(name) \
  logic name; \
  property_coin #(.BIT(7)) u_``name (.clk, .rst_n, .coin_o(name));
`define CHOOSE(bits, name, value, when) \
  property_choice #(.BITS(bits)) u_``name ( \
    .clk, .rst_n, .value_i(value), .when_i(when), .choice_o(name) \
  );
`endif
`endif
`endif
