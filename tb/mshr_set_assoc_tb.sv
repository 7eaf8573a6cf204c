// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the set-associative MSHR file (README.md).
module mshr_set_assoc_tb;
  parameter ENTRIES   = 32;
  parameter WAYS      = 4;
  parameter SLOTS     = 8;
  parameter ADDR_BITS = 25;
  parameter SLOT_BITS = 16;
  parameter SECTORS   = 1;
  localparam ENTRY_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
  localparam INPUTS  = 3 + 2 * ADDR_BITS + SLOT_BITS + 3 * SECTORS;
  localparam OUTPUTS = 8 + 2 * ENTRY_W + SLOT_BITS + ADDR_BITS + 2 * ENTRIES + SECTORS;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire req_valid_i, ret_valid_i, rsp_ready_i, req_ready_o, rf_o, ret_ready_o, rsp_valid_o,
       rsp_last_o, req_secondary_o;
  wire [ADDR_BITS-1:0] req_addr_i, ret_addr_i, rsp_addr_o;
  wire [SLOT_BITS-1:0] req_slot_i, rsp_slot_o;
  wire [ENTRY_W-1:0] req_entry_o, rsp_entry_o;
  wire [SECTORS-1:0] req_sectors_i, req_held_i, ret_sectors_i, req_fetch_o;
  wire [1:0] rf_cause_o;
  wire [ENTRIES-1:0] used_o, draining_o;

  assign {req_valid_i, req_addr_i, req_slot_i, req_sectors_i, req_held_i, ret_valid_i, ret_addr_i,
          ret_sectors_i, rsp_ready_i} = in;
  assign out = {req_ready_o, req_entry_o, req_fetch_o, rf_o, rf_cause_o, ret_ready_o, rsp_valid_o,
                rsp_entry_o, rsp_slot_o, rsp_last_o, req_secondary_o, rsp_addr_o, used_o,
                draining_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  mshr_set_assoc dut (
`else
  mshr_set_assoc #(.ENTRIES(ENTRIES), .WAYS(WAYS), .SLOTS(SLOTS), .ADDR_BITS(ADDR_BITS),
    .SLOT_BITS(SLOT_BITS), .SECTORS(SECTORS)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .req_valid_i(req_valid_i),
    .req_addr_i(req_addr_i),
    .req_slot_i(req_slot_i),
    .req_sectors_i(req_sectors_i),
    .req_held_i(req_held_i),
    .ret_valid_i(ret_valid_i),
    .ret_addr_i(ret_addr_i),
    .ret_sectors_i(ret_sectors_i),
    .rsp_ready_i(rsp_ready_i),
    .req_ready_o(req_ready_o),
    .req_entry_o(req_entry_o),
    .req_fetch_o(req_fetch_o),
    .rf_o(rf_o),
    .rf_cause_o(rf_cause_o),
    .ret_ready_o(ret_ready_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_entry_o(rsp_entry_o),
    .rsp_slot_o(rsp_slot_o),
    .rsp_last_o(rsp_last_o),
    .req_secondary_o(req_secondary_o),
    .rsp_addr_o(rsp_addr_o),
    .used_o(used_o),
    .draining_o(draining_o)
  );
endmodule
