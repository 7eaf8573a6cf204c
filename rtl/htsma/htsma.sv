// SPDX-License-Identifier: Apache-2.0
// Hybrid of TSMA and a small MSHR file (KI 5.2, Listing 5.1): the tagless array, an s-MSHR with
// addresses of its own, and the steering between them. An entry has one number throughout: the
// array's come first, those of the s-MSHR follow. What the steering asks of the cache (the share
// counter of the set, the line to be replaced) comes with the request. The rules and a timing
// diagram are in README.md.
`default_nettype none
`include "common/check.svh"

module htsma #(
  parameter int unsigned ENTRIES       = 48,  // entries of the array: 1 to 4096
  parameter int unsigned SLOTS         = 8,   // requests of each, the primary included: 1 to 64
  parameter int unsigned SMALL_ENTRIES = 4,   // entries of the s-MSHR: 1 to 256
  parameter int unsigned SMALL_SLOTS   = 8,   // requests of each: 1 to 64
  parameter int unsigned WAYS          = 8,   // lines of a cache set: 1 to 4096
  parameter int unsigned ADDR_BITS     = 25,  // bits of a block address: 1 to 64
  parameter int unsigned SLOT_BITS     = 16,  // offset, requester ...: 1 to 512
  parameter int unsigned SECTORS       = 1,   // sectors of a line that are fetched apart: 1 to 8
  // These are derived; leave them alone.
  localparam int unsigned TOTAL        = ENTRIES + SMALL_ENTRIES,
  localparam int unsigned ENTRY_W      = TOTAL > 1 ? $clog2(TOTAL) : 1,
  localparam int unsigned IDX_W        = ENTRIES > 1 ? $clog2(ENTRIES) : 1,
  localparam int unsigned COUNT_W      = $clog2(WAYS + 1)
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  // A miss asks. Neither ready nor what follows depends on req_valid_i, except for rf.
  input  wire logic                 req_valid_i,
  input  wire logic                 req_secondary_i,  // the line found is shared: merge into ...
  input  wire logic [IDX_W-1:0]     req_idx_i,        // ... this entry of the array
  input  wire logic [ADDR_BITS-1:0] req_addr_i,
  input  wire logic [COUNT_W-1:0]   req_shared_count_i,  // lines of the set with shared tags
  input  wire logic                 req_victim_valid_i,  // there is a line to be replaced
  input  wire logic                 req_victim_hit_i,    // it was hit since it came
  input  wire logic [SLOT_BITS-1:0] req_slot_i,
  input  wire logic [SECTORS-1:0]   req_sectors_i,    // that the line lacks
  input  wire logic [SECTORS-1:0]   req_held_i,       // that the cache keeps beside the entry
  output wire logic                 req_ready_o,
  output wire logic                 req_secondary_o,  // merges, in the array or in the s-MSHR
  output wire logic [ENTRY_W-1:0]   req_entry_o,      // its entry; 0 unless ready
  output wire logic [SECTORS-1:0]   req_fetch_o,      // to be fetched for it; 0 unless ready
  output wire logic [2:0]           req_steer_o,      // branch of the listing, for a primary miss
  output wire logic                 req_critical_o,   // first the s-MSHR, then the array
  output wire logic                 rf_o,             // reservation fail: valid, not ready
  output wire logic [1:0]           rf_cause_o,       // 1 no entry, 2 no slot, 3 drains; else 0

  // Data of an entry have returned, these sectors of its line; the s-MSHR finds its own by the
  // address.
  input  wire logic                 ret_valid_i,
  input  wire logic [ENTRY_W-1:0]   ret_entry_i,
  input  wire logic [ADDR_BITS-1:0] ret_addr_i,
  input  wire logic [SECTORS-1:0]   ret_sectors_i,
  output wire logic                 ret_ready_o,

  // When all are here, its requests leave in arrival order.
  output wire logic                 rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output wire logic [ENTRY_W-1:0]   rsp_entry_o,
  output wire logic [ADDR_BITS-1:0] rsp_addr_o,       // of an entry of the s-MSHR; 0 of the array's
  output wire logic [SLOT_BITS-1:0] rsp_slot_o,
  output wire logic                 rsp_last_o,

  output wire logic [TOTAL-1:0]     used_o,
  output wire logic [TOTAL-1:0]     draining_o        // at most one
);
  if (ENTRIES < 1 || ENTRIES > 4096) begin : gen_bad_entries
    $error("htsma: ENTRIES must be 1 to 4096");
  end
  if (SLOTS < 1 || SLOTS > 64) begin : gen_bad_slots
    $error("htsma: SLOTS must be 1 to 64");
  end
  if (SMALL_ENTRIES < 1 || SMALL_ENTRIES > 256) begin : gen_bad_small_entries
    $error("htsma: SMALL_ENTRIES must be 1 to 256");
  end
  if (SMALL_SLOTS < 1 || SMALL_SLOTS > 64) begin : gen_bad_small_slots
    $error("htsma: SMALL_SLOTS must be 1 to 64");
  end
  if (WAYS < 1 || WAYS > 4096) begin : gen_bad_ways
    $error("htsma: WAYS must be 1 to 4096");
  end
  if (ADDR_BITS < 1 || ADDR_BITS > 64) begin : gen_bad_addr_bits
    $error("htsma: ADDR_BITS must be 1 to 64");
  end
  if (SLOT_BITS < 1 || SLOT_BITS > 512) begin : gen_bad_slot_bits
    $error("htsma: SLOT_BITS must be 1 to 512");
  end
  if (SECTORS < 1 || SECTORS > 8) begin : gen_bad_sectors
    $error("htsma: SECTORS must be 1 to 8");
  end

  localparam int unsigned SMALL_W = SMALL_ENTRIES > 1 ? $clog2(SMALL_ENTRIES) : 1;
  localparam logic [ENTRY_W-1:0] FIRST_SMALL = ENTRY_W'(ENTRIES);

  // ---- which part a request goes to ------------------------------------------------------------
  logic [ENTRIES-1:0]       array_used, array_draining;
  logic [SMALL_ENTRIES-1:0] small_used, small_draining;
  logic small_match, merges, to_small, compares, critical, by_small, unused_to_array;

  htsma_steer #(
    .WAYS(WAYS)
  ) u_steer (
    .clk, .rst_n,
    .shared_count_i(req_shared_count_i), .victim_valid_i(req_victim_valid_i),
    .victim_hit_i(req_victim_hit_i),
    .small_empty_i(small_used == '0), .small_full_i(&small_used),
    .small_match_i(small_match),
    .to_small_o(to_small), .to_array_o(unused_to_array), .merges_o(merges), .compares_o(compares),
    .critical_o(critical), .steer_o(req_steer_o)
  );
  assign by_small       = !req_secondary_i && (merges || to_small);
  assign req_critical_o = critical && !req_secondary_i;

  // ---- which part a return goes to: one entry drains, in whichever part it is ------------------
  logic ret_fire, ret_small, array_ret_ready, small_ret_ready;
  assign ret_ready_o = array_ret_ready && small_ret_ready;
  assign ret_fire    = ret_valid_i && ret_ready_o;
  assign ret_small   = ret_entry_i >= FIRST_SMALL;

  // ---- the array -------------------------------------------------------------------------------
  logic                 array_ready, array_rf, array_rsp_valid, array_last;
  logic [IDX_W-1:0]     array_idx, array_rsp_idx;
  logic [1:0]           array_cause;
  logic [SLOT_BITS-1:0] array_slot;
  logic [SECTORS-1:0]   array_fetch;

  tsma #(
    .ENTRIES(ENTRIES), .SLOTS(SLOTS), .SLOT_BITS(SLOT_BITS), .SECTORS(SECTORS)
  ) u_array (
    .clk, .rst_n,
    .req_valid_i(req_valid_i && !by_small), .req_secondary_i, .req_idx_i, .req_slot_i,
    .req_sectors_i, .req_held_i,
    .req_ready_o(array_ready), .req_idx_o(array_idx), .req_fetch_o(array_fetch),
    .rf_o(array_rf), .rf_cause_o(array_cause),
    .ret_valid_i(ret_fire && !ret_small), .ret_idx_i(IDX_W'(ret_entry_i)), .ret_sectors_i,
    .ret_ready_o(array_ret_ready),
    .rsp_valid_o(array_rsp_valid), .rsp_ready_i, .rsp_idx_o(array_rsp_idx),
    .rsp_slot_o(array_slot), .rsp_last_o(array_last),
    .used_o(array_used), .draining_o(array_draining)
  );

  // ---- the s-MSHR ------------------------------------------------------------------------------
  logic                 small_ready, small_rf, small_rsp_valid, small_last;
  logic [SMALL_W-1:0]   small_entry, small_rsp_entry;
  logic [1:0]           small_cause;
  logic [SLOT_BITS-1:0] small_slot;
  logic [ADDR_BITS-1:0] small_addr;
  logic [SECTORS-1:0]   small_fetch;

  mshr_conventional #(
    .ENTRIES(SMALL_ENTRIES), .SLOTS(SMALL_SLOTS), .ADDR_BITS(ADDR_BITS), .SLOT_BITS(SLOT_BITS),
    .SECTORS(SECTORS)
  ) u_small (
    .clk, .rst_n,
    .req_valid_i(req_valid_i && by_small), .req_addr_i, .req_slot_i, .req_sectors_i, .req_held_i,
    .req_ready_o(small_ready), .req_secondary_o(small_match), .req_entry_o(small_entry),
    .req_fetch_o(small_fetch), .rf_o(small_rf), .rf_cause_o(small_cause),
    .ret_valid_i(ret_fire && ret_small), .ret_addr_i, .ret_sectors_i,
    .ret_ready_o(small_ret_ready),
    .rsp_valid_o(small_rsp_valid), .rsp_ready_i, .rsp_entry_o(small_rsp_entry),
    .rsp_addr_o(small_addr), .rsp_slot_o(small_slot), .rsp_last_o(small_last),
    .used_o(small_used), .draining_o(small_draining)
  );

  // ---- their answers; the part that is not asked refuses nothing -------------------------------
  assign req_ready_o     = by_small ? small_ready : array_ready;
  assign req_secondary_o = req_secondary_i || merges;
  assign req_entry_o     = !by_small ? ENTRY_W'(array_idx)
                           : (FIRST_SMALL + ENTRY_W'(small_entry)) & {ENTRY_W{small_ready}};
  assign req_fetch_o     = by_small ? small_fetch : array_fetch;
  assign rf_o            = array_rf || small_rf;
  assign rf_cause_o      = array_cause | small_cause;

  assign rsp_valid_o = array_rsp_valid || small_rsp_valid;
  assign rsp_entry_o = small_rsp_valid ? FIRST_SMALL + ENTRY_W'(small_rsp_entry)
                                       : ENTRY_W'(array_rsp_idx);
  assign rsp_addr_o  = small_addr & {ADDR_BITS{small_rsp_valid}};
  assign rsp_slot_o  = small_rsp_valid ? small_slot : array_slot;
  assign rsp_last_o  = array_last || small_last;
  assign used_o      = {small_used, array_used};
  assign draining_o  = {small_draining, array_draining};

  `CHECK(one_part_drains, !(array_rsp_valid && small_rsp_valid))
  `CHECK(an_uncompared_miss_is_the_arrays, compares || !by_small)
`ifdef FORMAL
  `include "htsma/htsma_formal.svh"
`endif
endmodule
`default_nettype wire
