// SPDX-License-Identifier: Apache-2.0
// When a slot waits to be read, part of the properties of the files whose slots are a memory where
// FORMAL is defined, and more than one set. Included behind the declaration of f_fire, a request
// that is stored, and of drain_q, rsp_valid_o and slot_waits.
logic f_wrote_q, f_waited_q;
always_ff @(posedge clk) begin
  f_wrote_q  <= rst_n && f_fire;
  f_waited_q <= rst_n && slot_waits;
end
`CHECK(slot_waits_only_for_one_port, STORAGE == 1 || !slot_waits)
`CHECK(slot_waits_only_behind_a_write, !slot_waits || f_wrote_q)
`CHECK(nothing_leaves_while_its_slot_waits, !slot_waits || (drain_q && !rsp_valid_o))
if (STORAGE == 1) begin : gen_f_one_port
  `REACH(slot_waits_again, slot_waits && f_waited_q)
end
