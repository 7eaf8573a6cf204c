// SPDX-License-Identifier: Apache-2.0
// Properties of a CART branch, for any line: what a request may fill, and that the requests of the
// line leave in the order in which they came. The request that is followed is any one of them.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;
`ASSUME(one_outcome_is_told, !(pop_i && refuse_i))
`ASSUME(outcome_is_of_a_leaf_that_drains, !(pop_i || refuse_i)
        || (drains_o & (LEAVES'(1) << leaf_i)) != '0)

`ANY_CONST(ROW_BITS, f_row)
`ANY_CONST(COLUMN_BITS, f_column)
`ANY_SEQ(f_follow)  // the request that enters, unless one is followed

logic [LEAVES-1:0] f_full, f_match;      // before the fill: no room; holds the line that enters
logic [ROWS-1:0]   f_row_held;
always_comb begin
  for (int unsigned l = 0; l < LEAVES; l++) begin
    f_full[l]  = count_q[l*COUNT_W +: COUNT_W] == COUNT_W'(DEPTH);
    f_match[l] = used[l] && row_match[l/COLUMNS]
                 && column_q[l*COLUMN_BITS +: COLUMN_BITS] == fill_column_i;
  end
  for (int unsigned r = 0; r < ROWS; r++) f_row_held[r] = used[r*COLUMNS +: COLUMNS] != '0;
end
logic [LEAVES-1:0] f_of_line, f_of_row;  // leaves that hold the line, its row; with the fill
always_comb begin
  for (int unsigned l = 0; l < LEAVES; l++) begin
    f_of_row[l]  = count_f[l*COUNT_W +: COUNT_W] != '0
                   && row_f[(l/COLUMNS)*ROW_BITS +: ROW_BITS] == f_row;
    f_of_line[l] = f_of_row[l] && column_f[l*COLUMN_BITS +: COLUMN_BITS] == f_column;
  end
end

// ---- fill --------------------------------------------------------------------------------------
logic f_enters;  // a request of the line
assign f_enters = fill_valid_i && fill_ready_o && fill_row_i == f_row && fill_column_i == f_column;
`CHECK(request_gets_one_leaf, fill_ready_o == (fill_hot != '0)
       && (fill_hot & (fill_hot - LEAVES'(1))) == '0)
`CHECK(filled_leaf_has_room, (fill_hot & f_full) == '0)
`CHECK(line_enters_a_leaf_of_its_own, !f_enters || (fill_hot & used & ~f_match) == '0)
`CHECK(request_with_a_free_leaf_enters, !fill_valid_i || fill_ready_o || row_match != '0
       || f_row_held == '1)
logic f_free_of_row;  // the row that is held has a leaf without requests
always_comb begin
  f_free_of_row = 1'b0;
  for (int unsigned l = 0; l < LEAVES; l++)
    if (row_match[l/COLUMNS] && !used[l]) f_free_of_row = 1'b1;
end
`CHECK(held_row_gives_its_free_leaf, !fill_valid_i || fill_ready_o || !f_free_of_row)

// ---- order -------------------------------------------------------------------------------------
// Requests of the line in the branch, and how many of them are older than the followed one.
// The followed one stands in f_leaf behind f_before others there.
localparam int unsigned F_W = $clog2(LEAVES * DEPTH + 1);
logic           f_followed_q, f_followed, f_leaves, f_first_leaves;
logic [F_W-1:0] f_inside_q, f_inside, f_older_q, f_older;
logic [LEAVES-1:0]  f_leaf_q, f_leaf;
logic [COUNT_W-1:0] f_before_q, f_before, f_length;
assign f_inside   = f_inside_q + F_W'(f_enters);
assign f_followed = f_followed_q || (f_enters && f_follow);
assign f_older    = f_followed_q ? f_older_q : f_inside_q;
assign f_leaves   = pop_i && (f_of_line & leaf_hot) != '0;
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_followed_q <= 1'b0;
    f_inside_q   <= '0;
    f_older_q    <= '0;
    f_leaf_q     <= '0;
    f_before_q   <= '0;
  end else begin
    f_inside_q   <= f_inside - F_W'(f_leaves);
    f_followed_q <= f_followed && !f_first_leaves;
    f_older_q    <= f_older - F_W'(f_leaves && f_older != '0);
    f_leaf_q     <= f_leaf;
    f_before_q   <= f_before - COUNT_W'(f_leaves && (f_leaf & leaf_hot) != '0 && f_before != '0);
  end
end
always_comb begin
  f_length = '0;
  for (int unsigned l = 0; l < LEAVES; l++)
    f_length = f_length | (count_q[l*COUNT_W +: COUNT_W] & {COUNT_W{fill_hot[l]}});
end
assign f_leaf         = f_followed_q ? f_leaf_q : fill_hot;
assign f_before       = f_followed_q ? f_before_q : f_length;
assign f_first_leaves = f_followed && f_leaves && f_leaf == leaf_hot && f_before == '0;
// Another line is chosen while none of this one is inside, as a request opens its first leaf.
logic f_chooses;
assign f_chooses = f_inside_q == '0 && fill_valid_i && fill_ready_o && f_match == '0;
`CHOOSE(ROW_BITS, f_row, fill_row_i, f_chooses)
`CHOOSE(COLUMN_BITS, f_column, fill_column_i, f_chooses)

`CHECK(line_has_one_leaf_that_drains, (f_of_line != '0) == ((f_of_line & drains_o) != '0)
       && ((f_of_line & drains_o) & ((f_of_line & drains_o) - LEAVES'(1))) == '0)
`CHECK(line_has_leaves_while_it_has_requests, (f_of_line != '0) == (f_inside != '0))
`CHECK(requests_of_a_line_leave_in_order, !f_first_leaves || f_older == '0)
`CHECK(nobody_is_passed, !(f_followed && f_leaves && f_older == '0) || f_first_leaves)
logic f_held_once;
always_comb begin
  f_held_once = 1'b1;
  for (int unsigned l = 0; l < LEAVES; l++)
    for (int unsigned m = 0; m < LEAVES; m++)
      if (l/COLUMNS != m/COLUMNS && f_of_row[l] && f_of_row[m]) f_held_once = 1'b0;
end
`CHECK(row_is_held_once, f_held_once)

// ---- drain -------------------------------------------------------------------------------------
`CHECK(chosen_leaf_may_go, drain_hot == '0 || (drain_hot & drains_o & ready_i) == drain_hot)
`CHECK(one_is_chosen_if_any_may_go, (drain_hot != '0) == ((drains_o & ready_i) != '0)
       && (drain_hot & (drain_hot - LEAVES'(1))) == '0)
// Refusals, and the leaf that was drained last while it holds requests.
logic [LEAVES-1:0] f_refused_q, f_last_q, f_among, f_candidates;
logic f_emptied, f_longest;
always_comb begin
  f_emptied = 1'b1;
  for (int unsigned l = 0; l < LEAVES; l++)
    if (leaf_hot[l] && count_f[l*COUNT_W +: COUNT_W] != COUNT_W'(1)) f_emptied = 1'b0;
end
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_refused_q <= '0;
    f_last_q    <= '0;
  end else begin
    f_refused_q <= (f_refused_q & {LEAVES{!turn_i && !pop_i}}) | (leaf_hot & {LEAVES{refuse_i}});
    if (pop_i) f_last_q <= leaf_hot & {LEAVES{!f_emptied}};
  end
end
assign f_among      = (drains_o & ready_i & ~f_refused_q) != '0 ? drains_o & ready_i & ~f_refused_q
                                                                : drains_o & ready_i;
assign f_candidates = (f_among & same_row_o) != '0 ? f_among & same_row_o : f_among;
always_comb begin
  f_longest = 1'b1;
  for (int unsigned l = 0; l < LEAVES; l++)
    for (int unsigned m = 0; m < LEAVES; m++)
      if (drain_hot[l] && f_candidates[m]
          && (count_f[m*COUNT_W +: COUNT_W] > count_f[l*COUNT_W +: COUNT_W]
              || (m < l && count_f[m*COUNT_W +: COUNT_W] == count_f[l*COUNT_W +: COUNT_W])))
        f_longest = 1'b0;
end
`CHECK(refusals_last_until_one_goes, refused_o == f_refused_q)
`CHECK(last_leaf_goes_on, (f_among & f_last_q) == '0 || drain_hot == f_last_q)
`CHECK(longest_leaf_goes, (f_among & f_last_q) != '0 || f_longest)
`CHECK(refused_only_after_all_others, (drain_hot & refused_o) == '0
       || (drains_o & ready_i & ~refused_o) == '0)
`CHECK(row_goes_on, (drain_hot & same_row_o) != '0
       || (drains_o & ready_i & same_row_o & (drain_again_o ? '1 : ~refused_o)) == '0)

`REACH(line_in_two_leaves, COLUMNS == 1 || (f_of_line & (f_of_line - LEAVES'(1))) != '0)
`REACH(enters_and_goes, f_enters && f_first_leaves && f_older == '0)
`REACH(followed_one_waits, f_followed && f_older > F_W'(1))
`REACH(row_is_taken, fill_valid_i && !fill_ready_o && row_match != '0)
`REACH(tried_again, drain_again_o && refuse_i)
