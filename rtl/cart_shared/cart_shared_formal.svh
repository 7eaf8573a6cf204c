// SPDX-License-Identifier: Apache-2.0
// Properties of CART with shared comparators, part of module cart_shared where FORMAL is defined:
// the rules of README.md, said of the ports for any one line of any one bank. What the leaves of
// that bank hold is known here from the ports alone, and any one request of the line is followed.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;
`ASSUME(one_outcome_is_told, !(pop_i && refuse_i))
`ASSUME(outcome_is_of_a_leaf_to_try, !(pop_i || refuse_i) || drain_valid_o)
`ASSUME(bank_exists, !fill_valid_i || 32'(fill_bank_i) < BANKS)

`ANY_CONST(BANK_W, f_bank)
`ANY_CONST(ROW_BITS, f_row)
`ANY_CONST(COLUMN_BITS, f_column)
`ANY_SEQ(f_follow)  // the request that enters, unless one is followed

// ---- what the bank's leaves hold ---------------------------------------------------------------
localparam int unsigned F_COUNT_W = $clog2(DEPTH + 1);
localparam int unsigned F_W       = $clog2(LEAVES * DEPTH + 1);
logic [LEAVES*F_COUNT_W-1:0] f_length_q, f_length;  // without and with the fill of this cycle
logic [LEAVES-1:0] f_line_q, f_line;                // of these, leaves of the line
logic [LEAVES-1:0] f_fill_hot, f_leaf_hot, f_used, f_used_after, f_full;
logic f_fills, f_enters, f_pops, f_at_turn, f_first;  // f_first: into a leaf without requests
assign f_fills    = fill_valid_i && fill_ready_o && fill_bank_i == f_bank;
assign f_enters   = f_fills && fill_row_i == f_row && fill_column_i == f_column;
assign f_at_turn  = bank_valid_o && bank_o == f_bank;
assign f_pops     = f_at_turn && pop_i;
assign f_fill_hot = (LEAVES'(1) << fill_leaf_o) & {LEAVES{f_fills}};
assign f_leaf_hot = (LEAVES'(1) << drain_leaf_o) & {LEAVES{f_pops}};
always_comb begin
  for (int unsigned l = 0; l < LEAVES; l++) begin
    f_used[l] = f_length_q[l*F_COUNT_W +: F_COUNT_W] != '0;
    f_full[l] = f_length_q[l*F_COUNT_W +: F_COUNT_W] == F_COUNT_W'(DEPTH);
    f_length[l*F_COUNT_W +: F_COUNT_W] =
        f_length_q[l*F_COUNT_W +: F_COUNT_W] + F_COUNT_W'(f_fill_hot[l]);
    f_used_after[l] = f_length[l*F_COUNT_W +: F_COUNT_W] != '0;
  end
end
assign f_first = f_fills && (f_fill_hot & f_used) == '0;
assign f_line  = f_first ? (f_line_q & ~f_fill_hot) | (f_fill_hot & {LEAVES{f_enters}}) : f_line_q;
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_length_q <= '0;
    f_line_q   <= '0;
  end else begin
    for (int unsigned l = 0; l < LEAVES; l++)
      f_length_q[l*F_COUNT_W +: F_COUNT_W] <=
          f_length[l*F_COUNT_W +: F_COUNT_W] - F_COUNT_W'(f_leaf_hot[l]);
    f_line_q <= f_line;
  end
end
logic [LEAVES-1:0] f_of_line;  // leaves with requests of the line, with the fill
assign f_of_line = f_line & f_used_after;
`CHECK(filled_leaf_has_room, (f_fill_hot & f_full) == '0)
`CHECK(leaf_holds_one_line, !f_fills || f_first || f_enters == ((f_fill_hot & f_line_q) != '0))
`CHECK(request_enters_an_empty_branch, !fill_valid_i || fill_bank_i != f_bank || f_used != '0
       || fill_ready_o)
`CHECK(held_is_a_branch_with_requests, 32'(f_bank) >= BANKS || held_o[f_bank] == (f_used != '0))
`CHECK(fill_names_a_leaf, 32'(fill_leaf_o) < LEAVES && (fill_ready_o || fill_leaf_o == '0))

// ---- order: any request of the line leaves after those that came before it ---------------------
logic                 f_followed_q, f_followed, f_leaves, f_it_leaves;
logic [F_W-1:0]       f_inside_q, f_inside, f_older_q, f_older;
logic [LEAVES-1:0]    f_place_q, f_place;      // its leaf, and
logic [F_COUNT_W-1:0] f_before_q, f_before, f_entered_behind;  // how many are before it there
always_comb begin
  f_entered_behind = '0;
  for (int unsigned l = 0; l < LEAVES; l++)
    f_entered_behind = f_entered_behind
                       | (f_length_q[l*F_COUNT_W +: F_COUNT_W] & {F_COUNT_W{f_fill_hot[l]}});
end
assign f_inside    = f_inside_q + F_W'(f_enters);
assign f_followed  = f_followed_q || (f_enters && f_follow);
assign f_older     = f_followed_q ? f_older_q : f_inside_q;
assign f_place     = f_followed_q ? f_place_q : f_fill_hot;
assign f_before    = f_followed_q ? f_before_q : f_entered_behind;
assign f_leaves    = (f_of_line & f_leaf_hot) != '0;
assign f_it_leaves = f_followed && f_leaves && f_place == f_leaf_hot && f_before == '0;
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_followed_q <= 1'b0;
    f_inside_q   <= '0;
    f_older_q    <= '0;
    f_place_q    <= '0;
    f_before_q   <= '0;
  end else begin
    f_followed_q <= f_followed && !f_it_leaves;
    f_inside_q   <= f_inside - F_W'(f_leaves);
    f_older_q    <= f_older - F_W'(f_leaves && f_older != '0);
    f_place_q    <= f_place;
    f_before_q   <= f_before - F_COUNT_W'((f_place & f_leaf_hot) != '0 && f_before != '0);
  end
end
// Another line is chosen while none of this one is inside, as a request opens its first leaf.
logic f_chooses;
assign f_chooses = f_used == '0 && fill_valid_i && fill_ready_o && !held_o[fill_bank_i];
`CHOOSE(BANK_W, f_bank, fill_bank_i, f_chooses)
`CHOOSE(ROW_BITS, f_row, fill_row_i, f_chooses)
`CHOOSE(COLUMN_BITS, f_column, fill_column_i, f_chooses)
`CHECK(requests_of_a_line_leave_in_order, !f_it_leaves || f_older == '0)
`CHECK(nobody_is_passed, !(f_followed && f_leaves && f_older == '0) || f_it_leaves)
`CHECK(what_leaves_has_entered, (f_leaf_hot & ~f_used_after) == '0)
`CHECK(line_has_one_leaf_that_drains, !f_at_turn
       || ((f_of_line != '0) == ((f_of_line & drains_o) != '0)
           && ((f_of_line & drains_o) & ((f_of_line & drains_o) - LEAVES'(1))) == '0))
`CHECK(leaves_of_others_drain, !f_at_turn || (drains_o & ~f_used_after) == '0)

// ---- drain and turn ----------------------------------------------------------------------------
logic [LEAVES-1:0] f_tried;  // the leaf to try
localparam int unsigned F_TURN_W = $clog2(BANKS + 1);
logic [F_TURN_W-1:0] f_passed_q;  // turns of others since the bank has had requests
assign f_tried = (LEAVES'(1) << drain_leaf_o) & {LEAVES{drain_valid_o}};
`CHECK(chosen_leaf_may_go, (f_tried & ~(drains_o & ready_i)) == '0)
`CHECK(one_is_chosen_if_any_may_go, drain_valid_o == ((drains_o & ready_i) != '0))
`CHECK(nothing_drains_without_a_turn, bank_valid_o || drains_o == '0)
logic [LEAVES-1:0] f_refused_q, f_refused;  // leaves of the bank refused since they opened
assign f_refused = f_first ? f_refused_q & ~f_fill_hot : f_refused_q;
always_ff @(posedge clk) begin
  if (!rst_n) f_refused_q <= '0;
  else f_refused_q <= f_refused | (f_tried & {LEAVES{f_at_turn && refuse_i}});
end
`CHECK(tried_again_was_refused, !(f_at_turn && drain_again_o) || (f_tried & f_refused) != '0)
`CHECK(turn_is_of_a_branch_with_requests, !f_at_turn || f_used_after != '0)
`CHECK(some_branch_has_its_turn, 32'(f_bank) >= BANKS || f_used_after == '0 || bank_valid_o)
logic f_turn_ends;
assign f_turn_ends = bank_valid_o && (pop_i || refuse_i || !drain_valid_o);
always_ff @(posedge clk) begin
  if (!rst_n || f_used_after == '0 || f_at_turn) f_passed_q <= '0;
  else f_passed_q <= f_passed_q + F_TURN_W'(f_turn_ends);
end
`CHECK(turn_comes_after_all_others, 32'(f_passed_q) < BANKS)

`REACH(line_in_two_leaves, COLUMNS == 1 || (f_of_line & (f_of_line - LEAVES'(1))) != '0)
`REACH(enters_and_goes, f_enters && f_it_leaves && f_older == '0)
`REACH(followed_one_waits, f_followed && f_older != '0)
`REACH(no_place, fill_valid_i && fill_bank_i == f_bank && !fill_ready_o)
`REACH(tried_again, f_at_turn && drain_again_o && refuse_i)
`REACH(turn_ends_without_a_leaf, f_at_turn && !drain_valid_o)
if (BANKS > 1) begin : gen_f_banks
  `REACH(fills_beside_a_drain, f_fills && bank_o != f_bank && pop_i)
  `REACH(waits_for_its_turn, f_passed_q != '0)
end
