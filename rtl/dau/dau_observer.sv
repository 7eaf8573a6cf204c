// SPDX-License-Identifier: Apache-2.0
// A DAU and what its surroundings can know of it: properties of the ports alone, for
// `warpmem formal dau --rtl`. The observer keeps its own list of sets in use, with the sets that
// the DAU chooses; every answer is judged by it. A label is the name that the command prints; the
// rules are in README.md. What is assumed of the inputs is what DL-MSHR keeps to. The ports that
// show a state stay open, since not every DAU has them.
`default_nettype none
`include "common/check.svh"
`include "common/formal.svh"

module dau_observer #(
  parameter int unsigned SETS     = 16,
  parameter int unsigned SLOTS    = 2,
  parameter int unsigned RESERVED = 0,
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input  wire logic             clk,
  input  wire logic             rst_n,
  input  wire logic             req_valid_i,
  input  wire logic             req_secondary_i,
  input  wire logic [SET_W-1:0] req_head_i,
  input  wire logic             ret_valid_i,
  input  wire logic [SET_W-1:0] ret_head_i
);
  localparam logic [SETS-1:0] ORDINARY = {SETS{1'b1}} << RESERVED;

  logic               req_ready, rf, req_link, ret_ready, release_busy;
  logic [SET_W-1:0]   req_set;
  logic [SLOT_W-1:0]  req_slot;
  logic [COUNT_W-1:0] n_free, n_linkable;
  dau #(
    .SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED)
  ) u_dau (
    .clk, .rst_n, .req_valid_i, .req_secondary_i, .req_head_i,
    .req_ready_o(req_ready), .rf_o(rf), .req_set_o(req_set), .req_slot_o(req_slot),
    .req_link_o(req_link),
    .ret_valid_i, .ret_head_i, .ret_ready_o(ret_ready), .release_busy_o(release_busy),
    .n_free_o(n_free), .n_linkable_o(n_linkable)
  );

  // ---- what is known ---------------------------------------------------------------------------
  logic [SETS-1:0]  free_q;               // sets that nobody has
  logic [SETS-1:0]  live_q;               // heads of chains that have not been released
  logic [SETS-1:0]  room_q;               // heads whose tail has a free slot
  logic [SET_W-1:0] tail_q [0:SETS-1];    // by head
  logic [SLOT_W-1:0] slot_q [0:SETS-1];   // the tail's next free slot, by head
  logic [SET_W-1:0] before_q [0:SETS-1];  // the set behind which one is linked
  logic             busy_q;               // a chain is being released
  logic [SET_W-1:0] freed_q, last_q;      // the set that goes now, and the head, which goes last

  logic             ret, can_link, room, accept, ready, links;
  logic [SETS-1:0]  set_hot, asked, given;
  logic [SET_W-1:0] tail, head;
  assign ret      = ret_valid_i && (!busy_q || freed_q == last_q);
  assign can_link = (free_q & ORDINARY) != '0;
  assign asked    = SETS'(1) << req_head_i;
  assign room     = (room_q & asked) != '0;
  assign tail     = tail_q[req_head_i];
  assign ready    = req_secondary_i ? room || can_link : free_q != '0;
  assign accept   = req_valid_i && ready;
  assign links    = accept && req_secondary_i && !room;
  assign set_hot  = SETS'(1) << req_set;
  assign given    = set_hot & {SETS{accept && (links || !req_secondary_i)}};
  assign head     = req_secondary_i ? req_head_i : req_set;

  initial assume (!rst_n);
  always_comb begin
    if (rst_n) begin
      assume (!ret_valid_i || (live_q & (SETS'(1) << ret_head_i)) != '0);
      assume (!req_secondary_i
              || ((live_q & asked) != '0 && !(ret && ret_head_i == req_head_i)));
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      free_q <= '1;
      live_q <= '0;
      room_q <= '0;
      busy_q <= 1'b0;
    end else begin
      free_q <= (free_q & ~given) | ((SETS'(1) << freed_q) & {SETS{busy_q}});
      live_q <= (live_q | (given & {SETS{!req_secondary_i}}))
                & ~((SETS'(1) << ret_head_i) & {SETS{ret}});
      if (accept) begin
        // A new tail has one slot taken; an old one is full with its last slot.
        if (given != '0 ? SLOTS > 1 : 32'(slot_q[head]) + 1 < SLOTS)
          room_q <= room_q | (SETS'(1) << head);
        else
          room_q <= room_q & ~(SETS'(1) << head);
        slot_q[head] <= given != '0 ? SLOT_W'(SLOTS > 1) : slot_q[head] + SLOT_W'(1);
        if (given != '0) tail_q[head] <= req_set;
        if (links) before_q[req_set] <= tail;
      end
      if (ret) begin
        busy_q  <= 1'b1;
        freed_q <= tail_q[ret_head_i];
        last_q  <= ret_head_i;
      end else if (busy_q) begin
        busy_q  <= freed_q != last_q;
        freed_q <= before_q[freed_q];
      end
    end
  end

  // ---- answers ---------------------------------------------------------------------------------
  `CHECK(answer_follows_the_rules, req_ready == ready)
  `CHECK(refused_means_rf, rf == (req_valid_i && !ready))
  `CHECK(primary_gets_a_free_set, !(accept && !req_secondary_i)
         || ((free_q & set_hot) != '0 && req_slot == '0 && !req_link))
  `CHECK(primary_prefers_a_reserved_set,
         !(accept && !req_secondary_i && (free_q & ~ORDINARY) != '0)
         || (~ORDINARY & set_hot) != '0)
  `CHECK(merge_uses_the_tail_while_it_has_room, !(accept && req_secondary_i && room)
         || (req_set == tail && req_slot == slot_q[req_head_i] && !req_link))
  `CHECK(merge_links_an_ordinary_free_set,
         !links || (req_link && req_slot == '0 && (free_q & ORDINARY & set_hot) != '0))
  `CHECK(n_free_counts_free_sets, n_free == COUNT_W'($countones(free_q)))
  `CHECK(n_linkable_counts_ordinary_ones, n_linkable == COUNT_W'($countones(free_q & ORDINARY)))
  `CHECK(release_goes_on_set_by_set, release_busy == busy_q)
  `CHECK(ret_is_ready_when_the_last_set_goes, ret_ready == (!busy_q || freed_q == last_q))

  logic f_past = 1'b0;  // out of reset at the last clock edge
  always_ff @(posedge clk) f_past <= rst_n;
  `REACH(all_sets_in_use, free_q == '0)
  `REACH(released_chain_has_gone, busy_q && freed_q == last_q)
  if (SETS > 1 && RESERVED < SETS) begin : gen_f_links
    `REACH(set_is_linked, links)
    `REACH(chain_is_released, busy_q && freed_q != last_q)
  end
endmodule
`default_nettype wire
