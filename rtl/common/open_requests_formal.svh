// SPDX-License-Identifier: Apache-2.0
// Reference of an MSHR file's requests, part of the file's properties where FORMAL is defined: the
// requests of any one block, counted from the handshakes alone, and any one of them, followed from
// its acceptance to its answer. Included behind the declaration of
//   F_MOST  requests that a block can have      f_rsp   an answer of the block is valid
//   f_put   a request of the block is accepted  f_ret   its data are accepted
//   f_slot  what that request leaves                f_came  the sectors of these data
//   f_lacks, f_held  the sectors that it lacks, those that the cache keeps beside it
//   f_fetch          the sectors that it is told to fetch
//   F_BESIDE   1: a request in the cycle of its return is the chain's last one; 0: it is refused
//   F_FORGETS  1: a block is forgotten in the cycle in which its last request leaves
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

localparam int unsigned F_OPEN_W = $clog2(F_MOST + 1);
`ANY_SEQ(f_pick)                          // follow the request that is accepted now
logic [F_OPEN_W-1:0]  f_open_q;           // accepted and not answered
logic [F_OPEN_W-1:0]  f_ahead_q;          // of these before the followed one
logic [SLOT_BITS-1:0] f_slot_q;           // what the followed one left
logic                 f_followed_q;
logic                 f_drain_q;          // the data are here
logic                 f_returned, f_leaves, f_open, f_whole;
logic [SECTORS-1:0]   f_known_q;          // fetched, or kept beside the block
logic [SECTORS-1:0]   f_missing_q, f_missing;  // fetched and not here; f_missing: behind a return
logic                 f_here;             // open, as a request of this cycle sees it
assign f_open     = f_open_q != '0;
assign f_missing  = (f_missing_q & ~f_came) | (f_fetch & {SECTORS{F_BESIDE && f_put}});
assign f_whole    = f_missing == '0;
assign f_returned = f_ret && f_open && !f_drain_q && f_whole;
assign f_leaves   = f_rsp && rsp_ready_i;
assign f_here     = f_open && !(F_FORGETS && f_leaves && f_open_q == F_OPEN_W'(1));
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_open_q     <= '0;
    f_ahead_q    <= '0;
    f_slot_q     <= '0;
    f_followed_q <= 1'b0;
    f_drain_q    <= 1'b0;
    f_known_q    <= '0;
    f_missing_q  <= '0;
  end else begin
    if (f_put) f_known_q <= (f_known_q & {SECTORS{f_here}}) | f_lacks | f_held;
    f_missing_q <= (f_missing_q & ~(f_came & {SECTORS{f_ret}}) & {SECTORS{f_here}})
                   | (f_fetch & {SECTORS{f_put}});
    f_open_q  <= f_open_q + F_OPEN_W'(f_put) - F_OPEN_W'(f_leaves);
    f_drain_q <= f_returned || (f_drain_q && !(f_leaves && f_open_q == F_OPEN_W'(1)));
    if (f_put && f_pick && !f_followed_q) begin
      f_followed_q <= 1'b1;
      f_ahead_q    <= f_here ? f_open_q : '0;
      f_slot_q     <= f_slot;
    end else if (f_leaves && f_followed_q) begin
      f_followed_q <= f_ahead_q != '0;
      if (f_ahead_q != '0) f_ahead_q <= f_ahead_q - F_OPEN_W'(1);
    end
  end
end
`CHECK(only_open_requests_are_answered, !f_rsp || f_open)
`CHECK(answered_only_after_the_return, !f_rsp || f_drain_q)
`CHECK(answered_in_turn_with_its_own_slot,
       !(f_rsp && f_followed_q && f_ahead_q == '0) || rsp_slot_o == f_slot_q)
`CHECK(followed_request_is_open, !f_followed_q || f_ahead_q < f_open_q)
`CHECK(last_is_the_last_open_request, !f_rsp || rsp_last_o == (f_open_q == F_OPEN_W'(1)))
`CHECK(last_only_with_an_answer, !rsp_last_o || rsp_valid_o)
`CHECK(returned_block_takes_nothing,
       !f_put || !((f_here && f_drain_q) || (f_returned && !F_BESIDE)))
`CHECK(no_more_requests_than_slots, 32'(f_open_q) <= F_MOST
       && !(f_put && f_here && 32'(f_open_q) == F_MOST))

`CHECK(each_sector_is_fetched_once, !f_put || f_fetch
       == (SECTORS == 1 ? '0 : f_lacks & ~(f_known_q & {SECTORS{f_here}})))
`CHECK(answered_only_when_no_sector_is_missing, !f_rsp || f_missing_q == '0)

logic f_answered_q;  // all requests of the block, at some time since the reset
logic f_second_q;    // another one was before the followed one
always_ff @(posedge clk) begin
  f_answered_q <= rst_n && (f_answered_q || (f_leaves && f_open_q == F_OPEN_W'(1)));
  if (f_put && f_pick && !f_followed_q) f_second_q <= f_here;
end
`REACH(followed_request_is_answered, f_leaves && f_followed_q && f_ahead_q == '0)
`REACH(answer_waits_for_its_taker, f_rsp && !rsp_ready_i)
`REACH(block_comes_again, f_put && f_answered_q && !f_open)
`REACH(return_without_an_open_request, f_ret && !f_open)
if (F_MOST > 1) begin : gen_f_merges
  `REACH(second_in_turn_is_answered, f_leaves && f_followed_q && f_open_q == 1 && f_second_q)
  `REACH(block_has_all_its_requests, 32'(f_open_q) == F_MOST)
end
if (SECTORS > 1) begin : gen_f_sectors
  `REACH(some_sectors_come, f_ret && f_open && !f_drain_q && !f_whole)
  if (F_MOST > 1) begin : gen_f_merges
    `REACH(merge_fetches_more, f_put && f_here && f_fetch != '0)
    `REACH(merge_wants_what_is_under_way, f_put && f_here && (f_lacks & f_missing_q) != '0)
    `REACH(merge_beside_some_sectors, f_put && f_here && f_ret && !f_returned)
  end
end
