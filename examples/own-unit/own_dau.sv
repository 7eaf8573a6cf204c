// SPDX-License-Identifier: Apache-2.0
// A Dynamic Allocation Unit as somebody else might write it: pointers in arrays, selection by a
// search, free sets counted anew in every cycle. The state machines of the sets are warpmem's
// (rtl/dau/dau_sets.sv). What its three tops differ in are parameters.
`default_nettype none

module own_dau #(
  parameter int unsigned SETS           = 16,
  parameter int unsigned SLOTS          = 2,
  parameter int unsigned RESERVED       = 0,
  parameter bit          CLEARS_POINTER = 1'b0,  // a set that is freed forgets its pointers
  parameter bit          LINKS_HIGHEST  = 1'b0,  // the highest free set is linked, not the lowest
  parameter bit          LINKS_RESERVED = 1'b0,  // reserved sets are linked, too: wrong
  localparam int unsigned SET_W   = SETS > 1 ? $clog2(SETS) : 1,
  localparam int unsigned SLOT_W  = SLOTS > 1 ? $clog2(SLOTS) : 1,
  localparam int unsigned COUNT_W = $clog2(SETS + 1)
) (
  input  wire logic                   clk,
  input  wire logic                   rst_n,
  input  wire logic                   req_valid_i,
  input  wire logic                   req_secondary_i,
  input  wire logic [SET_W-1:0]       req_head_i,
  output wire logic                   req_ready_o,
  output wire logic                   rf_o,
  output wire logic [SET_W-1:0]       req_set_o,
  output wire logic [SLOT_W-1:0]      req_slot_o,
  output wire logic                   req_link_o,
  input  wire logic                   ret_valid_i,
  input  wire logic [SET_W-1:0]       ret_head_i,
  output wire logic                   ret_ready_o,
  output wire logic                   release_busy_o,
  output wire logic [COUNT_W-1:0]     n_free_o,
  output wire logic [COUNT_W-1:0]     n_linkable_o,
  output wire logic [SETS-1:0]        head_o,
  output wire logic [SETS-1:0]        linked_o,
  output wire logic [SETS-1:0]        s_free_o,
  output wire logic [SETS-1:0]        s_full_o,
  output wire logic [SETS-1:0]        fail_o,
  output wire logic [SETS-1:0]        releasing_o,
  output wire logic [SETS*SLOT_W-1:0] count_o,
  output wire logic [SETS*SET_W-1:0]  next_o,
  output wire logic [SETS*SET_W-1:0]  peer_o
);
  localparam logic [SETS-1:0] ORDINARY = {SETS{1'b1}} << RESERVED;

  logic [SET_W-1:0] next_q [0:SETS-1];  // the set linked behind
  logic [SET_W-1:0] peer_q [0:SETS-1];  // in a head its tail, in an attached set its head
  logic [SET_W-1:0] freed_q;
  logic             freed_valid_q;
  logic [SETS-1:0]  active, attached, freed;

  // Returns the number of the highest set of `from`, or of the lowest.
  function automatic logic [SET_W-1:0] pick(input logic [SETS-1:0] from, input logic highest);
    pick = '0;
    for (int unsigned i = 0; i < SETS; i++) begin
      if (highest && from[i]) pick = SET_W'(i);
      if (!highest && from[SETS - 1 - i]) pick = SET_W'(SETS - 1 - i);
    end
  endfunction

  // ---- request ---------------------------------------------------------------------------------
  logic [SETS-1:0]   linkable, tail_hot;
  logic [SET_W-1:0]  tail, head_set, link_set;
  logic [SLOT_W-1:0] tail_count;
  logic ret_accept, live, tail_full, can_link, primary, take, link;
  assign linkable   = LINKS_RESERVED ? s_free_o : s_free_o & ORDINARY;
  assign can_link   = (s_free_o & ORDINARY) != '0;
  assign tail       = peer_q[req_head_i];
  assign tail_hot   = SETS'(1) << tail;
  assign head_set   = pick(s_free_o, 1'b0);
  assign link_set   = pick(linkable, LINKS_HIGHEST);
  assign live       = req_secondary_i && (active & (SETS'(1) << req_head_i)) != '0
                      && !(ret_accept && ret_head_i == req_head_i);
  assign tail_full  = (tail_hot & s_full_o) != '0;
  assign primary    = !req_secondary_i && s_free_o != '0;
  assign take       = live && !tail_full;
  assign link       = live && tail_full && can_link;
  for (genvar b = 0; b < SLOT_W; b++) begin : gen_tail_count
    assign tail_count[b] = (tail_hot & count_o[b*SETS +: SETS]) != '0;
  end
  assign req_ready_o = primary || take || link;
  assign rf_o        = req_valid_i && !req_ready_o;
  assign req_link_o  = link;
  assign req_set_o   = primary ? head_set : take ? tail : link ? link_set : '0;
  assign req_slot_o  = take ? tail_count : '0;

  // ---- release ---------------------------------------------------------------------------------
  logic [SETS-1:0] of_ret_head, before_freed;
  assign release_busy_o = releasing_o != '0;
  assign ret_ready_o    = (releasing_o & ~freed) == '0;
  assign ret_accept     = ret_valid_i && ret_ready_o
                          && (active & (SETS'(1) << ret_head_i)) != '0;
  for (genvar i = 0; i < SETS; i++) begin : gen_set
    assign of_ret_head[i]  = ret_head_i == SET_W'(i) || (attached[i] && peer_q[i] == ret_head_i);
    assign before_freed[i] = freed_valid_q && next_q[i] == freed_q;
    for (genvar b = 0; b < SET_W; b++) begin : gen_bit
      assign next_o[b*SETS + i] = next_q[i][b];
      assign peer_o[b*SETS + i] = peer_q[i][b];
    end
  end

  dau_sets #(
    .SETS(SETS), .SLOTS(SLOTS), .RESERVED(RESERVED)
  ) u_sets (
    .clk, .rst_n,
    .req_h_i((SETS'(1) << head_set) & {SETS{req_valid_i && primary}}),
    .req_a_i((SETS'(1) << link_set) & {SETS{req_valid_i && link}}),
    .take_i(tail_hot & {SETS{req_valid_i && take}}),
    .link_i(tail_hot & {SETS{req_valid_i && link}}),
    .fail_i(tail_hot & {SETS{req_valid_i && live && tail_full && !can_link}}),
    .linkable_i(can_link),
    .ret_i(of_ret_head & {SETS{ret_accept}}),
    .free_ext_i(before_freed),
    .head_o, .active_o(active), .attached_o(attached), .linked_o, .s_free_o, .s_full_o, .fail_o,
    .releasing_o, .freed_o(freed), .count_o
  );

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      for (int unsigned i = 0; i < SETS; i++) begin
        next_q[i] <= '0;
        peer_q[i] <= '0;
      end
      freed_q       <= '0;
      freed_valid_q <= 1'b0;
    end else begin
      for (int unsigned i = 0; i < SETS; i++) begin
        if (CLEARS_POINTER && freed[i]) begin
          next_q[i] <= '0;
          peer_q[i] <= '0;
        end
      end
      if (req_valid_i && primary) peer_q[head_set] <= head_set;
      if (req_valid_i && link) begin
        next_q[tail]       <= link_set;
        peer_q[link_set]   <= req_head_i;
        peer_q[req_head_i] <= link_set;
      end
      freed_q       <= pick(freed, 1'b0);
      freed_valid_q <= freed != '0;
    end
  end

  // ---- free sets -------------------------------------------------------------------------------
  logic [COUNT_W-1:0] n_free, n_linkable;
  always_comb begin
    n_free     = '0;
    n_linkable = '0;
    for (int unsigned i = 0; i < SETS; i++) begin
      n_free     = n_free + COUNT_W'(s_free_o[i]);
      n_linkable = n_linkable + COUNT_W'(s_free_o[i] && ORDINARY[i]);
    end
  end
  assign n_free_o     = n_free;
  assign n_linkable_o = n_linkable;
endmodule
`default_nettype wire
