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
  if (LEAVES < 1 || LEAVES > 64) begin : gen_bad_leaves
    $error("cart_branch: ROWS * COLUMNS must be 1 to 64");
  end
  if (DEPTH < 1 || DEPTH > 256) begin : gen_bad_depth
    $error("cart_branch: DEPTH must be 1 to 256");
  end
  if (ROW_BITS < 1 || ROW_BITS > 32 || COLUMN_BITS < 1 || COLUMN_BITS > 32) begin : gen_bad_tags
    $error("cart_branch: ROW_BITS and COLUMN_BITS must be 1 to 32");
  end

  localparam int unsigned COUNT_W = DEPTH > 0 ? $clog2(DEPTH + 1) : 1;

  function automatic logic [LEAVES-1:0] lowest(input logic [LEAVES-1:0] among);
    lowest = among & (~among + LEAVES'(1));
  endfunction

  function automatic logic [LEAF_W-1:0] number(input logic [LEAVES-1:0] hot);
    number = '0;
    for (int unsigned l = 0; l < LEAVES; l++) number = number | (LEAF_W'(l) & {LEAF_W{hot[l]}});
  endfunction

  // Returns the longest ones. Bit by bit, whoever lacks a bit that another one has is out.
  function automatic logic [LEAVES-1:0] longest(input logic [LEAVES-1:0] among,
                                                input logic [LEAVES*COUNT_W-1:0] count);
    logic [LEAVES-1:0] having;
    longest = among;
    for (int unsigned b = 0; b < COUNT_W; b++) begin
      for (int unsigned l = 0; l < LEAVES; l++) having[l] = count[l*COUNT_W + COUNT_W - 1 - b];
      if ((longest & having) != '0) longest = longest & having;
    end
  endfunction

  // Tags, lengths and order of use. Of a row's COLUMNS x COLUMNS bits of older, [i][j] tells that
  // its leaf i was taken into use before its leaf j; only those with i < j are stored.
  logic [LEAVES*COUNT_W-1:0]      count_q, count_f, count_d;  // _f: with the fill of this cycle
  logic [LEAVES*COLUMN_BITS-1:0]  column_q, column_f;
  logic [ROWS*ROW_BITS-1:0]       row_q, row_f;
  logic [LEAVES*COLUMNS-1:0]      older_q, older_f;
  logic [LEAVES-1:0]              refused_q, refused_d;
  logic                           has_last_q, last_valid_q, last_valid_d;
  logic [ROW_BITS-1:0]            last_row_q, last_row_d;
  logic [LEAF_W-1:0]              last_leaf_q;

  // ---- fill ------------------------------------------------------------------------------------

  logic [LEAVES-1:0] used, full, match, newest, free_of_row, free_rows, merges, fill_hot, takes;
  logic [ROWS-1:0]   row_held, row_match;

  always_comb begin
    for (int unsigned l = 0; l < LEAVES; l++) begin
      used[l] = count_q[l*COUNT_W +: COUNT_W] != '0;
      full[l] = count_q[l*COUNT_W +: COUNT_W] == COUNT_W'(DEPTH);
    end
    for (int unsigned r = 0; r < ROWS; r++) begin
      row_held[r]  = used[r*COLUMNS +: COLUMNS] != '0;
      row_match[r] = row_held[r] && row_q[r*ROW_BITS +: ROW_BITS] == fill_row_i;
    end
    for (int unsigned l = 0; l < LEAVES; l++) begin
      match[l] = used[l] && row_match[l/COLUMNS]
                 && column_q[l*COLUMN_BITS +: COLUMN_BITS] == fill_column_i;
      free_of_row[l] = !used[l] && row_match[l/COLUMNS];
      free_rows[l]   = !row_held[l/COLUMNS];
    end
    newest = match;
    for (int unsigned r = 0; r < ROWS; r++) begin
      for (int unsigned i = 0; i < COLUMNS; i++) begin
        for (int unsigned j = i + 1; j < COLUMNS; j++) begin
          if (match[r*COLUMNS + i] && match[r*COLUMNS + j]) begin
            if (older_q[(r*COLUMNS + i)*COLUMNS + j]) newest[r*COLUMNS + i] = 1'b0;
            else newest[r*COLUMNS + j] = 1'b0;
          end
        end
      end
    end
    merges = newest & ~full;
    if (merges != '0)         fill_hot = merges;
    else if (row_match != '0) fill_hot = lowest(free_of_row);
    else                      fill_hot = lowest(free_rows);
    if (!fill_valid_i)        fill_hot = '0;
    takes = fill_hot & ~used;
  end

  assign fill_ready_o = fill_hot != '0;
  assign fill_leaf_o  = number(fill_hot);

  always_comb begin
    count_f  = count_q;
    column_f = column_q;
    row_f    = row_q;
    older_f  = older_q;
    for (int unsigned l = 0; l < LEAVES; l++) begin
      count_f[l*COUNT_W +: COUNT_W] = count_q[l*COUNT_W +: COUNT_W] + COUNT_W'(fill_hot[l]);
      if (takes[l]) begin
        column_f[l*COLUMN_BITS +: COLUMN_BITS]   = fill_column_i;
        row_f[(l/COLUMNS)*ROW_BITS +: ROW_BITS]  = fill_row_i;
      end
    end
    for (int unsigned r = 0; r < ROWS; r++) begin
      for (int unsigned i = 0; i < COLUMNS; i++) begin
        for (int unsigned j = i + 1; j < COLUMNS; j++) begin
          if (takes[r*COLUMNS + i]) older_f[(r*COLUMNS + i)*COLUMNS + j] = 1'b0;
          if (takes[r*COLUMNS + j]) older_f[(r*COLUMNS + i)*COLUMNS + j] = 1'b1;
        end
      end
    end
  end

  // ---- drain -----------------------------------------------------------------------------------

  logic [LEAVES-1:0] drains, used_f, same_row, may_go, fresh, among, of_row, last_hot, drain_hot;

  always_comb begin
    for (int unsigned l = 0; l < LEAVES; l++) begin
      used_f[l]   = count_f[l*COUNT_W +: COUNT_W] != '0;
      same_row[l] = used_f[l] && has_last_q
                    && row_f[(l/COLUMNS)*ROW_BITS +: ROW_BITS] == last_row_q;
    end
    drains = used_f;
    for (int unsigned r = 0; r < ROWS; r++) begin
      for (int unsigned i = 0; i < COLUMNS; i++) begin
        for (int unsigned j = i + 1; j < COLUMNS; j++) begin
          if (used_f[r*COLUMNS + i] && used_f[r*COLUMNS + j]
              && column_f[(r*COLUMNS + i)*COLUMN_BITS +: COLUMN_BITS]
                 == column_f[(r*COLUMNS + j)*COLUMN_BITS +: COLUMN_BITS]) begin
            if (older_f[(r*COLUMNS + i)*COLUMNS + j]) drains[r*COLUMNS + j] = 1'b0;
            else drains[r*COLUMNS + i] = 1'b0;
          end
        end
      end
    end

    may_go    = drains & ready_i;
    fresh     = may_go & ~refused_q;
    among     = fresh != '0 ? fresh : may_go;
    last_hot  = {LEAVES{last_valid_q}} & (LEAVES'(1) << last_leaf_q);
    of_row    = among & same_row;
    drain_hot = lowest(longest(of_row != '0 ? of_row : among, count_f));
    if ((among & last_hot) != '0) drain_hot = last_hot;
  end

  assign drain_valid_o = may_go != '0;
  assign drain_again_o = drain_valid_o && fresh == '0;
  assign drain_leaf_o  = number(drain_hot);

  // ---- what became of it -----------------------------------------------------------------------

  logic [LEAVES-1:0] leaf_hot;

  always_comb begin
    leaf_hot     = LEAVES'(1) << leaf_i;
    count_d      = count_f;
    last_valid_d = last_valid_q;
    last_row_d   = last_row_q;
    refused_d    = turn_i || pop_i ? '0 : refused_q;
    if (refuse_i) refused_d = refused_d | leaf_hot;
    if (pop_i) begin
      last_valid_d = 1'b0;
      for (int unsigned l = 0; l < LEAVES; l++) begin
        if (leaf_hot[l]) begin
          count_d[l*COUNT_W +: COUNT_W] = count_f[l*COUNT_W +: COUNT_W] - COUNT_W'(1);
          last_valid_d = count_f[l*COUNT_W +: COUNT_W] != COUNT_W'(1);
          last_row_d   = row_f[(l/COLUMNS)*ROW_BITS +: ROW_BITS];
        end
      end
    end
  end

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
  `CHECK(last_leaf_is_not_empty, !last_valid_q || (used & last_hot) != '0)
  `CHECK(empty_leaves_are_not_refused, (refused_q & ~used) == '0)
`ifdef FORMAL
  `include "cart_branch/cart_branch_formal.svh"
`endif
endmodule
`default_nettype wire
