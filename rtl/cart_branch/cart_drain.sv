// SPDX-License-Identifier: Apache-2.0
// The drain of a CART branch (GU 2.4.4), without a register: the leaf that goes next, and what is
// left of the branch when its request went or was refused. The rules are in README.md.
`default_nettype none

module cart_drain #(
  parameter int unsigned ROWS        = 4,
  parameter int unsigned COLUMNS     = 2,
  parameter int unsigned DEPTH       = 2,
  parameter int unsigned ROW_BITS    = 14,
  parameter int unsigned COLUMN_BITS = 4,
  localparam int unsigned LEAVES     = ROWS * COLUMNS,
  localparam int unsigned LEAF_W     = LEAVES > 1 ? $clog2(LEAVES) : 1,
  localparam int unsigned COUNT_W    = DEPTH > 0 ? $clog2(DEPTH + 1) : 1
) (
  // The branch, with what enters it in this cycle.
  input  wire logic [LEAVES*COUNT_W-1:0]     count_i,
  input  wire logic [LEAVES*COLUMN_BITS-1:0] column_i,
  input  wire logic [ROWS*ROW_BITS-1:0]      row_i,
  input  wire logic [LEAVES*COLUMNS-1:0]     older_i,
  input  wire logic [LEAVES-1:0]             refused_i,
  input  wire logic                          has_last_i,    // last_row_i means something
  input  wire logic [ROW_BITS-1:0]           last_row_i,
  input  wire logic                          last_valid_i,  // last_leaf_i means something
  input  wire logic [LEAF_W-1:0]             last_leaf_i,

  input  wire logic [LEAVES-1:0]             ready_i,
  output wire logic [LEAVES-1:0]             drain_hot_o,   // the leaf to try; 0: none
  output wire logic                          again_o,       // only such as were refused
  output wire logic [LEAVES-1:0]             drains_o,      // have the oldest request of their line
  output wire logic [LEAVES-1:0]             same_row_o,    // hold the row that was drained last

  // What became of it, and of the branch.
  input  wire logic                          turn_i,
  input  wire logic                          pop_i,
  input  wire logic                          refuse_i,
  input  wire logic [LEAVES-1:0]             leaf_hot_i,
  output wire logic [LEAVES*COUNT_W-1:0]     count_o,
  output wire logic [LEAVES-1:0]             refused_o,
  output wire logic                          last_valid_o,
  output wire logic [ROW_BITS-1:0]           last_row_o
);
  function automatic logic [LEAVES-1:0] lowest(input logic [LEAVES-1:0] among);
    lowest = among & (~among + LEAVES'(1));
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

  logic [LEAVES*COUNT_W-1:0] count_d;
  logic [LEAVES-1:0]         refused_d;
  logic                      last_valid_d;
  logic [ROW_BITS-1:0]       last_row_d;
  logic [LEAVES-1:0] drains, used, same_row, may_go, fresh, among, of_row, last_hot, drain_hot;

  always_comb begin
    for (int unsigned l = 0; l < LEAVES; l++) begin
      used[l]   = count_i[l*COUNT_W +: COUNT_W] != '0;
      same_row[l] = used[l] && has_last_i
                    && row_i[(l/COLUMNS)*ROW_BITS +: ROW_BITS] == last_row_i;
    end
    drains = used;
    for (int unsigned r = 0; r < ROWS; r++) begin
      for (int unsigned i = 0; i < COLUMNS; i++) begin
        for (int unsigned j = i + 1; j < COLUMNS; j++) begin
          if (used[r*COLUMNS + i] && used[r*COLUMNS + j]
              && column_i[(r*COLUMNS + i)*COLUMN_BITS +: COLUMN_BITS]
                 == column_i[(r*COLUMNS + j)*COLUMN_BITS +: COLUMN_BITS]) begin
            if (older_i[(r*COLUMNS + i)*COLUMNS + j]) drains[r*COLUMNS + j] = 1'b0;
            else drains[r*COLUMNS + i] = 1'b0;
          end
        end
      end
    end

    may_go    = drains & ready_i;
    fresh     = may_go & ~refused_i;
    among     = fresh != '0 ? fresh : may_go;
    last_hot  = {LEAVES{last_valid_i}} & (LEAVES'(1) << last_leaf_i);
    of_row    = among & same_row;
    drain_hot = lowest(longest(of_row != '0 ? of_row : among, count_i));
    if ((among & last_hot) != '0) drain_hot = last_hot;
  end

  always_comb begin
    count_d      = count_i;
    last_valid_d = last_valid_i;
    last_row_d   = last_row_i;
    refused_d    = turn_i || pop_i ? '0 : refused_i;
    if (refuse_i) refused_d = refused_d | leaf_hot_i;
    if (pop_i) begin
      last_valid_d = 1'b0;
      for (int unsigned l = 0; l < LEAVES; l++) begin
        if (leaf_hot_i[l]) begin
          count_d[l*COUNT_W +: COUNT_W] = count_i[l*COUNT_W +: COUNT_W] - COUNT_W'(1);
          last_valid_d = count_i[l*COUNT_W +: COUNT_W] != COUNT_W'(1);
          last_row_d   = row_i[(l/COLUMNS)*ROW_BITS +: ROW_BITS];
        end
      end
    end
  end

  assign drain_hot_o  = drain_hot;
  assign again_o      = may_go != '0 && fresh == '0;
  assign drains_o     = drains;
  assign same_row_o   = same_row;
  assign count_o      = count_d;
  assign refused_o    = refused_d;
  assign last_valid_o = last_valid_d;
  assign last_row_o   = last_row_d;
endmodule
`default_nettype wire
