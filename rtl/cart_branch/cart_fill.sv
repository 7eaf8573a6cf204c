// SPDX-License-Identifier: Apache-2.0
// The fill of a CART branch (GU 2.4.2), without a register: the leaf that a request enters, and the
// branch with it. One comparator for each row and each leaf. The rules are in README.md.
//
// Of a row's COLUMNS x COLUMNS bits of older, [i][j] tells that its leaf i was taken into use
// before its leaf j; only those with i < j mean something.
`default_nettype none

module cart_fill #(
  parameter int unsigned ROWS        = 4,
  parameter int unsigned COLUMNS     = 2,
  parameter int unsigned DEPTH       = 2,
  parameter int unsigned ROW_BITS    = 14,
  parameter int unsigned COLUMN_BITS = 4,
  localparam int unsigned LEAVES     = ROWS * COLUMNS,
  localparam int unsigned COUNT_W    = DEPTH > 0 ? $clog2(DEPTH + 1) : 1
) (
  // The branch before, ...
  input  wire logic [LEAVES*COUNT_W-1:0]     count_i,
  input  wire logic [LEAVES*COLUMN_BITS-1:0] column_i,
  input  wire logic [ROWS*ROW_BITS-1:0]      row_i,
  input  wire logic [LEAVES*COLUMNS-1:0]     older_i,

  input  wire logic                          fill_valid_i,
  input  wire logic [ROW_BITS-1:0]           fill_row_i,
  input  wire logic [COLUMN_BITS-1:0]        fill_column_i,
  output wire logic [LEAVES-1:0]             fill_hot_o,   // the leaf that it enters; 0: none

  // ... and with the request.
  output wire logic [LEAVES*COUNT_W-1:0]     count_o,
  output wire logic [LEAVES*COLUMN_BITS-1:0] column_o,
  output wire logic [ROWS*ROW_BITS-1:0]      row_o,
  output wire logic [LEAVES*COLUMNS-1:0]     older_o,

  // What it was decided by, before the request.
  output wire logic [LEAVES-1:0]             used_o,
  output wire logic [ROWS-1:0]               row_match_o   // holds the line's row
);
  function automatic logic [LEAVES-1:0] lowest(input logic [LEAVES-1:0] among);
    lowest = among & (~among + LEAVES'(1));
  endfunction

  logic [LEAVES*COUNT_W-1:0]     count_f;  // _f: with the fill of this cycle
  logic [LEAVES*COLUMN_BITS-1:0] column_f;
  logic [ROWS*ROW_BITS-1:0]      row_f;
  logic [LEAVES*COLUMNS-1:0]     older_f;
  logic [LEAVES-1:0] used, full, match, newest, free_of_row, free_rows, merges, fill_hot, takes;
  logic [ROWS-1:0]   row_held, row_match;

  always_comb begin
    for (int unsigned l = 0; l < LEAVES; l++) begin
      used[l] = count_i[l*COUNT_W +: COUNT_W] != '0;
      full[l] = count_i[l*COUNT_W +: COUNT_W] == COUNT_W'(DEPTH);
    end
    for (int unsigned r = 0; r < ROWS; r++) begin
      row_held[r]  = used[r*COLUMNS +: COLUMNS] != '0;
      row_match[r] = row_held[r] && row_i[r*ROW_BITS +: ROW_BITS] == fill_row_i;
    end
    for (int unsigned l = 0; l < LEAVES; l++) begin
      match[l] = used[l] && row_match[l/COLUMNS]
                 && column_i[l*COLUMN_BITS +: COLUMN_BITS] == fill_column_i;
      free_of_row[l] = !used[l] && row_match[l/COLUMNS];
      free_rows[l]   = !row_held[l/COLUMNS];
    end
    newest = match;
    for (int unsigned r = 0; r < ROWS; r++) begin
      for (int unsigned i = 0; i < COLUMNS; i++) begin
        for (int unsigned j = i + 1; j < COLUMNS; j++) begin
          if (match[r*COLUMNS + i] && match[r*COLUMNS + j]) begin
            if (older_i[(r*COLUMNS + i)*COLUMNS + j]) newest[r*COLUMNS + i] = 1'b0;
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

  always_comb begin
    count_f  = count_i;
    column_f = column_i;
    row_f    = row_i;
    older_f  = older_i;
    for (int unsigned l = 0; l < LEAVES; l++) begin
      count_f[l*COUNT_W +: COUNT_W] = count_i[l*COUNT_W +: COUNT_W] + COUNT_W'(fill_hot[l]);
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

  assign fill_hot_o  = fill_hot;
  assign count_o     = count_f;
  assign column_o    = column_f;
  assign row_o       = row_f;
  assign older_o     = older_f;
  assign used_o      = used;
  assign row_match_o = row_match;
endmodule
`default_nettype wire
