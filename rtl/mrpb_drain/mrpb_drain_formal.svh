// SPDX-License-Identifier: Apache-2.0
// Properties of MRPB's drain selector: lengths by a counter beside it, for any one queue, and the
// words of MR 3.3 on the choice.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;
`ANY_CONST(QUEUE_W, f_queue)
`ASSUME(followed_queue_exists, 32'(f_queue) < QUEUES)
`ASSUME(head_queue_exists, 32'(head_queue_i) < QUEUES)
`ASSUME(enters_only_with_room, !(enter_i && head_full_o))

logic [COUNT_W-1:0] f_length_q, f_left;
logic f_leaves, f_enters, f_is_head;
assign f_is_head = head_queue_i == f_queue;
assign f_leaves  = take_i && drain_valid_o && drain_queue_o == f_queue;
assign f_enters  = enter_i && f_is_head;
assign f_left    = f_length_q - COUNT_W'(f_leaves);
always_ff @(posedge clk) begin
  if (!rst_n) f_length_q <= '0;
  else f_length_q <= f_left + COUNT_W'(f_enters);
end
// Another queue is chosen as a request enters it, both being empty.
`CHOOSE(QUEUE_W, f_queue, head_queue_i,
        enter_i && f_length_q == '0 && (held_o & (QUEUES'(1) << head_queue_i)) == '0)
logic [QUEUES-1:0] f_hot;
assign f_hot = QUEUES'(1) << f_queue;
`CHECK(length_is_what_entered_and_did_not_leave, count_q[f_queue*COUNT_W +: COUNT_W] == f_length_q)
`CHECK(length_keeps_within_the_entries, 32'(f_length_q) <= ENTRIES)
`CHECK(held_means_a_length, ((held_o & f_hot) != '0) == (f_length_q != '0))
`CHECK(full_counts_what_leaves, !f_is_head || head_full_o == (32'(f_left) == ENTRIES))
`CHECK(empty_counts_what_leaves, !f_is_head || head_empty_o == (f_left == '0))

`CHECK(some_queue_drains_if_any_may, drain_valid_o == ((ready_i & held_o) != '0)
       && (drain_valid_o || drain_queue_o == '0))
`CHECK(chosen_queue_may_drain, !(drain_valid_o && drain_queue_o == f_queue)
       || (ready_i & held_o & f_hot) != '0)
`CHECK(flush_follows_the_rules, drain_forced_o == (FLUSH != 0 && head_valid_i
       && ((ready_i & held_o) >> head_queue_i & QUEUES'(1)) != '0
       && (!head_stored_i || (full & head_hot) != '0)))
`CHECK(flush_drains_the_queue_that_is_needed, !drain_forced_o || drain_queue_o == head_queue_i)
// The queue that drained last; whether it held more then, and a greedy policy goes on with it.
logic [QUEUE_W-1:0] f_last_q;
logic f_more_q, f_goes_on, f_chosen, f_beside;
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_last_q <= QUEUE_W'(QUEUES - 1);
    f_more_q <= 1'b0;
  end else if (take_i && drain_valid_o) begin
    f_last_q <= drain_queue_o;
    f_more_q <= count_q[drain_queue_o*COUNT_W +: COUNT_W] != COUNT_W'(1);
  end
end
assign f_goes_on = POLICY >= 3 && f_more_q
                   && (ready_i & held_o & (QUEUES'(1) << f_last_q)) != '0;
assign f_chosen  = drain_valid_o && !drain_forced_o && !f_goes_on;  // by the policy without greed
assign f_beside  = f_chosen && (ready_i & held_o & f_hot) != '0;    // and the queue may drain, too
`CHECK(greedy_queue_is_emptied_first, drain_forced_o || !f_goes_on || drain_queue_o == f_last_q)
`CHECK(fixed_order_passes_no_lower_queue, POLICY % 3 != 0 || !f_beside || f_queue >= drain_queue_o)
// Behind the queue that drained last come those of higher numbers and then the lower ones.
`CHECK(round_robin_passes_no_earlier_queue, POLICY % 3 != 1 || !f_beside
       || ((f_queue > f_last_q) == (drain_queue_o > f_last_q) ? f_queue >= drain_queue_o
                                                               : f_queue <= f_last_q))
`CHECK(longest_passes_no_longer_queue, POLICY % 3 != 2 || !f_beside
       || f_length_q < count_q[drain_queue_o*COUNT_W +: COUNT_W]
       || (f_length_q == count_q[drain_queue_o*COUNT_W +: COUNT_W] && f_queue >= drain_queue_o))

`REACH(full_queue_gives_and_takes, drain_forced_o && take_i && enter_i && f_is_head)
`REACH(write_waits_for_its_queue, drain_forced_o && !head_stored_i)
`REACH(highest_queue_drains, QUEUES == 1 || (drain_valid_o && 32'(drain_queue_o) == QUEUES - 1))
