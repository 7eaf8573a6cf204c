// SPDX-License-Identifier: Apache-2.0
// Drain selector of MRPB (MR 3.3 and 6): the lengths of the queues, and which one gives the next
// request to the cache. With POLICY 0 a priority encoder over the queues that may drain. The rules
// are in README.md. A cycle first drains, then stores. ENTRIES 2, all requests of queue 5:
//
//   cycle         0    1    2    3    4
//   head_valid    1    1    1    1             loads
//   head_full     0    0    1    0             2: nothing may leave yet   3: one leaves
//   enter         1    1         1
//   ready[5]      0    0    0    1    1
//   drain_queue   0    0    0    5    5
`default_nettype none
`include "common/check.svh"

module mrpb_drain #(
  parameter int unsigned QUEUES  = 48,  // number of queues: 1 to 64
  parameter int unsigned ENTRIES = 8,   // requests of a queue: 1 to 1024
  parameter int unsigned POLICY  = 0,   // 0 fixed, 1 round robin, 2 longest; +3: each to its end
  parameter int unsigned FLUSH   = 1,   // 1: the queue that the waiting request needs goes first
  // This is derived; leave it alone.
  localparam int unsigned QUEUE_W = QUEUES > 1 ? $clog2(QUEUES) : 1
) (
  input  wire logic               clk,
  input  wire logic               rst_n,

  input  wire logic [QUEUES-1:0]  ready_i,         // oldest request may leave, if there is one
  input  wire logic               take_i,          // the chosen request leaves, if there is one
  output wire logic               drain_valid_o,
  output wire logic               drain_forced_o,  // the queue that the waiting request needs
  output wire logic [QUEUE_W-1:0] drain_queue_o,   // 0 unless drain_valid_o

  input  wire logic               head_valid_i,    // a request waits to enter or pass
  input  wire logic               head_stored_i,   // to be stored; else its queue has to be empty
  input  wire logic [QUEUE_W-1:0] head_queue_i,    // below QUEUES
  input  wire logic               enter_i,         // a request is stored there, after what leaves
  output wire logic               head_full_o,     // the queue is full, after what leaves
  output wire logic               head_empty_o,    // that queue is empty, after what leaves

  output wire logic [QUEUES-1:0]  held_o           // queues with requests
);
  if (QUEUES < 1 || QUEUES > 64) begin : gen_bad_queues
    $error("mrpb_drain: QUEUES must be 1 to 64");
  end
  if (ENTRIES < 1 || ENTRIES > 1024) begin : gen_bad_entries
    $error("mrpb_drain: ENTRIES must be 1 to 1024");
  end
  if (POLICY > 5) begin : gen_bad_policy
    $error("mrpb_drain: POLICY must be 0 to 5");
  end
  if (FLUSH > 1) begin : gen_bad_flush
    $error("mrpb_drain: FLUSH must be 0 or 1");
  end

  localparam int unsigned COUNT_W = ENTRIES > 0 ? $clog2(ENTRIES + 1) : 1;

  function automatic logic [QUEUES-1:0] lowest(input logic [QUEUES-1:0] among);
    lowest = among & (~among + QUEUES'(1));
  endfunction

  logic [QUEUES*COUNT_W-1:0] count_q, count_d;
  logic [QUEUES-1:0] held, full, may, head_hot, drain_hot, policy_hot, leaves, enters;
  logic [QUEUES-1:0] held_after, full_after;  // what leaves
  logic [QUEUE_W-1:0] drain_queue;
  logic forced;

  always_comb begin
    for (int unsigned q = 0; q < QUEUES; q++) begin
      held[q] = count_q[q*COUNT_W +: COUNT_W] != '0;
      full[q] = count_q[q*COUNT_W +: COUNT_W] == COUNT_W'(ENTRIES);
    end
    may      = ready_i & held;
    head_hot = QUEUES'(1) << head_queue_i;
  end

  // ---- policy ----------------------------------------------------------------------------------

  logic [QUEUES-1:0] last_hot_q;  // the queue that drained last
  if (POLICY == 1 || POLICY >= 3) begin : gen_last
    always_ff @(posedge clk) begin
      if (!rst_n) last_hot_q <= QUEUES'(1) << (QUEUES - 1);
      else if (leaves != '0) last_hot_q <= leaves;
    end
  end else begin : gen_no_last
    assign last_hot_q = '0;
  end

  logic [QUEUES-1:0] basic_hot;  // without regard to the queue that drained last

  if (POLICY % 3 == 0) begin : gen_fixed
    assign basic_hot = lowest(may);
  end else if (POLICY % 3 == 1) begin : gen_round_robin
    logic [QUEUES-1:0] behind;  // the last one
    assign behind    = ~(last_hot_q | (last_hot_q - QUEUES'(1)));
    assign basic_hot = (may & behind) != '0 ? lowest(may & behind) : lowest(may);
  end else begin : gen_longest
    // The lengths are compared bit by bit: whoever lacks a bit that another one has is out.
    logic [QUEUES-1:0] longest, having;
    always_comb begin
      longest = may;
      for (int unsigned b = 0; b < COUNT_W; b++) begin
        for (int unsigned q = 0; q < QUEUES; q++) having[q] = count_q[q*COUNT_W + COUNT_W - 1 - b];
        if ((longest & having) != '0) longest = longest & having;
      end
    end
    assign basic_hot = lowest(longest);
  end

  logic stays_q;  // it was not empty then, and its emptying goes on
  if (POLICY >= 3) begin : gen_greedy
    always_ff @(posedge clk) begin
      if (!rst_n) stays_q <= 1'b0;
      else if (leaves != '0) stays_q <= (leaves & held_after) != '0;
    end
  end else begin : gen_not_greedy
    assign stays_q = 1'b0;
  end
  assign policy_hot = stays_q && (may & last_hot_q) != '0 ? last_hot_q : basic_hot;

  // ---- what leaves, then what enters -----------------------------------------------------------

  assign forced    = FLUSH != 0 && head_valid_i && (may & head_hot) != '0
                     && (!head_stored_i || (full & head_hot) != '0);
  assign drain_hot = forced ? head_hot : policy_hot;
  assign leaves    = drain_hot & {QUEUES{take_i}};
  assign enters    = head_hot & {QUEUES{enter_i}};

  always_comb begin
    count_d = count_q;
    for (int unsigned q = 0; q < QUEUES; q++) begin
      held_after[q] = held[q] && !(leaves[q] && count_q[q*COUNT_W +: COUNT_W] == COUNT_W'(1));
      full_after[q] = full[q] && !leaves[q];
      if (leaves[q] && !enters[q])
        count_d[q*COUNT_W +: COUNT_W] = count_q[q*COUNT_W +: COUNT_W] - COUNT_W'(1);
      if (enters[q] && !leaves[q])
        count_d[q*COUNT_W +: COUNT_W] = count_q[q*COUNT_W +: COUNT_W] + COUNT_W'(1);
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) count_q <= '0;
    else count_q <= count_d;
  end

  always_comb begin
    drain_queue = '0;
    for (int unsigned q = 0; q < QUEUES; q++)
      drain_queue = drain_queue | (QUEUE_W'(q) & {QUEUE_W{drain_hot[q]}});
  end
  assign drain_queue_o  = drain_queue;
  assign drain_valid_o  = may != '0;
  assign drain_forced_o = forced;
  assign head_full_o    = (full_after & head_hot) != '0;
  assign head_empty_o   = (held_after & head_hot) == '0;
  assign held_o         = held;

  `CHECK(enters_where_there_is_room, (enters & full_after) == '0)
  `CHECK(one_queue_drains, (drain_hot & (drain_hot - QUEUES'(1))) == '0)
  `CHECK(only_what_may_drains, (drain_hot & ~may) == '0)
`ifdef FORMAL
  `include "mrpb_drain/mrpb_drain_formal.svh"
`endif
endmodule
`default_nettype wire
