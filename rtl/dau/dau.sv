// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of DL-MSHR (DL 4.5): gives slots to misses, links slot sets into chains
// and releases them. Free-set selection, counters and pointers are here, the state machines of the
// sets in dau_sets.sv; the rules are in README.md. Release of a chain of three, head a, b, tail c:
//
//   cycle        0      1      2      3      4
//   ret_valid    1                    (1)
//   ret_ready    1      0      0      1      1        3: the head goes, the next RET may come
//   a            S3     S5     S5     S5     S0
//   b            S8     S10    S10    S0
//   c            S7     S10    S0
//   n_free       0      0      1      2      3
//
// A number for each set is kept as bit planes: bit b of set i stands at b*SETS + i. A comparison of
// all sets is then an operation on whole vectors, for the simulator too.
`default_nettype none
`include "common/check.svh"

module dau #(
  parameter int unsigned SETS     = 16,  // slot sets, 1 to 4096
  parameter int unsigned SLOTS    = 2,   // slots of a set: 1, 2, 4 or 8
  parameter int unsigned RESERVED = 0,   // sets 0 .. RESERVED-1 are heads only, 0 to SETS
  // These are derived; leave them alone.
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input  wire logic                   clk,
  input  wire logic                   rst_n,

  // A miss asks for a slot.
  input  wire logic                   req_valid_i,
  input  wire logic                   req_secondary_i,  // 1: merges into the chain of req_head_i
  input  wire logic [SET_W-1:0]       req_head_i,
  output wire logic                   req_ready_o,      // does not depend on req_valid_i
  output wire logic                   rf_o,             // reservation fail: valid, not ready
  output wire logic [SET_W-1:0]       req_set_o,        // this and the next two are 0 unless ready
  output wire logic [SLOT_W-1:0]      req_slot_o,
  output wire logic                   req_link_o,       // req_set_o is newly linked

  // The data of a chain have returned: release it.
  input  wire logic                   ret_valid_i,
  input  wire logic [SET_W-1:0]       ret_head_i,
  output wire logic                   ret_ready_o,
  output wire logic                   release_busy_o,

  output wire logic [COUNT_W-1:0]     n_free_o,         // free sets
  output wire logic [COUNT_W-1:0]     n_linkable_o,     // free ordinary sets

  // This is the state of the sets. The last three are bit planes.
  output wire logic [SETS-1:0]        head_o,           // H; always 1 in a reserved set
  output wire logic [SETS-1:0]        linked_o,         // L
  output wire logic [SETS-1:0]        s_free_o,         // S0
  output wire logic [SETS-1:0]        s_full_o,
  output wire logic [SETS-1:0]        fail_o,           // S4 and S9
  output wire logic [SETS-1:0]        releasing_o,      // S5 and S10
  output wire logic [SETS*SLOT_W-1:0] count_o,          // slots taken in S1 and S6; else 0
  output wire logic [SETS*SET_W-1:0]  next_o,           // P
  output wire logic [SETS*SET_W-1:0]  peer_o            // head: its tail; attached set: its head
);
  if (SETS < 1 || SETS > 4096) begin : gen_bad_sets
    $error("dau: SETS must be 1 to 4096");
  end
  if (SLOTS != 1 && SLOTS != 2 && SLOTS != 4 && SLOTS != 8) begin : gen_bad_slots
    $error("dau: SLOTS must be 1, 2, 4 or 8");
  end
  if (RESERVED > SETS) begin : gen_bad_reserved
    $error("dau: RESERVED must not exceed SETS");
  end

  // It is at least 1, so that SETS = 0 gets as far as its message.
  localparam int unsigned     ALL      = SETS < 1 ? 1 : SETS;
  localparam logic [SETS-1:0] ORDINARY = {ALL{1'b1}} << RESERVED;

  // Returns the lowest bit that is 1, in a depth that grows with the logarithm of SETS.
  function automatic logic [SETS-1:0] lowest(input logic [SETS-1:0] bits);
    logic [SETS-1:0] seen;
    seen = bits;
    for (int unsigned step = 1; step < SETS; step = step * 2) seen = seen | (seen << step);
    lowest = bits & ~(seen << 1);
  endfunction

  // Returns the sets whose number has bit b.
  function automatic logic [SETS-1:0] having_bit(input int unsigned b);
    for (int unsigned i = 0; i < SETS; i++) having_bit[i] = ((i >> b) & 1) != 0;
  endfunction

  logic [SETS-1:0]        active, attached, freed;
  logic [SETS*SET_W-1:0]  next_q, peer_q;
  logic [COUNT_W-1:0]     n_free_q, n_linkable_q;

  // ---- release -------------------------------------------------------------------------------
  logic [SETS-1:0]  ret_hot;      // the set of ret_head_i; none if there is no such set
  logic [SETS-1:0]  of_ret_head;  // peer_q is ret_head_i
  logic [SETS-1:0]  before_freed; // next_q is the set freed in the last cycle
  logic [SET_W-1:0] freed_set, freed_set_q;
  logic             freed_valid_q, ret_accept;

  assign ret_hot        = SETS'(1) << ret_head_i;
  assign release_busy_o = |releasing_o;
  assign ret_ready_o    = (releasing_o & ~freed) == '0;  // nothing is left after this cycle
  assign ret_accept     = ret_valid_i && ret_ready_o && |(ret_hot & active);
  always_comb begin
    of_ret_head  = '1;
    before_freed = {SETS{freed_valid_q}};
    for (int unsigned b = 0; b < SET_W; b++) begin
      of_ret_head  = of_ret_head & ~(peer_q[b*SETS +: SETS] ^ {SETS{ret_head_i[b]}});
      before_freed = before_freed & ~(next_q[b*SETS +: SETS] ^ {SETS{freed_set_q[b]}});
    end
  end

  // ---- request -------------------------------------------------------------------------------
  logic [SETS-1:0]   head_hot, tail_hot;    // of the chain that is asked for
  logic [SETS-1:0]   free_hot, link_hot;    // the lowest free set, the lowest that can be linked
  logic [SET_W-1:0]  tail, free_set, link_set;
  logic [SLOT_W-1:0] tail_count;
  logic linkable, live, tail_full, primary, take, link, fail;

  assign head_hot = SETS'(1) << req_head_i;
  assign tail_hot = SETS'(1) << tail;
  assign free_hot = lowest(s_free_o);  // the reserved sets have the lowest numbers
  assign link_hot = lowest(s_free_o & ORDINARY);
  for (genvar b = 0; b < SET_W; b++) begin : gen_number
    localparam logic [SETS-1:0] HAVING = having_bit(b);
    assign tail[b]      = |(head_hot & peer_q[b*SETS +: SETS]);
    assign free_set[b]  = |(free_hot & HAVING);
    assign link_set[b]  = |(link_hot & HAVING);
    assign freed_set[b] = |(freed & HAVING);
  end
  for (genvar b = 0; b < SLOT_W; b++) begin : gen_tail_count
    assign tail_count[b] = |(tail_hot & count_o[b*SETS +: SETS]);
  end

  assign linkable  = n_linkable_q != '0;
  assign live      = req_secondary_i && |(head_hot & active)
                     && !(ret_accept && ret_head_i == req_head_i);
  assign tail_full = |(tail_hot & s_full_o);
  assign primary   = !req_secondary_i && n_free_q != '0;
  assign take      = live && !tail_full;
  assign link      = live && tail_full && linkable;
  assign fail      = live && tail_full && !linkable;

  assign req_ready_o = primary || take || link;
  assign rf_o        = req_valid_i && !req_ready_o;
  assign req_link_o  = link;
  assign req_set_o   = ({SET_W{primary}} & free_set) | ({SET_W{take}} & tail)
                       | ({SET_W{link}} & link_set);
  assign req_slot_o  = {SLOT_W{take}} & tail_count;

  // ---- the sets ------------------------------------------------------------------------------
  logic [SETS-1:0] req_h, req_a, links;
  assign req_h = free_hot & {SETS{req_valid_i && primary}};
  assign req_a = link_hot & {SETS{req_valid_i && link}};
  assign links = tail_hot & {SETS{req_valid_i && link}};

  dau_sets #(
    .SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED)
  ) u_sets (
    .clk, .rst_n,
    .req_h_i(req_h),
    .req_a_i(req_a),
    .take_i(tail_hot & {SETS{req_valid_i && take}}),
    .link_i(links),
    .fail_i(tail_hot & {SETS{req_valid_i && fail}}),
    .linkable_i(linkable),
    .ret_i((ret_hot | (of_ret_head & attached)) & {SETS{ret_accept}}),
    .free_ext_i(before_freed),
    .head_o, .active_o(active), .attached_o(attached), .linked_o, .s_free_o, .s_full_o, .fail_o,
    .releasing_o, .freed_o(freed), .count_o
  );

  // Pointers keep their value when their set is freed.
  logic [SETS-1:0] new_tail;
  assign new_tail = head_hot & {SETS{req_valid_i && link}};
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      next_q        <= (SETS*SET_W)'(0);
      peer_q        <= (SETS*SET_W)'(0);
      freed_set_q   <= '0;
      freed_valid_q <= 1'b0;
    end else begin
      for (int unsigned b = 0; b < SET_W; b++) begin
        next_q[b*SETS +: SETS] <= (next_q[b*SETS +: SETS] & ~links)
                                  | (links & {SETS{link_set[b]}});
        peer_q[b*SETS +: SETS] <= (peer_q[b*SETS +: SETS] & ~(req_h | req_a | new_tail))
                                  | (req_h & {SETS{free_set[b]}})
                                  | (req_a & {SETS{req_head_i[b]}})
                                  | (new_tail & {SETS{link_set[b]}});
      end
      freed_set_q   <= freed_set;
      freed_valid_q <= |freed;
    end
  end
  assign next_o = next_q;
  assign peer_o = peer_q;

  // ---- counters: at most one set is taken and one freed in a cycle ------------------------------
  logic taken, taken_linkable, frees, frees_linkable;
  assign taken          = req_valid_i && (primary || link);
  assign taken_linkable = |((req_h | req_a) & ORDINARY);
  assign frees          = |freed;
  assign frees_linkable = |(freed & ORDINARY);
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      n_free_q     <= COUNT_W'(SETS);
      n_linkable_q <= COUNT_W'(SETS - RESERVED);
    end else begin
      if (taken && !frees) n_free_q <= n_free_q - COUNT_W'(1);
      if (!taken && frees) n_free_q <= n_free_q + COUNT_W'(1);
      if (taken_linkable && !frees_linkable) n_linkable_q <= n_linkable_q - COUNT_W'(1);
      if (!taken_linkable && frees_linkable) n_linkable_q <= n_linkable_q + COUNT_W'(1);
    end
  end
  assign n_free_o     = n_free_q;
  assign n_linkable_o = n_linkable_q;

  `CHECK(n_free_counts_free_sets, 32'(n_free_q) == 32'($countones(s_free_o)))
  `CHECK(n_linkable_counts_ordinary_ones, 32'(n_linkable_q) == 32'($countones(s_free_o & ORDINARY)))
  `CHECK(one_release_at_a_time, $onehot0(releasing_o & ~attached))
  `CHECK(one_set_freed_a_cycle, $onehot0(freed))
`ifndef WARPMEM_WINDOW  // there the set that goes may be outside
  `CHECK(a_release_goes_on, !release_busy_o || frees)
`endif
  `CHECK(tail_exists, !live || tail_hot != '0)
`ifdef FORMAL
`ifdef WARPMEM_WINDOW
  `include "dau/dau_window_formal.svh"
`else
  `include "dau/dau_formal.svh"
`endif
`endif
endmodule
`default_nettype wire
