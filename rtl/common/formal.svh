// SPDX-License-Identifier: Apache-2.0
// For the *_formal.svh files, which are parts of their modules where FORMAL is defined.
// REACH(name, expr): some sequence of inputs leads to `expr`; needs f_past, 1 when the last clock
// edge was out of reset, and rst_n.
`ifndef WARPMEM_FORMAL_SVH
`define WARPMEM_FORMAL_SVH
`define REACH(name, expr) always_comb begin name: cover (f_past && rst_n && (expr)); end
`endif
