// SPDX-License-Identifier: Apache-2.0
// MSHR file with addresses of its own: sets of entries, the comparators of one set for a request
// and those of one set for a return. One set is the fully associative file (mshr_conventional),
// more are mshr_set_assoc; the rules are in their READMEs.
`default_nettype none
`include "common/check.svh"

module mshr_file #(
  parameter int unsigned SETS      = 1,   // a power of two; the low bits of an address select one
  parameter int unsigned WAYS      = 32,  // entries of a set
  parameter int unsigned SLOTS     = 8,   // requests of an entry
  parameter int unsigned ADDR_BITS = 25,  // bits of a block address
  parameter int unsigned SLOT_BITS = 16,  // bits kept of a request
  parameter int unsigned SECTORS   = 1,   // sectors of a line
  // These are derived; leave them alone.
  localparam int unsigned ENTRIES  = SETS * WAYS,
  localparam int unsigned ENTRY_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  input  wire logic                 req_valid_i,
  input  wire logic [ADDR_BITS-1:0] req_addr_i,
  input  wire logic [SLOT_BITS-1:0] req_slot_i,
  input  wire logic [SECTORS-1:0]   req_sectors_i,
  input  wire logic [SECTORS-1:0]   req_held_i,
  output wire logic                 req_ready_o,
  output wire logic                 req_secondary_o,
  output wire logic [ENTRY_W-1:0]   req_entry_o,
  output wire logic [SECTORS-1:0]   req_fetch_o,
  output wire logic                 rf_o,
  output wire logic [1:0]           rf_cause_o,

  input  wire logic                 ret_valid_i,
  input  wire logic [ADDR_BITS-1:0] ret_addr_i,
  input  wire logic [SECTORS-1:0]   ret_sectors_i,
  output wire logic                 ret_ready_o,

  output wire logic                 rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output wire logic [ENTRY_W-1:0]   rsp_entry_o,
  output wire logic [ADDR_BITS-1:0] rsp_addr_o,
  output wire logic [SLOT_BITS-1:0] rsp_slot_o,
  output wire logic                 rsp_last_o,

  output wire logic [ENTRIES-1:0]   used_o,
  output wire logic [ENTRIES-1:0]   draining_o
);
  localparam int unsigned SET_W = SETS > 1 ? $clog2(SETS) : 1;
  localparam logic [1:0] NONE = 2'd0, ENTRY_FULL = 2'd1, MERGE_FULL = 2'd2, DRAINING = 2'd3;

  function automatic logic [SET_W-1:0] set_of(input logic [ADDR_BITS-1:0] addr);
    set_of = SET_W'(64'(addr) & (64'(SETS) - 64'd1));
  endfunction

  // Returns the number of the way whose bit is 1; 0 if there is none.
  function automatic logic [ENTRY_W-1:0] number(input logic [WAYS-1:0] hot);
    number = '0;
    for (int unsigned i = 0; i < WAYS; i++)
      if (hot[i]) number = number | ENTRY_W'(i);
  endfunction

  logic [ADDR_BITS-1:0] addr_q [0:ENTRIES-1];
  logic [ENTRIES-1:0]   used_q;

  // ---- lookups ---------------------------------------------------------------------------------
  logic [SET_W-1:0]   req_set, ret_set;
  logic [ENTRY_W-1:0] req_base, ret_base;                        // first entry of the set
  logic [WAYS-1:0]    req_match, req_used, req_free_hot, ret_match, drains;

  assign req_set  = set_of(req_addr_i);
  assign ret_set  = set_of(ret_addr_i);
  assign req_base = ENTRY_W'(32'(req_set) * WAYS);
  assign ret_base = ENTRY_W'(32'(ret_set) * WAYS);
  assign req_used = used_q[req_base +: WAYS];
  assign drains   = draining_o[req_base +: WAYS];
  for (genvar w = 0; w < WAYS; w++) begin : gen_way
    assign req_match[w] = req_used[w] && addr_q[req_base + ENTRY_W'(w)] == req_addr_i;
    assign ret_match[w] = used_q[ret_base + ENTRY_W'(w)] && !draining_o[ret_base + ENTRY_W'(w)]
                          && addr_q[ret_base + ENTRY_W'(w)] == ret_addr_i;
  end
  assign req_free_hot = ~req_used & (req_used + WAYS'(1));  // the lowest free entry

  // ---- request ---------------------------------------------------------------------------------
  logic hit, drained, full, slots_full, ret_here, ret_last, ret_fire, fire, leaves;
  logic [ENTRY_W-1:0] hit_entry, ret_entry, entry;

  assign hit       = |req_match;
  assign full      = &req_used;
  assign hit_entry = req_base + number(req_match);
  assign ret_entry = ret_base + number(ret_match);
  assign ret_here  = ret_valid_i && ret_ready_o && |ret_match;
  assign ret_fire  = ret_here && ret_last;  // all sectors are here
  assign drained   = |(req_match & drains) || (ret_fire && ret_addr_i == req_addr_i);
  assign entry     = hit ? hit_entry : req_base + number(req_free_hot);

  assign req_ready_o     = hit ? !drained && !slots_full : !full;
  assign req_secondary_o = hit;
  assign req_entry_o     = entry & {ENTRY_W{req_ready_o}};
  assign fire            = req_valid_i && req_ready_o;
  assign rf_o            = req_valid_i && !req_ready_o;
  assign rf_cause_o      = !rf_o ? NONE : !hit ? ENTRY_FULL : drained ? DRAINING : MERGE_FULL;

  // ---- sectors ---------------------------------------------------------------------------------
  logic [SECTORS-1:0] fetch;
  mshr_sectors #(
    .ENTRIES(ENTRIES), .SECTORS(SECTORS)
  ) u_sectors (
    .clk, .rst_n,
    .put_valid_i(fire), .put_first_i(!hit), .put_entry_i(entry), .ask_entry_i(hit_entry),
    .put_sectors_i(req_sectors_i), .put_held_i(req_held_i), .put_fetch_o(fetch),
    .ret_valid_i(ret_here), .ret_entry_i(ret_entry), .ret_sectors_i, .ret_last_o(ret_last)
  );
  assign req_fetch_o = fetch & {SECTORS{req_ready_o}};

  // ---- slots and drain -------------------------------------------------------------------------
  mshr_slots #(
    .ENTRIES(ENTRIES), .SLOTS(SLOTS), .SLOT_BITS(SLOT_BITS)
  ) u_slots (
    .clk, .rst_n,
    .put_valid_i(fire), .put_first_i(!hit), .put_entry_i(entry), .put_slot_i(req_slot_i),
    .ask_entry_i(hit_entry), .ask_full_o(slots_full),
    .ret_valid_i(ret_fire), .ret_entry_i(ret_entry), .ret_ready_o,
    .rsp_valid_o, .rsp_ready_i, .rsp_entry_o, .rsp_slot_o, .rsp_last_o, .draining_o
  );
  assign rsp_addr_o = addr_q[rsp_entry_o];
  assign leaves     = rsp_last_o && rsp_ready_i;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      used_q <= '0;
    end else begin
      used_q <= (used_q & ~(draining_o & {ENTRIES{leaves}}))
                | ((ENTRIES'(1) << entry) & {ENTRIES{fire && !hit}});
    end
    if (fire && !hit) addr_q[entry] <= req_addr_i;
  end
  assign used_o = used_q;

  `CHECK(one_entry_an_address, $onehot0(req_match))
  `CHECK(only_entries_in_use_drain, (draining_o & ~used_q) == '0)
endmodule
`default_nettype wire
