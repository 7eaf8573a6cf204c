// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the Tag Shared MSHR Array (README.md).
module tsma_tb;
  parameter ENTRIES   = 48;
  parameter SLOTS     = 8;
  parameter SLOT_BITS = 16;
  parameter SECTORS   = 1;
  localparam IDX_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
  localparam INPUTS  = 4 + 2 * IDX_W + SLOT_BITS + 3 * SECTORS;
  localparam OUTPUTS = 7 + 2 * IDX_W + SLOT_BITS + 2 * ENTRIES + SECTORS;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire req_valid_i, req_secondary_i, ret_valid_i, rsp_ready_i, req_ready_o, rf_o, ret_ready_o,
       rsp_valid_o, rsp_last_o;
  wire [IDX_W-1:0] req_idx_i, ret_idx_i, req_idx_o, rsp_idx_o;
  wire [SLOT_BITS-1:0] req_slot_i, rsp_slot_o;
  wire [SECTORS-1:0] req_sectors_i, req_held_i, ret_sectors_i, req_fetch_o;
  wire [1:0] rf_cause_o;
  wire [ENTRIES-1:0] used_o, draining_o;

  assign {req_valid_i, req_secondary_i, req_idx_i, req_slot_i, req_sectors_i, req_held_i,
          ret_valid_i, ret_idx_i, ret_sectors_i, rsp_ready_i} = in;
  assign out = {req_ready_o, req_idx_o, req_fetch_o, rf_o, rf_cause_o, ret_ready_o, rsp_valid_o,
                rsp_idx_o, rsp_slot_o, rsp_last_o, used_o, draining_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  tsma dut (
`else
  tsma #(.ENTRIES(ENTRIES), .SLOTS(SLOTS), .SLOT_BITS(SLOT_BITS), .SECTORS(SECTORS)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .req_valid_i(req_valid_i),
    .req_secondary_i(req_secondary_i),
    .req_idx_i(req_idx_i),
    .req_slot_i(req_slot_i),
    .req_sectors_i(req_sectors_i),
    .req_held_i(req_held_i),
    .ret_valid_i(ret_valid_i),
    .ret_idx_i(ret_idx_i),
    .ret_sectors_i(ret_sectors_i),
    .rsp_ready_i(rsp_ready_i),
    .req_ready_o(req_ready_o),
    .req_idx_o(req_idx_o),
    .req_fetch_o(req_fetch_o),
    .rf_o(rf_o),
    .rf_cause_o(rf_cause_o),
    .ret_ready_o(ret_ready_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_idx_o(rsp_idx_o),
    .rsp_slot_o(rsp_slot_o),
    .rsp_last_o(rsp_last_o),
    .used_o(used_o),
    .draining_o(draining_o)
  );
endmodule
