// SPDX-License-Identifier: Apache-2.0
// Set-associative MSHR file: an address belongs to one set of WAYS entries, whose comparators alone
// it needs; a full set refuses misses even when other sets have room (docs/mechanisms.md 2.2; KI
// Table 5.4). The rules are in README.md.
`default_nettype none
`include "common/check.svh"

module mshr_set_assoc #(
  parameter int unsigned ENTRIES   = 32,  // number of entries: 1 to 512
  parameter int unsigned WAYS      = 4,   // entries of a set; ENTRIES / WAYS must be a power of two
  parameter int unsigned SLOTS     = 8,   // requests of an entry, the primary included: 1 to 64
  parameter int unsigned ADDR_BITS = 25,  // bits of a block address: 1 to 64
  parameter int unsigned SLOT_BITS = 16,  // offset, requester ...: 1 to 512
  parameter int unsigned SECTORS   = 1,   // sectors of a line that are fetched apart: 1 to 8
  // This is derived; leave it alone.
  localparam int unsigned ENTRY_W  = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
  input  wire logic                 clk,
  input  wire logic                 rst_n,

  // A miss asks. Neither ready nor what follows depends on req_valid_i, except for rf.
  input  wire logic                 req_valid_i,
  input  wire logic [ADDR_BITS-1:0] req_addr_i,
  input  wire logic [SLOT_BITS-1:0] req_slot_i,
  input  wire logic [SECTORS-1:0]   req_sectors_i,    // that the line lacks
  input  wire logic [SECTORS-1:0]   req_held_i,       // that the cache keeps beside the entry
  output wire logic                 req_ready_o,
  output wire logic                 req_secondary_o,  // an entry has the address
  output wire logic [ENTRY_W-1:0]   req_entry_o,      // 0 unless ready
  output wire logic [SECTORS-1:0]   req_fetch_o,      // to be fetched for it; 0 unless ready
  output wire logic                 rf_o,             // reservation fail: valid, not ready
  output wire logic [1:0]           rf_cause_o,       // 1 no entry in the set, 2 no slot, 3 drains

  // Data of a block have returned: these sectors of it.
  input  wire logic                 ret_valid_i,
  input  wire logic [ADDR_BITS-1:0] ret_addr_i,
  input  wire logic [SECTORS-1:0]   ret_sectors_i,
  output wire logic                 ret_ready_o,

  // When all are here, its requests leave in arrival order.
  output wire logic                 rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output wire logic [ENTRY_W-1:0]   rsp_entry_o,
  output wire logic [ADDR_BITS-1:0] rsp_addr_o,
  output wire logic [SLOT_BITS-1:0] rsp_slot_o,
  output wire logic                 rsp_last_o,

  output wire logic [ENTRIES-1:0]   used_o,
  output wire logic [ENTRIES-1:0]   draining_o        // at most one
);
  if (ENTRIES < 1 || ENTRIES > 512) begin : gen_bad_entries
    $error("mshr_set_assoc: ENTRIES must be 1 to 512");
  end
  localparam int unsigned SETS = WAYS < 1 ? 0 : ENTRIES / WAYS;
  if (SETS < 1 || SETS * WAYS != ENTRIES || (SETS & (SETS - 1)) != 0) begin : gen_bad_ways
    $error("mshr_set_assoc: ENTRIES / WAYS must be a power of two");
  end
  if (SLOTS < 1 || SLOTS > 64) begin : gen_bad_slots
    $error("mshr_set_assoc: SLOTS must be 1 to 64");
  end
  if (ADDR_BITS < 1 || ADDR_BITS > 64 || $clog2(SETS) > ADDR_BITS) begin : gen_bad_addr_bits
    $error("mshr_set_assoc: ADDR_BITS must be 1 to 64, and enough for a set's number");
  end
  if (SLOT_BITS < 1 || SLOT_BITS > 512) begin : gen_bad_slot_bits
    $error("mshr_set_assoc: SLOT_BITS must be 1 to 512");
  end

  if (SECTORS < 1 || SECTORS > 8) begin : gen_bad_sectors
    $error("mshr_set_assoc: SECTORS must be 1 to 8");
  end

  // Without entries there is nothing to elaborate but the message.
  if (SETS >= 1) begin : gen_file
    mshr_file #(
      .SETS(SETS), .WAYS(WAYS), .SLOTS(SLOTS), .ADDR_BITS(ADDR_BITS), .SLOT_BITS(SLOT_BITS),
      .SECTORS(SECTORS)
    ) u_file (.*);
  end
`ifdef FORMAL
  localparam int unsigned F_WAYS = WAYS;
  `include "common/mshr_file_formal.svh"
`endif
endmodule
`default_nettype wire
