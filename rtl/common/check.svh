// SPDX-License-Identifier: Apache-2.0
// CHECK(name, expr): a condition that holds at every clock edge out of reset. Verilator checks it
// with --assert and prints it where it fails, Yosys proves it with -formal; synthesis drops it. In
// other tools an unknown condition fails nothing: inputs may be X where they mean nothing.
// Needs `clk` and `rst_n`.
`ifndef WARPMEM_CHECK_SVH
`define WARPMEM_CHECK_SVH
`ifdef SYNTHESIS
`define CHECK(name, expr)
`elsif VERILATOR
`define CHECK(name, expr) \
  always_ff @(posedge clk) if (rst_n) begin name: assert (expr) else $error("%s", `"expr`"); end
`elsif YOSYS
`define CHECK(name, expr) \
  always_ff @(posedge clk) if (rst_n) begin name: assert (expr); end
`else
`define CHECK(name, expr) \
  always_ff @(posedge clk) if (rst_n) begin name: assert ((expr) !== 1'b0); end
`endif
`endif
