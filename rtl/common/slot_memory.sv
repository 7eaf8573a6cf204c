// SPDX-License-Identifier: Apache-2.0
// Slots as a memory, read and written at the clock edge; README.md has the timing of its three
// kinds. What is read stays until the next read. It has no reset, and reading a word in the cycle
// that writes it gives anything: a user must not. `warpmem synth --storage-outside` leaves it to a
// macro; else it is flip-flops. With WARPMEM_SLOT_MACRO defined as the name of a module of yours,
// that one is here.
`default_nettype none
`include "common/check.svh"

module slot_memory #(
  parameter int unsigned WORDS   = 256,
  parameter int unsigned BITS    = 16,
  parameter int unsigned STORAGE = 0,    // 0: two ports; 1: one port; 2: one port, split cycle
  localparam int unsigned WORD_W = WORDS > 1 ? $clog2(WORDS) : 1
) (
  input  wire logic              clk,
  input  wire logic              rst_n,
  input  wire logic              write_i,
  input  wire logic [WORD_W-1:0] write_word_i,
  input  wire logic [BITS-1:0]   write_data_i,
  input  wire logic              read_i,
  input  wire logic [WORD_W-1:0] read_word_i,
  input  wire logic [WORD_W-1:0] again_word_i,  // the word of a read that waits
  output wire logic              waits_o,       // the last read waits for the port
  output wire logic [BITS-1:0]   read_data_o
);
  // What the macro gets, or the flip-flops do. With one port both words are the same.
  logic              write, read;
  logic [WORD_W-1:0] write_word, read_word;
  logic [BITS-1:0]   write_data;

  if (STORAGE == 0) begin : gen_two_ports
    assign write      = write_i;
    assign read       = read_i;
    assign write_word = write_word_i;
    assign read_word  = read_word_i;
    assign write_data = write_data_i;
    assign waits_o    = 1'b0;
    wire unused = &{rst_n, again_word_i};
  end else if (STORAGE == 1) begin : gen_one_port
    // The write goes first, and the read comes in the first cycle without one.
    logic waits_q;
    always_ff @(posedge clk) begin
      if (!rst_n) waits_q <= 1'b0;
      else waits_q <= (read_i || waits_q) && write_i;
    end
    assign write      = write_i;
    assign read       = (read_i || waits_q) && !write_i;
    assign write_word = write_i ? write_word_i : waits_q ? again_word_i : read_word_i;
    assign read_word  = write_word;
    assign write_data = write_data_i;
    assign waits_o    = waits_q;
    `CHECK(one_read_waits, !(read_i && waits_q))
  end else begin : gen_split_cycle
    // What is written stands in registers, so that the first half of the next cycle can write it.
    logic              write_q;
    logic [WORD_W-1:0] write_word_q;
    logic [BITS-1:0]   write_data_q;
    always_ff @(posedge clk) begin
      if (!rst_n) write_q <= 1'b0;
      else write_q <= write_i;
    end
    always_ff @(posedge clk) begin
      if (write_i) begin
        write_word_q <= write_word_i;
        write_data_q <= write_data_i;
      end
    end
    assign write      = write_q;
    assign read       = read_i;
    assign write_word = write_word_q;
    assign read_word  = read_word_i;
    assign write_data = write_data_q;
    assign waits_o    = 1'b0;
    wire unused = &{again_word_i};
  end

`ifdef WARPMEM_SLOT_MACRO
  `WARPMEM_SLOT_MACRO #(.WORDS(WORDS), .BITS(BITS)) u_macro (
    .clk, .write_i(write), .write_word_i(write_word), .write_data_i(write_data),
    .read_i(read), .read_word_i(read_word), .read_data_o
  );
`else
  logic [BITS-1:0] slot_q [0:WORDS-1];
  logic [BITS-1:0] read_q;

  always_ff @(posedge clk) begin
    if (write) slot_q[write_word] <= write_data;
    // In a split cycle what the first half writes the second half reads.
    if (read)
      read_q <= STORAGE == 2 && write && write_word == read_word ? write_data : slot_q[read_word];
  end
  assign read_data_o = read_q;
`endif

  `CHECK(no_word_is_read_as_it_is_written, !(write_i && read_i && write_word_i == read_word_i))
  `CHECK(no_waiting_word_is_written, !(waits_o && write_i && write_word_i == again_word_i))
  `CHECK(words_exist, !(write_i && 32'(write_word_i) >= WORDS)
                      && !(read && 32'(read_word) >= WORDS))
  wire unused_rst_n = rst_n;
endmodule
`default_nettype wire
