// SPDX-License-Identifier: Apache-2.0
// Tag Shared MSHR Array (KI 5.1, Fig 5.2): entries without addresses, indexed directly, and the
// generator of their numbers. Which line shares its tag with an entry is known in the cache, which
// keeps the entry's number with the line; the number also travels with the request to memory. The
// rules and a timing diagram are in README.md.
`default_nettype none
`include "common/check.svh"

module tsma #(
  parameter int unsigned ENTRIES   = 48,  // number of entries: 1 to 4096
  parameter int unsigned SLOTS     = 8,   // requests of an entry, the primary included: 1 to 64
  parameter int unsigned SLOT_BITS = 16,  // offset, requester ...: 1 to 512
  parameter int unsigned SECTORS   = 1,   // sectors of a line that are fetched apart: 1 to 8
  // This is derived; leave it alone.
  localparam int unsigned IDX_W    = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  // A miss asks. Neither ready nor what follows depends on req_valid_i, except for rf.
  input  wire logic                 req_valid_i,
  input  wire logic                 req_secondary_i,  // the line found is shared: merge into ...
  input  wire logic [IDX_W-1:0]     req_idx_i,        // ... this entry, which the line names
  input  wire logic [SLOT_BITS-1:0] req_slot_i,
  input  wire logic [SECTORS-1:0]   req_sectors_i,    // that the line lacks
  input  wire logic [SECTORS-1:0]   req_held_i,       // that the cache keeps beside the entry
  output wire logic                 req_ready_o,
  output wire logic [IDX_W-1:0]     req_idx_o,        // its entry; 0 unless ready
  output wire logic [SECTORS-1:0]   req_fetch_o,      // to be fetched for it; 0 unless ready
  output wire logic                 rf_o,             // reservation fail: valid, not ready
  output wire logic [1:0]           rf_cause_o,       // 1 no entry, 2 no slot, 3 drains; else 0

  // Data of an entry have returned: these sectors of its line.
  input  wire logic                 ret_valid_i,
  input  wire logic [IDX_W-1:0]     ret_idx_i,
  input  wire logic [SECTORS-1:0]   ret_sectors_i,
  output wire logic                 ret_ready_o,

  // When all are here, its requests leave in arrival order.
  output wire logic                 rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output wire logic [IDX_W-1:0]     rsp_idx_o,
  output wire logic [SLOT_BITS-1:0] rsp_slot_o,
  output wire logic                 rsp_last_o,       // the line's share bit can go

  output wire logic [ENTRIES-1:0]   used_o,
  output wire logic [ENTRIES-1:0]   draining_o        // at most one
);
  if (ENTRIES < 1 || ENTRIES > 4096) begin : gen_bad_entries
    $error("tsma: ENTRIES must be 1 to 4096");
  end
  if (SLOTS < 1 || SLOTS > 64) begin : gen_bad_slots
    $error("tsma: SLOTS must be 1 to 64");
  end
  if (SLOT_BITS < 1 || SLOT_BITS > 512) begin : gen_bad_slot_bits
    $error("tsma: SLOT_BITS must be 1 to 512");
  end
  if (SECTORS < 1 || SECTORS > 8) begin : gen_bad_sectors
    $error("tsma: SECTORS must be 1 to 8");
  end

  localparam logic [1:0] NONE = 2'd0, ENTRY_FULL = 2'd1, MERGE_FULL = 2'd2, DRAINING = 2'd3;

  logic [ENTRIES-1:0] available, pending, req_hot, ret_hot;
  logic [IDX_W-1:0]   next, entry;
  logic [SECTORS-1:0] fetch;
  logic full, slots_full, req_here, live, fire, ret_here, ret_last, ret_fire;

  assign used_o   = ~available;
  assign pending  = used_o & ~draining_o;
  assign req_hot  = ENTRIES'(1) << req_idx_i;
  assign ret_hot  = ENTRIES'(1) << ret_idx_i;
  assign ret_here = ret_valid_i && ret_ready_o && |(ret_hot & pending);
  assign ret_fire = ret_here && ret_last;  // all sectors are here
  assign req_here = |(req_hot & pending);
  assign live     = req_here && !(ret_fire && ret_idx_i == req_idx_i);
  assign entry    = req_secondary_i ? req_idx_i : next;

  assign req_ready_o = req_secondary_i ? live && !slots_full : !full;
  assign req_idx_o   = entry & {IDX_W{req_ready_o}};
  assign req_fetch_o = fetch & {SECTORS{req_ready_o}};
  assign fire        = req_valid_i && req_ready_o;
  assign rf_o        = req_valid_i && !req_ready_o;
  assign rf_cause_o  = !rf_o ? NONE : !req_secondary_i ? ENTRY_FULL : live ? MERGE_FULL : DRAINING;

  tsma_index_gen #(
    .ENTRIES(ENTRIES)
  ) u_index_gen (
    .clk, .rst_n,
    .take_i(fire && !req_secondary_i),
    .release_i(rsp_last_o && rsp_ready_i), .release_idx_i(rsp_idx_o),
    .idx_o(next), .full_o(full), .available_o(available)
  );

  mshr_sectors #(
    .ENTRIES(ENTRIES), .SECTORS(SECTORS)
  ) u_sectors (
    .clk, .rst_n,
    .put_valid_i(fire), .put_first_i(!req_secondary_i), .put_entry_i(entry),
    .ask_entry_i(req_here ? req_idx_i : '0),
    .put_sectors_i(req_sectors_i), .put_held_i(req_held_i), .put_fetch_o(fetch),
    .ret_valid_i(ret_here), .ret_entry_i(ret_here ? ret_idx_i : '0), .ret_sectors_i,
    .ret_last_o(ret_last)
  );

  mshr_slots #(
    .ENTRIES(ENTRIES), .SLOTS(SLOTS), .SLOT_BITS(SLOT_BITS)
  ) u_slots (
    .clk, .rst_n,
    .put_valid_i(fire), .put_first_i(!req_secondary_i), .put_entry_i(entry),
    .put_slot_i(req_slot_i), .ask_entry_i(live ? req_idx_i : '0), .ask_full_o(slots_full),
    .ret_valid_i(ret_fire), .ret_entry_i(ret_fire ? ret_idx_i : '0), .ret_ready_o,
    .rsp_valid_o, .rsp_ready_i, .rsp_entry_o(rsp_idx_o), .rsp_slot_o, .rsp_last_o, .draining_o
  );

  `CHECK(only_entries_in_use_drain, (draining_o & available) == '0)
  `CHECK(the_next_entry_is_free, full || |(available & (ENTRIES'(1) << next)))
`ifdef FORMAL
  `include "tsma/tsma_formal.svh"
`endif
endmodule
`default_nettype wire
