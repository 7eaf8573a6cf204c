// SPDX-License-Identifier: Apache-2.0
// Some of the slot sets of dl_mshr_pipe: block address, pointers and fill of each, their
// comparators, and which of them the request and the return of stage 2 have found. What a group
// answers is zero unless one of its sets is meant, so that groups are joined by OR. A group knows
// no numbers of its own sets, so that all groups are one module to a synthesizer.
//
// peer_q of a head is the tail of its chain, of a linked set the set before it. count_q of a head
// is the number of slots taken in the tail, 0 when that is full.
`default_nettype none
`include "common/check.svh"

module dl_pipe_group #(
  parameter int unsigned COUNT     = 8,  // sets of the group
  parameter int unsigned SET_W     = 7,  // bits of a set's number
  parameter int unsigned SLOTS     = 2,  // slots of a set: 1, 2, 4 or 8
  parameter int unsigned ADDR_BITS = 25,
  parameter bit          GATING    = 1'b1,  // 0: every comparator sees every address
  parameter int unsigned SECTORS   = 1,     // sectors of a line
  localparam int unsigned SLOT_W   = SLOTS > 1 ? $clog2(SLOTS) : 1
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  // Stage 1 compares. The same pins: this address is the one of the request in stage 2.
  input  wire logic                 req_valid_i,
  input  wire logic [ADDR_BITS-1:0] req_addr_i,
  input  wire logic                 req_same_i,
  input  wire logic                 ret_valid_i,
  input  wire logic [ADDR_BITS-1:0] ret_addr_i,
  input  wire logic                 ret_same_i,
  input  wire logic                 ret_move_i,   // the return leaves stage 1

  // Stage 2 acts.
  input  wire logic [ADDR_BITS-1:0] addr_i,       // of its request
  input  wire logic                 alloc_i,      // which takes the set of free_hot_i
  input  wire logic                 take_i,       // or a slot of the tail
  input  wire logic                 link_i,       // or the set of link_hot_i
  input  wire logic [COUNT-1:0]     free_hot_i,
  input  wire logic [COUNT-1:0]     link_hot_i,
  input  wire logic [SET_W-1:0]     given_set_i,  // the number of the set taken or linked
  input  wire logic [SET_W-1:0]     tail_i,       // of the chain that is found, from all groups
  input  wire logic                 drains_i,     // the chain of its return begins to drain
  input  wire logic [SECTORS-1:0]   sectors_i,    // that its request lacks,
  input  wire logic [SECTORS-1:0]   held_i,       // that the cache keeps for it,
  input  wire logic [SECTORS-1:0]   fetch_i,      // that it fetches if it is stored
  input  wire logic [SECTORS-1:0]   ret_sectors_i,  // of its return
  output wire logic [SECTORS-1:0]   asked_o,      // by the chain that its request has found
  output wire logic [SECTORS-1:0]   ret_open_o,   // not here, of the chain of its return
  output wire logic                 hit_o,        // its request has found a chain
  output wire logic                 full_o,       // whose tail is full
  output wire logic [SET_W-1:0]     tail_o,
  output wire logic [SLOT_W-1:0]    count_o,
  output wire logic [COUNT-1:0]     ret_head_o,   // the chain that its return has found
  output wire logic [SET_W-1:0]     ret_tail_o,
  output wire logic [SLOT_W-1:0]    ret_count_o,

  // The cycle after a link, the old tail learns what is behind it.
  input  wire logic [COUNT-1:0]     behind_i,
  input  wire logic [SET_W-1:0]     behind_set_i,

  // The drain goes along the chain, the walk that frees it goes back.
  input  wire logic [COUNT-1:0]     drain_hot_i,
  output wire logic [SET_W-1:0]     next_o,
  input  wire logic [COUNT-1:0]     walk_hot_i,
  output wire logic [SET_W-1:0]     peer_o,

  output wire logic [COUNT-1:0]     live_o        // heads of chains whose data are not here
);
  logic [COUNT-1:0] live_q, found_q, ret_found_q;
  logic [COUNT-1:0] alloc, req_match, ret_match, full;
  logic [SET_W*COUNT-1:0]     tails, ret_tails, nexts, peers;
  logic [SLOT_W*COUNT-1:0]    counts, ret_counts;
  logic [SECTORS*COUNT-1:0]   askeds, opens;

  assign alloc = free_hot_i & {COUNT{alloc_i}};

  for (genvar i = 0; i < COUNT; i++) begin : gen_set
    logic [ADDR_BITS-1:0] addr_q;
    logic [SET_W-1:0]     next_q, peer_q;
    logic [SLOT_W-1:0]    count_q;
    logic                 links;

    assign links = link_i && link_hot_i[i];

    // One enable a set and purpose: a synthesizer can gate the clocks of these by them.
    always_ff @(posedge clk) begin
      if (alloc[i]) addr_q <= addr_i;
    end
    always_ff @(posedge clk) begin
      if (behind_i[i]) next_q <= behind_set_i;
    end
    always_ff @(posedge clk) begin
      if (alloc[i] || links || (link_i && found_q[i])) peer_q <= links ? tail_i : given_set_i;
    end
    always_ff @(posedge clk) begin
      if (alloc[i] || (found_q[i] && (take_i || link_i)))
        count_q <= take_i ? count_q + SLOT_W'(1) : SLOT_W'(SLOTS > 1);
    end
    assign full[i] = count_q == '0;

    dl_pipe_compare #(
      .ADDR_BITS(ADDR_BITS), .GATING(GATING)
    ) u_req (
      .live_i(live_q[i]), .own_i(addr_q), .addr_i(req_addr_i), .match_o(req_match[i])
    );
    dl_pipe_compare #(
      .ADDR_BITS(ADDR_BITS), .GATING(GATING)
    ) u_ret (
      .live_i(live_q[i]), .own_i(addr_q), .addr_i(ret_addr_i), .match_o(ret_match[i])
    );

    for (genvar b = 0; b < SET_W; b++) begin : gen_set_bit
      assign tails[b*COUNT + i]     = found_q[i] && peer_q[b];
      assign ret_tails[b*COUNT + i] = ret_found_q[i] && peer_q[b];
      assign nexts[b*COUNT + i]     = drain_hot_i[i] && next_q[b];
      assign peers[b*COUNT + i]     = walk_hot_i[i] && peer_q[b];
    end
    for (genvar b = 0; b < SLOT_W; b++) begin : gen_count_bit
      assign counts[b*COUNT + i]     = found_q[i] && count_q[b];
      assign ret_counts[b*COUNT + i] = ret_found_q[i] && count_q[b];
    end

    if (SECTORS > 1) begin : gen_sectors
      logic [SECTORS-1:0] asked_q, open_q;  // fetched or kept; fetched and not here
      logic               stored;
      assign stored = alloc[i] || (found_q[i] && (take_i || link_i));
      always_ff @(posedge clk) begin
        if (stored) asked_q <= (asked_q & {SECTORS{!alloc[i]}}) | sectors_i | held_i;
      end
      always_ff @(posedge clk) begin
        if (stored || ret_found_q[i])
          open_q <= (open_q & ~(ret_sectors_i & {SECTORS{ret_found_q[i]}}) & {SECTORS{!alloc[i]}})
                    | (fetch_i & {SECTORS{stored}});
      end
      for (genvar b = 0; b < SECTORS; b++) begin : gen_sector_bit
        assign askeds[b*COUNT + i] = found_q[i] && asked_q[b];
        assign opens[b*COUNT + i]  = ret_found_q[i] && open_q[b];
      end
    end else begin : gen_whole
      assign askeds[i] = 1'b0;
      assign opens[i]  = 1'b0;
    end
  end

  // Stage 2 must find what is there after this edge: not a chain that begins to drain at it, but
  // one that begins at it.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      live_q      <= '0;
      found_q     <= '0;
      ret_found_q <= '0;
    end else begin
      live_q  <= (live_q | alloc) & ~(ret_found_q & {COUNT{drains_i}});
      found_q <= ((req_match & ~(ret_found_q & {COUNT{drains_i}})) | (alloc & {COUNT{req_same_i}}))
                 & {COUNT{req_valid_i}};
      if (ret_move_i)
        ret_found_q <= ((ret_match & ~(ret_found_q & {COUNT{drains_i}}))
                        | (alloc & {COUNT{ret_same_i}})) & {COUNT{ret_valid_i}};
    end
  end

  assign hit_o      = |found_q;
  assign full_o     = |(found_q & full);
  assign ret_head_o = ret_found_q;
  assign live_o     = live_q;
  for (genvar b = 0; b < SET_W; b++) begin : gen_set_or
    assign tail_o[b]     = |tails[b*COUNT +: COUNT];
    assign ret_tail_o[b] = |ret_tails[b*COUNT +: COUNT];
    assign next_o[b]     = |nexts[b*COUNT +: COUNT];
    assign peer_o[b]     = |peers[b*COUNT +: COUNT];
  end
  for (genvar b = 0; b < SLOT_W; b++) begin : gen_count_or
    assign count_o[b]     = |counts[b*COUNT +: COUNT];
    assign ret_count_o[b] = |ret_counts[b*COUNT +: COUNT];
  end
  for (genvar b = 0; b < SECTORS; b++) begin : gen_sector_or
    assign asked_o[b]    = |askeds[b*COUNT +: COUNT];
    assign ret_open_o[b] = |opens[b*COUNT +: COUNT];
  end
  if (SECTORS == 1) begin : gen_unused
    logic unused_sectors;
    assign unused_sectors = &{sectors_i, held_i, fetch_i, ret_sectors_i};
  end

  `CHECK(one_set_is_found, $onehot0(found_q) && $onehot0(ret_found_q))
  `CHECK(what_is_found_is_live, ((found_q | ret_found_q) & ~live_q) == '0)
  `CHECK(a_live_set_is_not_taken, (alloc & live_q) == '0)
endmodule
`default_nettype wire
