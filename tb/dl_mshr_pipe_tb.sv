// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the pipelined Dynamically Linked MSHR file (README.md).
module dl_mshr_pipe_tb;
  parameter SETS      = 128;
  parameter SLOTS     = 2;
  parameter RESERVED  = 64;
  parameter ADDR_BITS = 25;
  parameter SLOT_BITS = 16;
  parameter RELEASES  = 1;
  parameter GATING    = 1;
  parameter SECTORS   = 1;
  parameter STORAGE   = 0;
  localparam SET_W   = SETS > 1 ? $clog2(SETS) : 1;
  localparam COUNT_W = $clog2(SETS + 1);
  localparam INPUTS  = 3 + 2 * ADDR_BITS + SLOT_BITS + 3 * SECTORS;
  localparam OUTPUTS = 11 + 2 * SET_W + SLOT_BITS + ADDR_BITS + 2 * COUNT_W + SECTORS;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire req_valid_i, ret_valid_i, rsp_ready_i, ans_ok_o, rf_o, ret_ready_o, rsp_valid_o,
       rsp_last_o, ans_secondary_o, ans_link_o, release_busy_o, err_o;
  wire [ADDR_BITS-1:0] req_addr_i, ret_addr_i, rsp_addr_o;
  wire [SLOT_BITS-1:0] req_slot_i, rsp_slot_o;
  wire [SET_W-1:0] ans_set_o, rsp_set_o;
  wire [SECTORS-1:0] req_sectors_i, req_held_i, ret_sectors_i, ans_fetch_o;
  wire [1:0] rf_cause_o;
  wire [COUNT_W-1:0] n_free_o, n_linkable_o;

  assign {req_valid_i, req_addr_i, req_slot_i, req_sectors_i, req_held_i, ret_valid_i, ret_addr_i,
          ret_sectors_i, rsp_ready_i} = in;
  assign out = {ans_ok_o, ans_set_o, ans_fetch_o, rf_o, rf_cause_o, ret_ready_o, rsp_valid_o,
                rsp_set_o, rsp_slot_o, rsp_last_o, ans_secondary_o, rsp_addr_o, ans_link_o,
                n_free_o, n_linkable_o, release_busy_o, err_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  dl_mshr_pipe dut (
`else
  dl_mshr_pipe #(.SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED), .ADDR_BITS(ADDR_BITS),
    .SLOT_BITS(SLOT_BITS), .RELEASES(RELEASES), .GATING(GATING), .SECTORS(SECTORS),
    .STORAGE(STORAGE)) dut (
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
    .ans_ok_o(ans_ok_o),
    .ans_set_o(ans_set_o),
    .ans_fetch_o(ans_fetch_o),
    .rf_o(rf_o),
    .rf_cause_o(rf_cause_o),
    .ret_ready_o(ret_ready_o),
    .err_o(err_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_set_o(rsp_set_o),
    .rsp_slot_o(rsp_slot_o),
    .rsp_last_o(rsp_last_o),
    .ans_secondary_o(ans_secondary_o),
    .rsp_addr_o(rsp_addr_o),
    .ans_link_o(ans_link_o),
    .n_free_o(n_free_o),
    .n_linkable_o(n_linkable_o),
    .release_busy_o(release_busy_o)
  );
endmodule
