// SPDX-License-Identifier: Apache-2.0
// Dynamically linked MSHR file (DL 4): slot sets that become heads, with the block's address, or
// are linked behind other sets. The DAU (rtl/dau) gives them out; here are the comparators, gated
// by H (optimisation 2), the slots, and the drain along the chain. The rules and a timing diagram
// are in README.md.
`default_nettype none
`include "common/check.svh"

module dl_mshr #(
  parameter int unsigned SETS      = 128,  // slot sets, 1 to 4096
  parameter int unsigned SLOTS     = 2,    // slots of a set: 1, 2, 4 or 8
  parameter int unsigned RESERVED  = 64,   // sets 0 .. RESERVED-1 are heads only, 0 to SETS
  parameter int unsigned ADDR_BITS = 25,   // bits of a block address: 1 to 64
  parameter int unsigned SLOT_BITS = 16,   // offset, requester ...: 1 to 512
  parameter int unsigned RELEASES  = 0,    // drained chains that can wait for release: 0 to SETS
  parameter int unsigned SECTORS   = 1,    // sectors of a line that are fetched apart: 1 to 8
  parameter int unsigned STORAGE   = 0,    // of slots: 0 two ports, 1 one port, 2 split cycle
  // These are derived; leave them alone.
  localparam int unsigned SET_W    = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned COUNT_W  = $clog2(SETS + 1)
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  // A miss asks. Neither ready nor what follows depends on req_valid_i, except for rf.
  input  wire logic                 req_valid_i,
  input  wire logic [ADDR_BITS-1:0] req_addr_i,
  input  wire logic [SLOT_BITS-1:0] req_slot_i,
  input  wire logic [SECTORS-1:0]   req_sectors_i,    // that the line lacks
  input  wire logic [SECTORS-1:0]   req_held_i,       // that the cache keeps beside the chain
  output wire logic                 req_ready_o,
  output wire logic                 req_secondary_o,  // a head has the address
  output wire logic [SET_W-1:0]     req_set_o,        // that stores it; 0 unless ready
  output wire logic                 req_link_o,       // newly linked for it; 0 unless ready
  output wire logic [SECTORS-1:0]   req_fetch_o,      // to be fetched for it; 0 unless ready
  output wire logic                 rf_o,             // reservation fail: valid, not ready
  output wire logic [1:0]           rf_cause_o,       // 1 no set, 2 none to link, 3 drains; else 0

  // Data of a block have returned: these sectors of it.
  input  wire logic                 ret_valid_i,
  input  wire logic [ADDR_BITS-1:0] ret_addr_i,
  input  wire logic [SECTORS-1:0]   ret_sectors_i,
  output wire logic                 ret_ready_o,

  // When all are here, its requests leave in arrival order.
  output wire logic                 rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output wire logic [SET_W-1:0]     rsp_set_o,        // that stores it
  output wire logic [ADDR_BITS-1:0] rsp_addr_o,
  output wire logic [SLOT_BITS-1:0] rsp_slot_o,
  output wire logic                 rsp_last_o,

  output wire logic [COUNT_W-1:0]   n_free_o,         // free sets
  output wire logic [COUNT_W-1:0]   n_linkable_o,     // free sets that can be linked
  output wire logic                 release_busy_o
);
  if (ADDR_BITS < 1 || ADDR_BITS > 64) begin : gen_bad_addr_bits
    $error("dl_mshr: ADDR_BITS must be 1 to 64");
  end
  if (SLOT_BITS < 1 || SLOT_BITS > 512) begin : gen_bad_slot_bits
    $error("dl_mshr: SLOT_BITS must be 1 to 512");
  end
  if (RELEASES > SETS) begin : gen_bad_releases
    $error("dl_mshr: RELEASES must not exceed SETS");
  end
  if (SECTORS < 1 || SECTORS > 8) begin : gen_bad_sectors
    $error("dl_mshr: SECTORS must be 1 to 8");
  end
  if (STORAGE > 2) begin : gen_bad_storage
    $error("dl_mshr: STORAGE must be 0, 1 or 2");
  end

  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1;
  localparam int unsigned PLACE_W = SETS * SLOTS > 1 ? $clog2(SETS * SLOTS) : 1;
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

  logic [ADDR_BITS-1:0] addr_q [0:SETS-1];

  logic [SETS-1:0]        head, linked, s_free, s_full, releasing;
  logic [SETS*SLOT_W-1:0] count;   // bit planes
  logic [SETS*SET_W-1:0]  next, unused_peer;
  logic [SETS-1:0]        unused_fail;

  // ---- comparators: only those of heads see the address ----------------------------------------
  logic [SETS-1:0]  live, req_match, ret_match, drain_hot, draining;
  logic [SETS-1:0]  waiting;  // heads of drained chains that wait for their release
  logic [SETS-1:0]  gone;     // head whose block is forgotten in this cycle
  logic [SET_W-1:0] req_head, ret_head;

  assign live = head & ~s_free & ~releasing & ~waiting;  // the block's chain, until it has drained
  for (genvar i = 0; i < SETS; i++) begin : gen_cam
    assign req_match[i] = live[i] && !gone[i]
                          && ((addr_q[i] ^ req_addr_i) & {ADDR_BITS{head[i]}}) == '0;
    assign ret_match[i] = live[i] && !draining[i]
                          && ((addr_q[i] ^ ret_addr_i) & {ADDR_BITS{head[i]}}) == '0;
  end
  for (genvar b = 0; b < SET_W; b++) begin : gen_number
    localparam logic [SETS-1:0] HAVING = having_bit(b);
    assign req_head[b] = |(req_match & HAVING);
    assign ret_head[b] = |(ret_match & HAVING);
  end

  // ---- request ---------------------------------------------------------------------------------
  logic hit, drained, asks, fire, ret_here, ret_last, ret_fire, dau_ready, dau_rf, dau_link;
  logic [SET_W-1:0]  dau_set;
  logic [SLOT_W-1:0] dau_slot;

  assign hit     = |req_match;
  assign drained = |(req_match & draining) || (ret_fire && hit && ret_addr_i == req_addr_i);
  assign asks    = req_valid_i && !drained;
  assign fire    = asks && dau_ready;

  assign req_ready_o     = dau_ready && !drained;
  assign req_secondary_o = hit;
  assign req_set_o       = dau_set & {SET_W{!drained}};
  assign req_link_o      = dau_link && !drained;
  assign rf_o            = req_valid_i && (drained || dau_rf);
  assign rf_cause_o      = !rf_o ? NONE : drained ? DRAINING : hit ? MERGE_FULL : ENTRY_FULL;

  always_ff @(posedge clk) begin
    if (fire && !hit) addr_q[dau_set] <= req_addr_i;
  end

  // ---- sectors, of which the head of a chain knows ----------------------------------------------
  logic [SECTORS-1:0] fetch;
  mshr_sectors #(
    .ENTRIES(SETS), .SECTORS(SECTORS)
  ) u_sectors (
    .clk, .rst_n,
    .put_valid_i(fire), .put_first_i(!hit), .put_entry_i(hit ? req_head : dau_set),
    .ask_entry_i(req_head),
    .put_sectors_i(req_sectors_i), .put_held_i(req_held_i), .put_fetch_o(fetch),
    .ret_valid_i(ret_here), .ret_entry_i(ret_head), .ret_sectors_i, .ret_last_o(ret_last)
  );
  assign req_fetch_o = fetch & {SECTORS{req_ready_o}};

  // ---- drain: along the chain, and RET to the DAU with the last request ------------------------
  logic              drain_q;
  logic [SET_W-1:0]  head_q, set_q, next_set;  // of the chain; of the next request; behind it
  logic [SET_W-1:0]  after_set;                // set and slot of the request after it
  logic [SLOT_W-1:0] next_q, after_slot, set_count;
  logic [SETS-1:0]   set_hot;
  logic set_linked, set_full, last, leaves, dau_ret_ready, dau_ret_valid, room, moves;
  logic slot_waits;
  logic [SET_W-1:0]  dau_ret_head;

  assign drain_hot  = SETS'(1) << head_q;
  assign draining   = drain_hot & {SETS{drain_q}};
  assign set_hot    = SETS'(1) << set_q;
  assign set_linked = |(set_hot & linked);
  assign set_full   = |(set_hot & s_full);
  for (genvar b = 0; b < SLOT_W; b++) begin : gen_count
    assign set_count[b] = |(set_hot & count[b*SETS +: SETS]);
  end
  for (genvar b = 0; b < SET_W; b++) begin : gen_next
    assign next_set[b] = |(set_hot & next[b*SETS +: SETS]);
  end
  assign last = !set_linked
                && next_q == (set_full ? SLOT_W'(SLOTS - 1) : set_count - SLOT_W'(1));

  // The last request waits until the DAU takes RET, or the chain finds room among those that wait.
  assign rsp_valid_o = drain_q && (!last || room) && !slot_waits;
  assign rsp_set_o   = set_q;
  assign rsp_addr_o  = addr_q[head_q];
  assign rsp_last_o  = rsp_valid_o && last;
  assign leaves      = rsp_last_o && rsp_ready_i;
  assign ret_ready_o = !drain_q || leaves;
  assign ret_here    = ret_valid_i && ret_ready_o && |ret_match;
  assign ret_fire    = ret_here && ret_last;  // all sectors are here
  assign moves       = rsp_valid_o && !last && rsp_ready_i;
  assign after_set   = ret_ready_o ? ret_head : next_q == SLOT_W'(SLOTS - 1) ? next_set : set_q;
  assign after_slot  = ret_ready_o || next_q == SLOT_W'(SLOTS - 1) ? '0 : next_q + SLOT_W'(1);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      drain_q <= 1'b0;
      head_q  <= '0;
      set_q   <= '0;
      next_q  <= '0;
    end else begin
      if (ret_ready_o) begin
        drain_q <= ret_fire;
        head_q  <= ret_head;
      end
      if (ret_ready_o || moves) begin
        set_q  <= after_set;
        next_q <= after_slot;
      end
    end
  end

  // ---- slots: read in the cycle of their request, or as a memory at the edge before it ----------
  if (STORAGE == 0) begin : gen_slots
    logic [SLOT_BITS-1:0] slot_q [0:SETS*SLOTS-1];
    always_ff @(posedge clk) begin
      if (fire) slot_q[place(dau_set, dau_slot)] <= req_slot_i;
    end
    assign rsp_slot_o = slot_q[place(set_q, next_q)];
    assign slot_waits = 1'b0;
  end else begin : gen_memory
    slot_memory #(
      .WORDS(SETS * SLOTS), .BITS(SLOT_BITS), .STORAGE(STORAGE)
    ) u_slots (
      .clk, .rst_n,
      .write_i(fire), .write_word_i(place(dau_set, dau_slot)), .write_data_i(req_slot_i),
      .read_i(ret_fire || moves), .read_word_i(place(after_set, after_slot)),
      .again_word_i(place(set_q, next_q)), .waits_o(slot_waits), .read_data_o(rsp_slot_o)
    );
  end

  // ---- drained chains that wait while the DAU releases the one before -------------------------
  if (RELEASES == 0) begin : gen_no_wait
    assign waiting       = '0;
    assign gone          = '0;
    assign room          = dau_ret_ready;
    assign dau_ret_valid = leaves;
    assign dau_ret_head  = head_q;
  end else begin : gen_wait
    localparam int unsigned PLACES  = RELEASES;
    localparam int unsigned FIRST_W = PLACES > 1 ? $clog2(PLACES) : 1;
    localparam int unsigned NUM_W   = $clog2(PLACES + 1);
    logic [SET_W-1:0]   queue_q [0:PLACES-1];  // heads, in the order of their drains
    logic [FIRST_W-1:0] first_q, free_place;
    logic [NUM_W-1:0]   number_q;
    logic [NUM_W:0]     behind;
    logic [SETS-1:0]    waiting_q;
    logic put, get;

    // The block's next miss is a primary one from the cycle on in which the last request leaves.
    assign gone          = draining & {SETS{leaves}};
    assign waiting       = waiting_q;
    assign room          = number_q != NUM_W'(PLACES) || dau_ret_ready;
    assign dau_ret_valid = number_q != '0 || leaves;
    assign dau_ret_head  = number_q != '0 ? queue_q[first_q] : head_q;
    assign put           = leaves && !(number_q == '0 && dau_ret_ready);
    assign get           = number_q != '0 && dau_ret_ready;
    assign behind        = (NUM_W+1)'(first_q) + (NUM_W+1)'(number_q);
    assign free_place    = FIRST_W'(behind >= (NUM_W+1)'(PLACES) ? behind - (NUM_W+1)'(PLACES)
                                                                 : behind);
    always_ff @(posedge clk) begin
      if (!rst_n) begin
        first_q   <= '0;
        number_q  <= '0;
        waiting_q <= '0;
      end else begin
        if (get) first_q <= first_q == FIRST_W'(PLACES - 1) ? '0 : first_q + FIRST_W'(1);
        number_q  <= number_q + NUM_W'(put) - NUM_W'(get);
        waiting_q <= (waiting_q & ~((SETS'(1) << dau_ret_head) & {SETS{get}}))
                     | (drain_hot & {SETS{put}});
      end
      if (put) queue_q[free_place] <= head_q;
    end
    `CHECK(waiting_chains_are_taken, (waiting_q & (s_free | releasing | ~head)) == '0)
    `CHECK(waiting_chains_are_counted, NUM_W'($countones(waiting_q)) == number_q)
  end

  dau #(
    .SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED)
  ) u_dau (
    .clk, .rst_n,
    .req_valid_i(asks), .req_secondary_i(hit), .req_head_i(req_head), .req_ready_o(dau_ready),
    .rf_o(dau_rf), .req_set_o(dau_set), .req_slot_o(dau_slot), .req_link_o(dau_link),
    .ret_valid_i(dau_ret_valid), .ret_head_i(dau_ret_head), .ret_ready_o(dau_ret_ready),
    .release_busy_o, .n_free_o, .n_linkable_o,
    .head_o(head), .linked_o(linked), .s_free_o(s_free), .s_full_o(s_full), .fail_o(unused_fail),
    .releasing_o(releasing), .count_o(count), .next_o(next), .peer_o(unused_peer)
  );

  `CHECK(one_head_an_address, $onehot0(req_match))
  `CHECK(a_live_chain_drains, !drain_q || |(drain_hot & live))
`ifdef FORMAL
  `include "dl_mshr/dl_mshr_formal.svh"
`endif
endmodule
`default_nettype wire
