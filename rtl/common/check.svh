// SPDX-License-Identifier: Apache-2.0
// One check for three tools: an assertion in simulation (verilator --assert) and in proofs (yosys
// read_verilog -formal), nothing in synthesis. The condition must hold at every rising edge of
// `clk` outside of reset.
`ifndef WARPMEM_CHECK_SVH
`define WARPMEM_CHECK_SVH
`ifdef SYNTHESIS
 `define CHECK(name, expr)
`else
 `define CHECK(name, expr) always_ff @(posedge clk) if (rst_n) begin name: assert (expr); end
`endif
`endif
