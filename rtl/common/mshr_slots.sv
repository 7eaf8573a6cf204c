// SPDX-License-Identifier: Apache-2.0
// Slots of an MSHR file whose entries have a fixed number of them, and the drain: the slots of an
// entry leave in arrival order, one a cycle, one entry at a time. Who owns which entry is known
// around it. A return and the entry's two slots, and the entry behind it:
//
//   cycle        0   1   2   3
//   ret_valid    1           1      3: ... (2 would do: the last slot leaves in it)
//   ret_ready    1   0   1   1
//   rsp_valid        1   1
//   rsp_last         0   1
//   draining         e   e          entry e; freed in cycle 2, another one's from cycle 3 on
`default_nettype none
`include "common/check.svh"

module mshr_slots #(
  parameter int unsigned ENTRIES   = 32,  // at least 1
  parameter int unsigned SLOTS     = 8,   // slots of an entry, at least 1
  parameter int unsigned SLOT_BITS = 16,  // bits of a request
  // These are derived; leave them alone.
  localparam int unsigned ENTRY_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1,
  localparam int unsigned SLOT_W   = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  // A request is stored: in the first slot of a free entry, or in the next of one in use.
  input  wire logic                 put_valid_i,
  input  wire logic                 put_first_i,
  input  wire logic [ENTRY_W-1:0]   put_entry_i,
  input  wire logic [SLOT_BITS-1:0] put_slot_i,
  input  wire logic [ENTRY_W-1:0]   ask_entry_i,   // an entry in use ...
  output wire logic                 ask_full_o,    // ... has no slot left

  // The data of an entry in use have returned.
  input  wire logic                 ret_valid_i,
  input  wire logic [ENTRY_W-1:0]   ret_entry_i,
  output wire logic                 ret_ready_o,

  // Its requests leave; with the last one it is free.
  output wire logic                 rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output wire logic [ENTRY_W-1:0]   rsp_entry_o,
  output wire logic [SLOT_BITS-1:0] rsp_slot_o,
  output wire logic                 rsp_last_o,

  output wire logic [ENTRIES-1:0]   draining_o     // at most one
);
  logic [SLOT_BITS-1:0] slot_q [0:ENTRIES*SLOTS-1];
  logic [SLOT_W-1:0]    newest_q [0:ENTRIES-1];  // the slot taken last

  localparam int unsigned PLACE_W = ENTRIES * SLOTS > 1 ? $clog2(ENTRIES * SLOTS) : 1;
  function automatic logic [PLACE_W-1:0] place(input logic [ENTRY_W-1:0] entry,
                                               input logic [SLOT_W-1:0] slot);
    place = PLACE_W'(32'(entry) * SLOTS + 32'(slot));
  endfunction

  // ---- put -------------------------------------------------------------------------------------
  logic [SLOT_W-1:0] put_slot;
  assign put_slot   = put_first_i ? '0 : newest_q[put_entry_i] + SLOT_W'(1);
  assign ask_full_o = newest_q[ask_entry_i] == SLOT_W'(SLOTS - 1);
  always_ff @(posedge clk) begin
    if (put_valid_i) begin
      newest_q[put_entry_i]                <= put_slot;
      slot_q[place(put_entry_i, put_slot)] <= put_slot_i;
    end
  end

  // ---- drain -----------------------------------------------------------------------------------
  logic               drain_q;
  logic [ENTRY_W-1:0] entry_q;
  logic [SLOT_W-1:0]  next_q;
  logic               leaves;

  assign rsp_valid_o = drain_q;
  assign rsp_entry_o = entry_q;
  assign rsp_slot_o  = slot_q[place(entry_q, next_q)];
  assign rsp_last_o  = drain_q && next_q == newest_q[entry_q];
  assign leaves      = rsp_last_o && rsp_ready_i;
  assign ret_ready_o = !drain_q || leaves;
  assign draining_o  = (ENTRIES'(1) << entry_q) & {ENTRIES{drain_q}};

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      drain_q <= 1'b0;
      entry_q <= '0;
      next_q  <= '0;
    end else if (ret_ready_o) begin
      drain_q <= ret_valid_i;
      entry_q <= ret_entry_i;
      next_q  <= '0;
    end else if (rsp_ready_i) begin
      next_q <= next_q + SLOT_W'(1);
    end
  end

  `CHECK(a_draining_entry_takes_nothing, !put_valid_i || !drain_q || put_entry_i != entry_q)
  `CHECK(entries_exist, (!put_valid_i || 32'(put_entry_i) < ENTRIES) && 32'(entry_q) < ENTRIES)
`ifdef FORMAL
  `include "common/mshr_slots_formal.svh"
`endif
endmodule
`default_nettype wire
