// SPDX-License-Identifier: Apache-2.0
// Sectors of the entries of an MSHR file, where lines are fetched in parts (docs/mechanisms.md
// 1.9): which sectors an entry has asked for, and which of these have not come. A request is told
// what it must fetch beyond that; with the last sector to come the entry's data are complete. An
// entry of which nothing else is known asks for sector 0, then for 0 and 1 (of two):
//
//   cycle        0   1   2   3
//   put_valid    1   1
//   put_first    1   0
//   put_sectors  01  11
//   put_fetch    01  10
//   ret_valid            1   1
//   ret_sectors          01  10
//   ret_last             0   1
//
// A line of one sector comes as a whole: then nothing is kept, put_fetch is 0 and each return is
// the last one.
`default_nettype none
`include "common/check.svh"

module mshr_sectors #(
  parameter int unsigned ENTRIES = 32,  // at least 1
  parameter int unsigned SECTORS = 4,   // sectors of a line: 1 to 8
  // This is derived; leave it alone.
  localparam int unsigned ENTRY_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input  wire logic               clk,
  input  wire logic               rst_n,

  // A request is stored: the first of a free entry, or one more of an entry in use.
  input  wire logic               put_valid_i,
  input  wire logic               put_first_i,
  input  wire logic [ENTRY_W-1:0] put_entry_i,
  input  wire logic [ENTRY_W-1:0] ask_entry_i,    // the entry in use, whether it is stored or not
  input  wire logic [SECTORS-1:0] put_sectors_i,  // that the line lacks
  input  wire logic [SECTORS-1:0] put_held_i,     // whose bytes the cache keeps beside the entry
  output wire logic [SECTORS-1:0] put_fetch_o,    // of those that it lacks: nobody has asked for

  // Sectors of an entry in use have come.
  input  wire logic               ret_valid_i,
  input  wire logic [ENTRY_W-1:0] ret_entry_i,
  input  wire logic [SECTORS-1:0] ret_sectors_i,
  output wire logic               ret_last_o      // whether or not ret_valid: none is left then
);
  if (SECTORS > 1) begin : gen_sectors
    // A free entry has what its last request left there; its next one is the first.
    logic [SECTORS-1:0] asked_q [0:ENTRIES-1];  // fetched, or kept beside the entry
    logic [SECTORS-1:0] open_q  [0:ENTRIES-1];  // fetched and not here
    logic [SECTORS-1:0] asked, kept;
    logic same;

    assign asked       = asked_q[ask_entry_i] & {SECTORS{!put_first_i}};
    assign put_fetch_o = put_sectors_i & ~asked;
    assign ret_last_o  = (open_q[ret_entry_i] & ~ret_sectors_i) == '0;

    // What is asked for in the cycle of a return cannot be part of it.
    assign same = ret_valid_i && ret_entry_i == put_entry_i;
    assign kept = open_q[put_entry_i] & ~(ret_sectors_i & {SECTORS{same}})
                  & {SECTORS{!put_first_i}};
    always_ff @(posedge clk) begin
      if (ret_valid_i) open_q[ret_entry_i] <= open_q[ret_entry_i] & ~ret_sectors_i;
      if (put_valid_i) begin
        open_q[put_entry_i]  <= kept | put_fetch_o;
        asked_q[put_entry_i] <= asked | put_sectors_i | put_held_i;
      end
    end

    `CHECK(a_request_is_stored_where_it_asks, !put_valid_i || put_first_i
           || put_entry_i == ask_entry_i)
    `CHECK(what_is_open_was_asked_for,
           !ret_valid_i || (open_q[ret_entry_i] & ~asked_q[ret_entry_i]) == '0)
  end else begin : gen_whole
    logic unused;
    assign unused = &{clk, rst_n, put_valid_i, put_first_i, put_entry_i, ask_entry_i,
                      put_sectors_i, put_held_i, ret_valid_i, ret_entry_i, ret_sectors_i};
    assign put_fetch_o = '0;
    assign ret_last_o  = 1'b1;
  end
endmodule
`default_nettype wire
