// SPDX-License-Identifier: Apache-2.0
// Slots as a memory: one port writes, one reads, both at the clock edge. What is read stays until
// the next read. It has no reset, and reading a word at the edge that writes it gives anything: a
// user must not. `warpmem synth --storage-outside` leaves it to a macro; else it is flip-flops.
// With WARPMEM_SLOT_MACRO defined as the name of a module of yours, that one is here (README.md).
`default_nettype none
`include "common/check.svh"

module slot_memory #(
  parameter int unsigned WORDS   = 256,
  parameter int unsigned BITS    = 16,
  localparam int unsigned WORD_W = WORDS > 1 ? $clog2(WORDS) : 1
) (
  input  wire logic              clk,
  input  wire logic              rst_n,  // for the check alone
  input  wire logic              write_i,
  input  wire logic [WORD_W-1:0] write_word_i,
  input  wire logic [BITS-1:0]   write_data_i,
  input  wire logic              read_i,
  input  wire logic [WORD_W-1:0] read_word_i,
  output wire logic [BITS-1:0]   read_data_o
);
`ifdef WARPMEM_SLOT_MACRO
  `WARPMEM_SLOT_MACRO #(.WORDS(WORDS), .BITS(BITS)) u_macro (
    .clk, .write_i, .write_word_i, .write_data_i, .read_i, .read_word_i, .read_data_o
  );
`else
  logic [BITS-1:0] slot_q [0:WORDS-1];
  logic [BITS-1:0] read_q;

  always_ff @(posedge clk) begin
    if (write_i) slot_q[write_word_i] <= write_data_i;
    if (read_i) read_q <= slot_q[read_word_i];
  end
  assign read_data_o = read_q;
`endif

  `CHECK(no_word_is_read_as_it_is_written, !(write_i && read_i && write_word_i == read_word_i))
  `CHECK(words_exist, !(write_i && 32'(write_word_i) >= WORDS)
                      && !(read_i && 32'(read_word_i) >= WORDS))
  wire unused_rst_n = rst_n;
endmodule
`default_nettype wire
