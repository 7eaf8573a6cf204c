// SPDX-License-Identifier: Apache-2.0
// Properties of the slots, part of module mshr_slots where FORMAL is defined: what the pointers say
// is in use, summed over all entries, against the requests that came and left.
localparam int unsigned F_SUM_W = $clog2(ENTRIES * SLOTS + 1);
logic [F_SUM_W-1:0] f_stored_q;   // requests that are stored
logic [F_SUM_W-1:0] f_in_use;     // slots in use
logic [ENTRIES-1:0] f_used_q;     // entries in use
always_comb begin
  f_in_use = '0;
  for (int unsigned e = 0; e < ENTRIES; e++)
    if (f_used_q[e])
      f_in_use = f_in_use + F_SUM_W'(newest_q[e]) + F_SUM_W'(1)
                 - (draining_o[e] ? F_SUM_W'(next_q) : '0);
end
always_ff @(posedge clk) begin
  if (!rst_n) begin
    f_stored_q <= '0;
    f_used_q   <= '0;
  end else begin
    f_stored_q <= f_stored_q + F_SUM_W'(put_valid_i) - F_SUM_W'(rsp_valid_o && rsp_ready_i);
    f_used_q   <= (f_used_q & ~(draining_o & {ENTRIES{leaves}}))
                  | ((ENTRIES'(1) << put_entry_i) & {ENTRIES{put_valid_i}});
  end
end
`CHECK(slots_in_use_are_accepted_minus_answered, f_in_use == f_stored_q)
`CHECK(slots_of_an_entry_do_not_overflow, !(put_valid_i && !put_first_i)
       || newest_q[put_entry_i] != SLOT_W'(SLOTS - 1))
`CHECK(first_slot_is_of_a_free_entry, !put_valid_i
       || put_first_i == ((f_used_q & (ENTRIES'(1) << put_entry_i)) == '0))
`CHECK(drain_is_within_the_entry, !drain_q || next_q <= newest_q[entry_q])
