// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the Dynamic Allocation Unit of DL-MSHR (README.md).
// Tested with: --sets 8 --reserved 2; as a netlist, too
module dau_tb;
  parameter SETS     = 16;
  parameter SLOTS    = 2;
  parameter RESERVED = 0;
  localparam SET_W   = SETS > 1 ? $clog2(SETS) : 1;
  localparam SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1;
  localparam COUNT_W = $clog2(SETS + 1);
  localparam INPUTS  = 3 + 2 * SET_W;
  localparam OUTPUTS = 5 + SET_W + SLOT_W + 2 * COUNT_W;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire req_valid_i, req_secondary_i, ret_valid_i, req_ready_o, rf_o, req_link_o, ret_ready_o,
       release_busy_o;
  wire [SET_W-1:0] req_head_i, ret_head_i, req_set_o;
  wire [SLOT_W-1:0] req_slot_o;
  wire [COUNT_W-1:0] n_free_o, n_linkable_o;

  assign {req_valid_i, req_secondary_i, req_head_i, ret_valid_i, ret_head_i} = in;
  assign out = {req_ready_o, rf_o, req_set_o, req_slot_o, req_link_o, ret_ready_o, release_busy_o,
                n_free_o, n_linkable_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  dau dut (
`else
  dau #(.SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .req_valid_i(req_valid_i),
    .req_secondary_i(req_secondary_i),
    .req_head_i(req_head_i),
    .ret_valid_i(ret_valid_i),
    .ret_head_i(ret_head_i),
    .req_ready_o(req_ready_o),
    .rf_o(rf_o),
    .req_set_o(req_set_o),
    .req_slot_o(req_slot_o),
    .req_link_o(req_link_o),
    .ret_ready_o(ret_ready_o),
    .release_busy_o(release_busy_o),
    .n_free_o(n_free_o),
    .n_linkable_o(n_linkable_o),
    .head_o(),
    .linked_o(),
    .s_free_o(),
    .s_full_o(),
    .fail_o(),
    .releasing_o(),
    .count_o(),
    .next_o(),
    .peer_o()
  );
endmodule
