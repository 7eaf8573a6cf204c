// SPDX-License-Identifier: Apache-2.0
// Plays vectors to the drain selector of MRPB (README.md).
// Tested with: --queues 6
module mrpb_drain_tb;
  parameter QUEUES  = 48;
  parameter ENTRIES = 8;
  parameter POLICY  = 0;
  parameter FLUSH   = 1;
  localparam QUEUE_W = QUEUES > 1 ? $clog2(QUEUES) : 1;
  localparam INPUTS  = 4 + QUEUES + QUEUE_W;
  localparam OUTPUTS = 4 + QUEUE_W + QUEUES;

  wire               clk, rst_n;
  wire [INPUTS-1:0]  in;
  wire [OUTPUTS-1:0] out;
  wire [QUEUES-1:0] ready_i, held_o;
  wire take_i, head_valid_i, head_stored_i, enter_i, drain_valid_o, drain_forced_o, head_full_o,
       head_empty_o;
  wire [QUEUE_W-1:0] head_queue_i, drain_queue_o;

  assign {ready_i, take_i, head_valid_i, head_stored_i, head_queue_i, enter_i} = in;
  assign out = {drain_valid_o, drain_forced_o, drain_queue_o, head_full_o, head_empty_o, held_o};

  vector_player #(.INPUTS(INPUTS), .OUTPUTS(OUTPUTS)) player (
    .clk(clk), .rst_n(rst_n), .in(in), .out(out)
  );

`ifdef PLAIN
  mrpb_drain dut (
`else
  mrpb_drain #(.QUEUES(QUEUES), .ENTRIES(ENTRIES), .POLICY(POLICY), .FLUSH(FLUSH)) dut (
`endif
    .clk(clk),
    .rst_n(rst_n),
    .ready_i(ready_i),
    .take_i(take_i),
    .head_valid_i(head_valid_i),
    .head_stored_i(head_stored_i),
    .head_queue_i(head_queue_i),
    .enter_i(enter_i),
    .drain_valid_o(drain_valid_o),
    .drain_forced_o(drain_forced_o),
    .drain_queue_o(drain_queue_o),
    .head_full_o(head_full_o),
    .head_empty_o(head_empty_o),
    .held_o(held_o)
  );
endmodule
