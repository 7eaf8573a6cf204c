// SPDX-License-Identifier: Apache-2.0
// Binds the properties of the conventional file to it, for simulators and
// provers (rtl/README.md). Yosys proves the same text as a part of the module itself.
// Tested at ENTRIES=4 SLOTS=3 ADDR_BITS=2 SLOT_BITS=3
// Tested by the mistake merges_into_a_returning_block
`default_nettype none
`include "common/check.svh"

module mshr_conventional_properties #(
  parameter int unsigned ENTRIES   = 32,
  parameter int unsigned SLOTS     = 8,
  parameter int unsigned ADDR_BITS = 25,
  parameter int unsigned SLOT_BITS = 16,
  parameter int unsigned SECTORS   = 1,
  localparam int unsigned ENTRY_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  `include "common/mshr_file_pins.svh"
);
  localparam int unsigned F_WAYS = ENTRIES;
  `include "common/mshr_file_formal.svh"
endmodule

bind mshr_conventional mshr_conventional_properties #(
  .ENTRIES(ENTRIES), .SLOTS(SLOTS), .ADDR_BITS(ADDR_BITS), .SLOT_BITS(SLOT_BITS), .SECTORS(SECTORS)
) u_properties (.*);
`default_nettype wire
