// SPDX-License-Identifier: Apache-2.0
// A branch of CART (GU 2.4.2 to 2.4.4): tags and lengths of the leaf queues of one DRAM bank, the
// leaf that a request fills, and the leaf that drains next. The requests are kept outside. The
// rules are in README.md. A cycle first fills, then drains. ROWS 2, COLUMNS 2, DEPTH 2:
//
//   cycle         0    1    2    3    4    5
//   fill          A    A    A    B              A, B: lines of one row
//   fill_leaf     0    0    1    -              A's leaf is full; B finds none of its row free
//   pop                     0    0    1    -
//   drain_leaf    0    0    0    0    1    -
`default_nettype none
`include "common/check.svh"

module cart_branch #(
  parameter int unsigned ROWS        = 4,   // rows of a branch: 1 to 64
  parameter int unsigned COLUMNS     = 2,   // leaves of a row; ROWS * COLUMNS is 1 to 64
  parameter int unsigned DEPTH       = 2,   // requests of a leaf: 1 to 256
  parameter int unsigned ROW_BITS    = 14,  // bits of a DRAM row address: 1 to 32
  parameter int unsigned COLUMN_BITS = 4,   // bits of a line within the row: 1 to 32
  // These are derived; leave them alone.
  localparam int unsigned LEAVES = ROWS * COLUMNS,
  localparam int unsigned LEAF_W = LEAVES > 1 ? $clog2(LEAVES) : 1
) (
  input  wire logic                   clk,
  input  wire logic                   rst_n,

  input  wire logic                   fill_valid_i,   // a request for this branch ...
  input  wire logic [ROW_BITS-1:0]    fill_row_i,
  input  wire logic [COLUMN_BITS-1:0] fill_column_i,
  output wire logic                   fill_ready_o,   // ... enters in this cycle
  output wire logic [LEAF_W-1:0]      fill_leaf_o,    // 0 unless fill_ready_o

  input  wire logic [LEAVES-1:0]      ready_i,        // oldest request may be tried, fill included
  output wire logic                   drain_valid_o,
  output wire logic                   drain_again_o,  // only such as were refused
  output wire logic [LEAF_W-1:0]      drain_leaf_o,   // 0 unless drain_valid_o

  input  wire logic                   turn_i,         // refusals before this cycle are forgotten
  input  wire logic                   pop_i,          // the oldest request of leaf_i goes
  input  wire logic                   refuse_i,       // it was tried in vain
  input  wire logic [LEAF_W-1:0]      leaf_i,

  output wire logic [LEAVES-1:0]      drains_o,       // has the oldest request of its line
  output wire logic [LEAVES-1:0]      refused_o,
  output wire logic                   last_valid_o,   // last_leaf_o is not empty since it drained
  output wire logic [LEAF_W-1:0]      last_leaf_o,    // 0 unless last_valid_o
  output wire logic [LEAVES-1:0]      same_row_o      // holds the row that was drained last
);
  if (ROWS < 1 || ROWS > 64) begin : gen_bad_rows
    $error("cart_branch: ROWS must be 1 to 64");
  end
  if (COLUMNS > 64 || LEAVES < 1 || LEAVES > 64) begin : gen_bad_leaves
    $error("cart_branch: ROWS * COLUMNS must be 1 to 64");
  end
  if (DEPTH < 1 || DEPTH > 256) begin : gen_bad_depth
    $error("cart_branch: DEPTH must be 1 to 256");
  end
  if (ROW_BITS < 1 || ROW_BITS > 32 || COLUMN_BITS < 1 || COLUMN_BITS > 32) begin : gen_bad_tags
    $error("cart_branch: ROW_BITS and COLUMN_BITS must be 1 to 32");
  end

  localparam int unsigned COUNT_W = DEPTH > 0 ? $clog2(DEPTH + 1) : 1;
  // Without leaves or tags there is nothing to elaborate but the message.
  localparam bit WHOLE = LEAVES >= 1 && ROW_BITS >= 1 && COLUMN_BITS >= 1;

  function automatic logic [LEAF_W-1:0] number(input logic [LEAVES-1:0] hot);
    number = '0;
    for (int unsigned l = 0; l < LEAVES; l++) number = number | (LEAF_W'(l) & {LEAF_W{hot[l]}});
  endfunction

  // Tags, lengths and order of use; _f: with the fill of this cycle, which drains.
  logic [LEAVES*COUNT_W-1:0]      count_q, count_f, count_d;
  logic [LEAVES*COLUMN_BITS-1:0]  column_q, column_f;
  logic [ROWS*ROW_BITS-1:0]       row_q, row_f;
  logic [LEAVES*COLUMNS-1:0]      older_q, older_f;
  logic [LEAVES-1:0]              refused_q, refused_d;
  logic                           has_last_q, last_valid_q, last_valid_d;
  logic [ROW_BITS-1:0]            last_row_q, last_row_d;
  logic [LEAF_W-1:0]              last_leaf_q;

  logic [LEAVES-1:0] used, fill_hot, drains, same_row, drain_hot, leaf_hot;
  logic [ROWS-1:0]   row_match;

  if (WHOLE) begin : gen_fill
    cart_fill #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS)
    ) u_fill (
      .count_i(count_q), .column_i(column_q), .row_i(row_q), .older_i(older_q),
      .fill_valid_i, .fill_row_i, .fill_column_i, .fill_hot_o(fill_hot),
      .count_o(count_f), .column_o(column_f), .row_o(row_f), .older_o(older_f),
      .used_o(used), .row_match_o(row_match)
    );
  end
  assign fill_ready_o = fill_hot != '0;
  assign fill_leaf_o  = number(fill_hot);

  assign leaf_hot = LEAVES'(1) << leaf_i;
  if (WHOLE) begin : gen_drain
    cart_drain #(
      .ROWS(ROWS), .COLUMNS(COLUMNS), .DEPTH(DEPTH), .ROW_BITS(ROW_BITS), .COLUMN_BITS(COLUMN_BITS)
    ) u_drain (
      .count_i(count_f), .column_i(column_f), .row_i(row_f), .older_i(older_f),
      .refused_i(refused_q), .has_last_i(has_last_q), .last_row_i(last_row_q),
      .last_valid_i(last_valid_q), .last_leaf_i(last_leaf_q),
      .ready_i, .drain_hot_o(drain_hot), .again_o(drain_again_o), .drains_o(drains),
      .same_row_o(same_row),
      .turn_i, .pop_i, .refuse_i, .leaf_hot_i(leaf_hot),
      .count_o(count_d), .refused_o(refused_d), .last_valid_o(last_valid_d), .last_row_o(last_row_d)
    );
  end
  assign drain_valid_o = drain_hot != '0;
  assign drain_leaf_o  = number(drain_hot);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      count_q      <= '0;
      older_q      <= '0;
      refused_q    <= '0;
      has_last_q   <= 1'b0;
      last_valid_q <= 1'b0;
      last_leaf_q  <= '0;
    end else begin
      count_q      <= count_d;
      older_q      <= older_f;
      refused_q    <= refused_d;
      has_last_q   <= has_last_q || pop_i;
      last_valid_q <= last_valid_d;
      if (pop_i) last_leaf_q <= leaf_i;
    end
    column_q   <= column_f;
    row_q      <= row_f;
    last_row_q <= last_row_d;
  end

  assign drains_o     = drains;
  assign refused_o    = refused_q;
  assign last_valid_o = last_valid_q;
  assign last_leaf_o  = last_valid_q ? last_leaf_q : '0;
  assign same_row_o   = same_row;

  `CHECK(one_outcome, !(pop_i && refuse_i))
  `CHECK(leaf_has_a_request_to_try, !(pop_i || refuse_i) || (drains & leaf_hot) != '0)
  `CHECK(one_row_matches, (row_match & (row_match - ROWS'(1))) == '0)
  `CHECK(last_leaf_is_not_empty, !last_valid_q || (used & (LEAVES'(1) << last_leaf_q)) != '0)
  `CHECK(empty_leaves_are_not_refused, (refused_q & ~used) == '0)
`ifdef FORMAL
  `include "cart_branch/cart_branch_formal.svh"
`endif
endmodule
`default_nettype wire
