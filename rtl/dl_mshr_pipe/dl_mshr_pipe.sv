// SPDX-License-Identifier: Apache-2.0
// Dynamically linked MSHR file as a pipeline of two stages (DL 6.3: an access takes two cycles):
// stage 1 compares, stage 2 decides, writes and answers, a request and a return in every cycle.
// What both stages know of each other, and a timing diagram, are in README.md.
`default_nettype none
`include "common/check.svh"

module dl_mshr_pipe #(
  parameter int unsigned SETS      = 128,  // slot sets, 1 to 4096
  parameter int unsigned SLOTS     = 2,    // slots of a set: 1, 2, 4 or 8
  parameter int unsigned RESERVED  = 64,   // sets 0 .. RESERVED-1 are heads only, 0 to SETS
  parameter int unsigned ADDR_BITS = 25,   // bits of a block address: 1 to 64
  parameter int unsigned SLOT_BITS = 16,   // offset, requester, data ...: 1 to 1040
  parameter int unsigned RELEASES  = 1,    // drained chains that can wait for release: 1 to SETS
  parameter int unsigned GATING    = 1,    // 1: only the comparators of heads see an address; 0
  parameter int unsigned SECTORS   = 1,    // sectors of a line that are fetched apart: 1 to 8
  parameter int unsigned STORAGE   = 0,    // of slots: 0 two ports, 1 one port, 2 split cycle
  // These are derived; leave them alone.
  localparam int unsigned SET_W    = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned COUNT_W  = $clog2(SETS + 1)
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  // Stage 1: a miss asks. It is always taken, and answered in the next cycle.
  input  wire logic                 req_valid_i,
  input  wire logic [ADDR_BITS-1:0] req_addr_i,
  input  wire logic [SLOT_BITS-1:0] req_slot_i,
  input  wire logic [SECTORS-1:0]   req_sectors_i,    // that the line lacks
  input  wire logic [SECTORS-1:0]   req_held_i,       // that the cache keeps beside the chain

  // Stage 2: the answer to the request of the cycle before, from registers alone.
  output wire logic                 ans_ok_o,         // it is stored
  output wire logic                 ans_secondary_o,  // a chain has the address
  output wire logic [SET_W-1:0]     ans_set_o,        // that stores it; 0 unless ok
  output wire logic                 ans_link_o,       // newly linked for it; 0 unless ok
  output wire logic [SECTORS-1:0]   ans_fetch_o,      // to be fetched for it; 0 unless ok
  output wire logic                 rf_o,             // reservation fail: it is not stored
  output wire logic [1:0]           rf_cause_o,       // 1 no set, 2 none to link, 3 drains; else 0

  // Data of a block have returned: these sectors of it.
  input  wire logic                 ret_valid_i,
  input  wire logic [ADDR_BITS-1:0] ret_addr_i,
  input  wire logic [SECTORS-1:0]   ret_sectors_i,
  output wire logic                 ret_ready_o,
  output wire logic                 err_o,            // stage 2: no chain waits for the data

  // When all are here, its requests leave in arrival order.
  output wire logic                 rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output wire logic [SET_W-1:0]     rsp_set_o,        // that stored it
  output wire logic [ADDR_BITS-1:0] rsp_addr_o,
  output wire logic [SLOT_BITS-1:0] rsp_slot_o,
  output wire logic                 rsp_last_o,

  output wire logic [COUNT_W-1:0]   n_free_o,         // free sets
  output wire logic [COUNT_W-1:0]   n_linkable_o,     // free sets that can be linked
  output wire logic                 release_busy_o
);
  if (SETS < 1 || SETS > 4096) begin : gen_bad_sets
    $error("dl_mshr_pipe: SETS must be 1 to 4096");
  end
  if (SLOTS != 1 && SLOTS != 2 && SLOTS != 4 && SLOTS != 8) begin : gen_bad_slots
    $error("dl_mshr_pipe: SLOTS must be 1, 2, 4 or 8");
  end
  if (RESERVED > SETS) begin : gen_bad_reserved
    $error("dl_mshr_pipe: RESERVED must not exceed SETS");
  end
  if (ADDR_BITS < 1 || ADDR_BITS > 64) begin : gen_bad_addr_bits
    $error("dl_mshr_pipe: ADDR_BITS must be 1 to 64");
  end
  if (SLOT_BITS < 1 || SLOT_BITS > 1040) begin : gen_bad_slot_bits
    $error("dl_mshr_pipe: SLOT_BITS must be 1 to 1040");
  end
  if (RELEASES < 1 || RELEASES > SETS) begin : gen_bad_releases
    $error("dl_mshr_pipe: RELEASES must be 1 to SETS");
  end
  if (GATING > 1) begin : gen_bad_gating
    $error("dl_mshr_pipe: GATING must be 0 or 1");
  end
  if (SECTORS < 1 || SECTORS > 8) begin : gen_bad_sectors
    $error("dl_mshr_pipe: SECTORS must be 1 to 8");
  end
  if (STORAGE > 2) begin : gen_bad_storage
    $error("dl_mshr_pipe: STORAGE must be 0, 1 or 2");
  end

  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1;
  localparam int unsigned WORDS   = SETS * SLOTS;
  localparam int unsigned PLACE_W = WORDS > 1 ? $clog2(WORDS) : 1;
  localparam int unsigned GROUP   = 8;                          // sets of a group
  localparam int unsigned GROUPS  = (SETS + GROUP - 1) / GROUP;
  localparam logic [1:0] NONE = 2'd0, ENTRY_FULL = 2'd1, MERGE_FULL = 2'd2, DRAINING = 2'd3;

  // This is the place of a slot among all slots.
  function automatic logic [PLACE_W-1:0] place(input logic [SET_W-1:0] set,
                                               input logic [SLOT_W-1:0] slot);
    place = PLACE_W'(32'(set) * SLOTS + 32'(slot));
  endfunction

  // Returns the sets whose number has bit b.
  function automatic logic [SETS-1:0] having_bit(input int unsigned b);
    for (int unsigned i = 0; i < SETS; i++) having_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  // ---- stage 1: what stage 2 must know of the block as it is after this edge -------------------
  logic                 ask_valid_q, drained_q, returns_q, beside_q, ret_valid_q;
  logic [ADDR_BITS-1:0] ask_addr_q, ret_addr_q, drain_addr_q;
  logic [SLOT_BITS-1:0] ask_slot_q;
  logic                 drain_q, leaves, drains, drained, returns, beside;

  assign drained = drains ? req_addr_i == ret_addr_q
                          : drain_q && !leaves && req_addr_i == drain_addr_q;
  assign returns = !ret_ready_o && req_addr_i == ret_addr_q;
  assign beside  = ret_ready_o && ret_valid_i && req_addr_i == ret_addr_i;
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      ask_valid_q <= 1'b0;
      drained_q   <= 1'b0;
      returns_q   <= 1'b0;
      beside_q    <= 1'b0;
      ret_valid_q <= 1'b0;
    end else begin
      ask_valid_q <= req_valid_i;
      drained_q   <= req_valid_i && drained;
      returns_q   <= req_valid_i && returns;
      beside_q    <= req_valid_i && beside;
      if (ret_ready_o) ret_valid_q <= ret_valid_i;
    end
  end
  always_ff @(posedge clk) begin
    if (req_valid_i) begin
      ask_addr_q <= req_addr_i;
      ask_slot_q <= req_slot_i;
    end
  end
  always_ff @(posedge clk) begin
    if (ret_ready_o && ret_valid_i) ret_addr_q <= ret_addr_i;
  end

  // ---- stage 2: the request --------------------------------------------------------------------
  logic [GROUPS-1:0] hits, fulls;
  logic [SET_W-1:0]  free_set, link_set, given_set, tail;
  logic [SLOT_W-1:0] count;
  logic hit, full, may_alloc, may_link, alloc, take, link;

  assign hit       = |hits;
  assign full      = |fulls;
  // Late are hit and full, an OR over all sets.
  assign may_alloc = ask_valid_q && !drained_q && n_free_o != '0;
  assign may_link  = !returns_q && n_linkable_o != '0;  // a return that waits in stage 2 wins
  assign alloc     = may_alloc && !hit;
  assign take      = hit && !full && !returns_q;
  assign link      = full && may_link;
  assign given_set = link ? link_set : free_set;

  assign ans_ok_o        = alloc || take || link;
  assign ans_secondary_o = hit || drained_q;
  assign ans_set_o       = ({SET_W{alloc}} & free_set) | ({SET_W{take}} & tail)
                           | ({SET_W{link}} & link_set);
  assign ans_link_o      = link;
  assign rf_o            = ask_valid_q && !ans_ok_o;
  assign rf_cause_o      = !rf_o ? NONE : drained_q || (hit && returns_q) ? DRAINING
                                         : hit ? MERGE_FULL : ENTRY_FULL;

  // The old tail learns a cycle late what is behind it; a drain may ask in that cycle.
  logic             behind_q;
  logic [SET_W-1:0] behind_tail_q, behind_set_q;
  always_ff @(posedge clk) begin
    if (!rst_n) behind_q <= 1'b0;
    else behind_q <= link;
  end
  always_ff @(posedge clk) begin
    if (link) begin
      behind_tail_q <= tail;
      behind_set_q  <= link_set;
    end
  end

  // ---- stage 2: the return ---------------------------------------------------------------------
  logic [SETS-1:0]   ret_found;
  logic [SET_W-1:0]  ret_head, ret_tail;
  logic [SLOT_W-1:0] ret_count;
  logic ret_hit, ret_last;

  // Only a return with which all sectors are here waits for a drain.
  assign ret_hit     = |ret_found;
  assign err_o       = ret_valid_q && !ret_hit;
  assign drains      = ret_hit && ret_last && (!drain_q || leaves);
  assign ret_ready_o = !ret_hit || !ret_last || !drain_q || leaves;
  for (genvar b = 0; b < SET_W; b++) begin : gen_number
    localparam logic [SETS-1:0] HAVING = having_bit(b);
    assign ret_head[b] = |(ret_found & HAVING);
  end

  // ---- drain: along the chain, a request a cycle -----------------------------------------------
  logic [SET_W-1:0]  head_q, set_q, last_set_q, next_set, behind_set, after_set;
  logic [SLOT_W-1:0] next_q, last_slot_q, after_slot;
  logic last, room, moves, slot_waits;

  assign last        = set_q == last_set_q && next_q == last_slot_q;
  assign rsp_valid_o = drain_q && (!last || room) && !slot_waits;
  assign rsp_set_o   = set_q;
  assign rsp_addr_o  = drain_addr_q;
  assign rsp_last_o  = rsp_valid_o && last;
  assign leaves      = rsp_last_o && rsp_ready_i;
  assign moves       = rsp_valid_o && !last && rsp_ready_i;
  assign behind_set  = behind_q && behind_tail_q == set_q ? behind_set_q : next_set;
  assign after_set   = drains ? ret_head : next_q == SLOT_W'(SLOTS - 1) ? behind_set : set_q;
  assign after_slot  = drains || next_q == SLOT_W'(SLOTS - 1) ? '0 : next_q + SLOT_W'(1);

  always_ff @(posedge clk) begin
    if (!rst_n) drain_q <= 1'b0;
    else if (ret_ready_o) drain_q <= (ret_hit && ret_last) || (drain_q && !leaves);
  end
  always_ff @(posedge clk) begin
    if (drains) begin  // a request that came beside the return is its chain's last one
      drain_addr_q <= ret_addr_q;
      head_q       <= ret_head;
      last_set_q   <= beside_q && link ? link_set : ret_tail;
      last_slot_q  <= beside_q && link ? '0
                      : beside_q && take ? ret_count : ret_count + SLOT_W'(SLOTS - 1);
    end
  end
  always_ff @(posedge clk) begin
    if (drains || moves) begin
      set_q  <= after_set;
      next_q <= after_slot;
    end
  end

  // ---- release: a walk from the tail to the head, which frees a set a cycle --------------------
  localparam int unsigned PLACES  = RELEASES < 1 ? 1 : RELEASES;  // so that 0 gets to its message
  localparam int unsigned FIRST_W = PLACES > 1 ? $clog2(PLACES) : 1;
  localparam int unsigned NUM_W   = $clog2(PLACES + 1);
  logic [2*SET_W-1:0] queue_q [0:PLACES-1];  // tails and heads, in the order of their drains
  logic [2*SET_W-1:0] first;
  logic [FIRST_W-1:0] first_q, free_place;
  logic [NUM_W-1:0]   number_q;
  logic [NUM_W:0]     behind_first;
  logic [SET_W-1:0]   walk_head_q, walk_set_q, walk_peer;
  logic walk_q, ready, empty, get, starts;

  assign ready        = !walk_q || walk_set_q == walk_head_q;
  assign empty        = number_q == '0;
  assign get          = ready && !empty;
  assign starts       = get || (ready && leaves);
  assign room         = number_q != NUM_W'(PLACES) || ready;
  assign behind_first = (NUM_W+1)'(first_q) + (NUM_W+1)'(number_q);
  assign free_place   = FIRST_W'(behind_first >= (NUM_W+1)'(PLACES)
                                 ? behind_first - (NUM_W+1)'(PLACES) : behind_first);
  assign first        = empty ? {last_set_q, head_q} : queue_q[first_q];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      walk_q   <= 1'b0;
      first_q  <= '0;
      number_q <= '0;
    end else begin
      walk_q   <= starts || !ready;
      number_q <= number_q + NUM_W'(leaves && !(ready && empty)) - NUM_W'(get);
      if (get) first_q <= first_q == FIRST_W'(PLACES - 1) ? '0 : first_q + FIRST_W'(1);
    end
  end
  always_ff @(posedge clk) begin
    if (leaves) queue_q[free_place] <= {last_set_q, head_q};
  end
  always_ff @(posedge clk) begin
    if (starts) walk_head_q <= first[SET_W-1:0];
    if (starts || walk_q) walk_set_q <= ready ? first[2*SET_W-1:SET_W] : walk_peer;
  end

  // ---- the sets --------------------------------------------------------------------------------
  logic [SETS-1:0]          free, free_hot, link_hot, behind_hot, drain_hot, walk_hot, live;
  logic [GROUPS*SET_W-1:0]  tails, ret_tails, nexts, peers;   // bit planes
  logic [GROUPS*SLOT_W-1:0] counts, ret_counts;
  logic [GROUPS*SECTORS-1:0] askeds, opens;
  logic [SECTORS-1:0]       ask_sectors_q, ask_held_q, ret_sectors_q, fetch;
  logic req_same, ret_same;

  assign req_same   = req_addr_i == ask_addr_q;
  assign ret_same   = ret_addr_i == ask_addr_q;
  assign behind_hot = (SETS'(1) << behind_tail_q) & {SETS{behind_q}};
  assign drain_hot  = SETS'(1) << set_q;
  assign walk_hot   = SETS'(1) << walk_set_q;

  for (genvar g = 0; g < GROUPS; g++) begin : gen_group
    localparam int unsigned COUNT = (g + 1) * GROUP <= SETS ? GROUP : SETS - g * GROUP;
    logic [SET_W-1:0]  own_tail, own_ret_tail, own_next, own_peer;
    logic [SLOT_W-1:0] own_count, own_ret_count;
    logic [SECTORS-1:0] own_asked, own_open;

    dl_pipe_group #(
      .COUNT(COUNT), .SET_W(SET_W), .SLOTS(SLOTS), .ADDR_BITS(ADDR_BITS < 1 ? 1 : ADDR_BITS),
      .GATING(GATING != 0), .SECTORS(SECTORS)
    ) u_group (
      .clk, .rst_n,
      .req_valid_i, .req_addr_i, .req_same_i(req_same),
      .ret_valid_i, .ret_addr_i, .ret_same_i(ret_same), .ret_move_i(ret_ready_o),
      .addr_i(ask_addr_q), .alloc_i(alloc), .take_i(take), .link_i(link),
      .free_hot_i(free_hot[g*GROUP +: COUNT]), .link_hot_i(link_hot[g*GROUP +: COUNT]),
      .given_set_i(given_set), .tail_i(tail), .drains_i(drains),
      .sectors_i(ask_sectors_q), .held_i(ask_held_q), .fetch_i(fetch),
      .ret_sectors_i(ret_sectors_q), .asked_o(own_asked), .ret_open_o(own_open),
      .hit_o(hits[g]), .full_o(fulls[g]),
      .tail_o(own_tail), .count_o(own_count),
      .ret_head_o(ret_found[g*GROUP +: COUNT]), .ret_tail_o(own_ret_tail),
      .ret_count_o(own_ret_count),
      .behind_i(behind_hot[g*GROUP +: COUNT]), .behind_set_i(behind_set_q),
      .drain_hot_i(drain_hot[g*GROUP +: COUNT]), .next_o(own_next),
      .walk_hot_i(walk_hot[g*GROUP +: COUNT]), .peer_o(own_peer),
      .live_o(live[g*GROUP +: COUNT])
    );
    for (genvar b = 0; b < SET_W; b++) begin : gen_set_bit
      assign tails[b*GROUPS + g]     = own_tail[b];
      assign ret_tails[b*GROUPS + g] = own_ret_tail[b];
      assign nexts[b*GROUPS + g]     = own_next[b];
      assign peers[b*GROUPS + g]     = own_peer[b];
    end
    for (genvar b = 0; b < SLOT_W; b++) begin : gen_slot_bit
      assign counts[b*GROUPS + g]     = own_count[b];
      assign ret_counts[b*GROUPS + g] = own_ret_count[b];
    end
    for (genvar b = 0; b < SECTORS; b++) begin : gen_sector_bit
      assign askeds[b*GROUPS + g] = own_asked[b];
      assign opens[b*GROUPS + g]  = own_open[b];
    end
  end
  for (genvar b = 0; b < SET_W; b++) begin : gen_set_or
    assign tail[b]         = |tails[b*GROUPS +: GROUPS];
    assign ret_tail[b]     = |ret_tails[b*GROUPS +: GROUPS];
    assign next_set[b]     = |nexts[b*GROUPS +: GROUPS];
    assign walk_peer[b]    = |peers[b*GROUPS +: GROUPS];
  end
  for (genvar b = 0; b < SLOT_W; b++) begin : gen_slot_or
    assign count[b]     = |counts[b*GROUPS +: GROUPS];
    assign ret_count[b] = |ret_counts[b*GROUPS +: GROUPS];
  end

  // ---- sectors, of which the head of a chain knows ----------------------------------------------
  if (SECTORS > 1) begin : gen_sectors
    logic [SECTORS-1:0] asked, ret_open;
    for (genvar b = 0; b < SECTORS; b++) begin : gen_or
      assign asked[b]    = |askeds[b*GROUPS +: GROUPS];
      assign ret_open[b] = |opens[b*GROUPS +: GROUPS];
    end
    always_ff @(posedge clk) begin
      if (req_valid_i) begin
        ask_sectors_q <= req_sectors_i;
        ask_held_q    <= req_held_i;
      end
    end
    always_ff @(posedge clk) begin
      if (ret_ready_o && ret_valid_i) ret_sectors_q <= ret_sectors_i;
    end
    // A request that came beside the return may fetch more, for which the chain then waits.
    assign fetch    = ask_sectors_q & ~asked;
    assign ret_last = ((ret_open & ~ret_sectors_q)
                       | (fetch & {SECTORS{beside_q && (take || link)}})) == '0;
  end else begin : gen_whole
    logic unused_sectors;
    assign unused_sectors = &{req_sectors_i, req_held_i, ret_sectors_i, askeds, opens};
    assign ask_sectors_q  = '0;
    assign ask_held_q     = '0;
    assign ret_sectors_q  = '0;
    assign fetch          = '0;
    assign ret_last       = 1'b1;
  end
  assign ans_fetch_o = fetch & {SECTORS{ans_ok_o}};

  dl_pipe_free #(
    .SETS(SETS), .RESERVED(RESERVED)
  ) u_free (
    .clk, .rst_n,
    .give_free_i(alloc), .give_link_i(link),
    .frees_i(walk_q), .frees_set_i(walk_set_q), .freed_o(release_busy_o),
    .free_o(free), .free_hot_o(free_hot), .link_hot_o(link_hot),
    .free_set_o(free_set), .link_set_o(link_set), .n_free_o, .n_linkable_o
  );

  slot_memory #(
    .WORDS(WORDS), .BITS(SLOT_BITS), .STORAGE(STORAGE)
  ) u_slots (
    .clk, .rst_n,
    .write_i(ans_ok_o), .write_word_i(place(ans_set_o, take ? count : '0)),
    .write_data_i(ask_slot_q),
    .read_i(drains || moves), .read_word_i(place(after_set, after_slot)),
    .again_word_i(place(set_q, next_q)), .waits_o(slot_waits), .read_data_o(rsp_slot_o)
  );

  `CHECK(one_head_an_address, $onehot0(ret_found) && $countones(hits) <= 1)
  `CHECK(live_sets_are_taken, (live & free) == '0)
  `CHECK(a_return_is_found_as_its_request_is, !(hit && (returns_q || beside_q)) || ret_hit)
  `CHECK(a_draining_block_is_not_live, !(hit && drained_q))
`ifdef FORMAL
  `include "dl_mshr_pipe/dl_mshr_pipe_formal.svh"
`endif
endmodule
`default_nettype wire
