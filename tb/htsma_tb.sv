// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the hybrid of TSMA and s-MSHR (README.md).
module htsma_tb;
  parameter ENTRIES       = 48;
  parameter SLOTS         = 8;
  parameter SMALL_ENTRIES = 4;
  parameter SMALL_SLOTS   = 8;
  parameter WAYS          = 8;
  parameter ADDR_BITS     = 25;
  parameter SLOT_BITS     = 16;
  parameter SECTORS       = 1;
  localparam TOTAL   = ENTRIES + SMALL_ENTRIES;
  localparam ENTRY_W = TOTAL > 1 ? $clog2(TOTAL) : 1;
  localparam IDX_W   = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
  localparam COUNT_W = $clog2(WAYS + 1);
  localparam INPUTS  = 6 + IDX_W + COUNT_W + ENTRY_W + 2 * ADDR_BITS + SLOT_BITS + 3 * SECTORS;
  localparam OUTPUTS = 12 + 2 * ENTRY_W + ADDR_BITS + SLOT_BITS + 2 * TOTAL + SECTORS;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire req_valid_i, req_secondary_i, req_victim_valid_i, req_victim_hit_i, ret_valid_i,
       rsp_ready_i, req_ready_o, req_secondary_o, req_critical_o, rf_o, ret_ready_o, rsp_valid_o,
       rsp_last_o;
  wire [IDX_W-1:0] req_idx_i;
  wire [COUNT_W-1:0] req_shared_count_i;
  wire [ENTRY_W-1:0] ret_entry_i, req_entry_o, rsp_entry_o;
  wire [ADDR_BITS-1:0] req_addr_i, ret_addr_i, rsp_addr_o;
  wire [SLOT_BITS-1:0] req_slot_i, rsp_slot_o;
  wire [SECTORS-1:0] req_sectors_i, req_held_i, ret_sectors_i, req_fetch_o;
  wire [1:0] rf_cause_o;
  wire [2:0] req_steer_o;
  wire [TOTAL-1:0] used_o, draining_o;

  assign {req_valid_i, req_secondary_i, req_idx_i, req_shared_count_i, req_victim_valid_i,
          req_victim_hit_i, req_addr_i, req_slot_i, req_sectors_i, req_held_i, ret_valid_i,
          ret_entry_i, ret_addr_i, ret_sectors_i, rsp_ready_i} = in;
  assign out = {req_ready_o, req_entry_o, req_fetch_o, rf_o, rf_cause_o, ret_ready_o, rsp_valid_o,
                rsp_entry_o, rsp_slot_o, rsp_last_o, req_secondary_o, rsp_addr_o, used_o,
                draining_o, req_steer_o, req_critical_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  htsma dut (
`else
  htsma #(.ENTRIES(ENTRIES), .SLOTS(SLOTS), .SMALL_ENTRIES(SMALL_ENTRIES),
          .SMALL_SLOTS(SMALL_SLOTS), .WAYS(WAYS), .ADDR_BITS(ADDR_BITS),
          .SLOT_BITS(SLOT_BITS), .SECTORS(SECTORS)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .req_valid_i(req_valid_i),
    .req_secondary_i(req_secondary_i),
    .req_idx_i(req_idx_i),
    .req_addr_i(req_addr_i),
    .req_shared_count_i(req_shared_count_i),
    .req_victim_valid_i(req_victim_valid_i),
    .req_victim_hit_i(req_victim_hit_i),
    .req_slot_i(req_slot_i),
    .req_sectors_i(req_sectors_i),
    .req_held_i(req_held_i),
    .ret_valid_i(ret_valid_i),
    .ret_entry_i(ret_entry_i),
    .ret_addr_i(ret_addr_i),
    .ret_sectors_i(ret_sectors_i),
    .rsp_ready_i(rsp_ready_i),
    .req_ready_o(req_ready_o),
    .req_secondary_o(req_secondary_o),
    .req_entry_o(req_entry_o),
    .req_steer_o(req_steer_o),
    .req_critical_o(req_critical_o),
    .req_fetch_o(req_fetch_o),
    .rf_o(rf_o),
    .rf_cause_o(rf_cause_o),
    .ret_ready_o(ret_ready_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_entry_o(rsp_entry_o),
    .rsp_addr_o(rsp_addr_o),
    .rsp_slot_o(rsp_slot_o),
    .rsp_last_o(rsp_last_o),
    .used_o(used_o),
    .draining_o(draining_o)
  );
endmodule
