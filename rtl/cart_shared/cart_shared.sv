// SPDX-License-Identifier: Apache-2.0
// CART with shared comparators (GU 2.4, 2.6.4): the branches of all DRAM banks with one engine that
// fills and one that drains. A request meets the comparators of its own branch alone, so one set of
// them serves all. The requests are kept outside. The rules are in README.md. A cycle first fills,
// then drains. Two banks, each with one request in cycle 2:
//
//   cycle         0    1    2    3    4
//   fill (bank)   0    1
//   drain_bank    0    0    0    1    -        the bank at its turn
//   ready         0    0    1    1
//   pop                     1    1
`default_nettype none
`include "common/check.svh"

module cart_shared #(
  parameter int unsigned BANKS       = 16,  // DRAM banks, a branch each: 1 to 64
  parameter int unsigned ROWS        = 4,   // rows of a branch: 1 to 64
  parameter int unsigned COLUMNS     = 2,   // leaves of a row; ROWS * COLUMNS is 1 to 64
  parameter int unsigned DEPTH       = 2,   // requests of a leaf: 1 to 256
  parameter int unsigned ROW_BITS    = 14,  // bits of a DRAM row address: 1 to 32
  parameter int unsigned COLUMN_BITS = 4,   // bits of a line within the row: 1 to 32
  // These are derived; leave them alone.
  localparam int unsigned BANK_W = BANKS > 1 ? $clog2(BANKS) : 1,
  localparam int unsigned LEAVES = ROWS * COLUMNS,
  localparam int unsigned LEAF_W = LEAVES > 1 ? $clog2(LEAVES) : 1
) (
  input  wire logic                   clk,
  input  wire logic                   rst_n,

  input  wire logic                   fill_valid_i,   // a request ...
  input  wire logic [BANK_W-1:0]      fill_bank_i,    // of this branch, below BANKS,
  input  wire logic [ROW_BITS-1:0]    fill_row_i,
  input  wire logic [COLUMN_BITS-1:0] fill_column_i,
  output wire logic                   fill_ready_o,   // ... enters in this cycle
  output wire logic [LEAF_W-1:0]      fill_leaf_o,    // 0 unless fill_ready_o

  output wire logic                   bank_valid_o,   // some branch has a request
  output wire logic [BANK_W-1:0]      bank_o,         // the one at its turn; 0 unless bank_valid_o
  output wire logic [LEAVES-1:0]      drains_o,       // its leaves with the oldest of their line
  input  wire logic [LEAVES-1:0]      ready_i,        // those of them that may be tried
  output wire logic                   drain_valid_o,
  output wire logic                   drain_again_o,  // only such as were refused
  output wire logic [LEAF_W-1:0]      drain_leaf_o,   // 0 unless drain_valid_o
  input  wire logic                   pop_i,          // its oldest request goes
  input  wire logic                   refuse_i,       // it was tried in vain

  output wire logic [BANKS-1:0]       held_o          // branches with requests, before this cycle
);
  if (BANKS < 1 || BANKS > 64) begin : gen_bad_banks
    $error("cart_shared: BANKS must be 1 to 64");
  end
  if (ROWS < 1 || ROWS > 64) begin : gen_bad_rows
    $error("cart_shared: ROWS must be 1 to 64");
  end
  if (COLUMNS > 64 || LEAVES < 1 || LEAVES > 64) begin : gen_bad_leaves
    $error("cart_shared: ROWS * COLUMNS must be 1 to 64");
  end
  if (DEPTH < 1 || DEPTH > 256) begin : gen_bad_depth
    $error("cart_shared: DEPTH must be 1 to 256");
  end
  if (ROW_BITS < 1 || ROW_BITS > 32 || COLUMN_BITS < 1 || COLUMN_BITS > 32) begin : gen_bad_tags
    $error("cart_shared: ROW_BITS and COLUMN_BITS must be 1 to 32");
  end

  localparam int unsigned COUNT_W = DEPTH > 0 ? $clog2(DEPTH + 1) : 1;
  // Without leaves or tags there is nothing to elaborate but the message.
  localparam bit WHOLE = LEAVES >= 1 && ROW_BITS >= 1 && COLUMN_BITS >= 1;

  function automatic logic [LEAF_W-1:0] number(input logic [LEAVES-1:0] hot);
    number = '0;
    for (int unsigned l = 0; l < LEAVES; l++) number = number | (LEAF_W'(l) & {LEAF_W{hot[l]}});
  endfunction

  // The branches. A branch without requests has nothing in these but its last row.
  logic [LEAVES*COUNT_W-1:0]     count_q   [0:BANKS-1];
  logic [LEAVES*COLUMN_BITS-1:0] column_q  [0:BANKS-1];
  logic [ROWS*ROW_BITS-1:0]      row_q     [0:BANKS-1];
  logic [LEAVES*COLUMNS-1:0]     older_q   [0:BANKS-1];
  logic [LEAVES-1:0]             refused_q [0:BANKS-1];
  logic [ROW_BITS-1:0]           last_row_q  [0:BANKS-1];
  logic [LEAF_W-1:0]             last_leaf_q [0:BANKS-1];
  logic [BANKS-1:0]              held_q, has_last_q, last_valid_q;
  logic [BANK_W-1:0]             next_q;    // where the turn begins

  // ---- fill ------------------------------------------------------------------------------------
  logic [LEAVES*COUNT_W-1:0]     fill_count, filled_count;
  logic [LEAVES*COLUMN_BITS-1:0] filled_column;
  logic [ROWS*ROW_BITS-1:0]      filled_row;
  logic [LEAVES*COLUMNS-1:0]     filled_older;
  logic [LEAVES-1:0] fill_hot, unused_used;
  logic [ROWS-1:0]   unused_row_match;

  assign fill_count = count_q[fill_bank_i] & {(LEAVES*COUNT_W){held_q[fill_bank_i]}};
  if (WHOLE) begin : gen_fill
    cart_fill #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS)
    ) u_fill (
      .count_i(fill_count), .column_i(column_q[fill_bank_i]), .row_i(row_q[fill_bank_i]),
      .older_i(older_q[fill_bank_i]),
      .fill_valid_i, .fill_row_i, .fill_column_i, .fill_hot_o(fill_hot),
      .count_o(filled_count), .column_o(filled_column), .row_o(filled_row), .older_o(filled_older),
      .used_o(unused_used), .row_match_o(unused_row_match)
    );
  end
  assign fill_ready_o = fill_hot != '0;
  assign fill_leaf_o  = number(fill_hot);

  // ---- whose turn it is: the first branch with requests from next_q on -------------------------
  logic [BANKS-1:0]  held_f, from_next, turn_hot;
  logic [BANK_W-1:0] bank;
  assign held_f    = held_q | ((BANKS'(1) << fill_bank_i) & {BANKS{fill_ready_o}});
  assign from_next = held_f & ({BANKS{1'b1}} << next_q);
  assign turn_hot  = from_next != '0 ? from_next & (~from_next + BANKS'(1))
                                     : held_f & (~held_f + BANKS'(1));
  always_comb begin
    bank = '0;
    for (int unsigned b = 0; b < BANKS; b++) bank = bank | (BANK_W'(b) & {BANK_W{turn_hot[b]}});
  end
  assign bank_valid_o = held_f != '0;
  assign bank_o       = bank;

  // ---- drain -----------------------------------------------------------------------------------
  logic                          same;      // it is the branch that fills
  logic [LEAVES*COUNT_W-1:0]     drain_count, drained_count;
  logic [LEAVES*COLUMN_BITS-1:0] drain_column;
  logic [ROWS*ROW_BITS-1:0]      drain_row;
  logic [LEAVES*COLUMNS-1:0]     drain_older;
  logic [LEAVES-1:0]   refused, drained_refused, drain_hot, unused_same_row;
  logic [ROW_BITS-1:0] drained_last_row;
  logic drained_last_valid, goes, refuses, moves;

  assign same         = fill_ready_o && bank == fill_bank_i;
  assign drain_count  = same ? filled_count
                             : count_q[bank] & {(LEAVES*COUNT_W){held_q[bank]}};
  assign drain_column = same ? filled_column : column_q[bank];
  assign drain_row    = same ? filled_row : row_q[bank];
  assign drain_older  = same ? filled_older : older_q[bank];
  assign refused      = refused_q[bank] & {LEAVES{held_q[bank]}};
  assign goes         = pop_i && drain_valid_o;
  assign refuses      = refuse_i && !pop_i && drain_valid_o;
  if (WHOLE) begin : gen_drain
    cart_drain #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS)
    ) u_drain (
      .count_i(drain_count), .column_i(drain_column), .row_i(drain_row), .older_i(drain_older),
      .refused_i(refused), .has_last_i(has_last_q[bank]), .last_row_i(last_row_q[bank]),
      .last_valid_i(last_valid_q[bank]), .last_leaf_i(last_leaf_q[bank]),
      .ready_i, .drain_hot_o(drain_hot), .again_o(drain_again_o), .drains_o,
      .same_row_o(unused_same_row),
      .turn_i(drain_again_o), .pop_i(goes), .refuse_i(refuses), .leaf_hot_i(drain_hot),
      .count_o(drained_count), .refused_o(drained_refused), .last_valid_o(drained_last_valid),
      .last_row_o(drained_last_row)
    );
  end
  assign drain_valid_o = drain_hot != '0;
  assign drain_leaf_o  = number(drain_hot);
  assign held_o        = held_q;

  // The turn moves on when a request went or was refused, and when none may be tried.
  assign moves = goes || refuses || (bank_valid_o && !drain_valid_o);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      held_q       <= '0;
      has_last_q   <= '0;
      last_valid_q <= '0;
      next_q       <= '0;
    end else begin
      held_q <= (held_f & ~(turn_hot & {BANKS{goes}}))
                | (turn_hot & {BANKS{goes && drained_count != '0}});
      has_last_q <= has_last_q | (turn_hot & {BANKS{goes}});
      if (goes)
        last_valid_q <= (last_valid_q & ~turn_hot) | (turn_hot & {BANKS{drained_last_valid}});
      if (moves) next_q <= bank == BANK_W'(BANKS - 1) ? '0 : bank + BANK_W'(1);
    end
  end
  always_ff @(posedge clk) begin
    if (fill_ready_o) begin
      count_q[fill_bank_i]  <= filled_count;
      column_q[fill_bank_i] <= filled_column;
      row_q[fill_bank_i]    <= filled_row;
      older_q[fill_bank_i]  <= filled_older;
      if (!held_q[fill_bank_i]) refused_q[fill_bank_i] <= '0;
    end
    if (goes) begin
      count_q[bank]     <= drained_count;
      last_row_q[bank]  <= drained_last_row;
      last_leaf_q[bank] <= drain_leaf_o;
    end
    if (goes || refuses) refused_q[bank] <= drained_refused;
  end

  `CHECK(held_branches_have_requests, !bank_valid_o || drains_o != '0)
`ifdef FORMAL
  `include "cart_shared/cart_shared_formal.svh"
`endif
endmodule
`default_nettype wire
