// SPDX-License-Identifier: Apache-2.0
// Properties of the index generator. The reference is the list of entries that are in use, kept
// from the handshakes alone; `f_entry` is any one entry.
`include "common/formal.svh"
logic f_past = 1'b0;  // out of reset at the last clock edge
`RESET_FIRST
always_ff @(posedge clk) f_past <= rst_n;

`ANY_CONST(IDX_W, f_entry)
logic [ENTRIES-1:0] f_used_q;
logic f_take, f_given, f_freed, f_given_q, f_freed_q, f_exists;
assign f_exists = 32'(f_entry) < ENTRIES;
assign f_take   = take_i && !full_o;
assign f_given  = f_take && idx_o == f_entry;
assign f_freed  = release_i && release_idx_i == f_entry && f_exists;
always_ff @(posedge clk) begin
  f_given_q <= rst_n && f_given;
  f_freed_q <= rst_n && f_freed;
  for (int unsigned i = 0; i < ENTRIES; i++) begin
    if (!rst_n || (release_i && 32'(release_idx_i) == i)) f_used_q[i] <= 1'b0;
    else if (f_take && 32'(idx_o) == i) f_used_q[i] <= 1'b1;
  end
end
`CHOOSE(IDX_W, f_entry, idx_o, f_take && !f_given_q && !f_freed_q)
logic f_entry_used;
assign f_entry_used = |(f_used_q & (ENTRIES'(1) << f_entry));

`CHECK(index_is_an_entry, 32'(idx_o) < ENTRIES)
`CHECK(index_is_not_in_use, !(f_given && f_entry_used))
`CHECK(index_is_the_lowest_free_one, full_o || !f_exists || f_entry_used || idx_o <= f_entry)
`CHECK(full_iff_all_are_in_use, full_o == (f_used_q == '1))
`CHECK(index_is_zero_while_full, !full_o || idx_o == '0)
`CHECK(given_index_is_not_available,
       !(f_given_q && !f_freed_q) || (available_o & (ENTRIES'(1) << f_entry)) == '0)
`CHECK(freed_index_returns, !f_freed_q || (available_o & (ENTRIES'(1) << f_entry)) != '0)
`CHECK(available_is_what_is_not_in_use, available_o == ~f_used_q)

logic f_was_given_q, f_was_full_q;  // at some time since the reset
logic f_full_q;                     // in the cycle before
always_ff @(posedge clk) begin
  f_full_q      <= rst_n && full_o;
  f_was_given_q <= rst_n && (f_was_given_q || f_given_q);
  f_was_full_q  <= rst_n && (f_was_full_q || full_o);
end
`REACH(becomes_full, full_o)
`REACH(takes_while_full, full_o && take_i)
`REACH(leaves_full, !full_o && f_freed_q && f_full_q)
`REACH(takes_and_frees_in_a_cycle, f_take && release_i)
`REACH(frees_what_is_available, f_freed && !f_entry_used)
`REACH(given_freed_and_given_again, f_given && f_was_given_q)
`REACH(all_in_use_then_none, f_was_full_q && f_used_q == '0)
