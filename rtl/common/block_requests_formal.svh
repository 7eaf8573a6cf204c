// SPDX-License-Identifier: Apache-2.0
// Requests of any one block, of a file that answers each in its own cycle and knows it by its
// address; included where formal.svh is read and F_MOST, F_BESIDE and F_FORGETS are declared, which
// open_requests_formal.svh explains.
`ANY_CONST(ADDR_BITS, f_block)
logic f_asked, f_fire, f_put, f_ret, f_rsp;
assign f_asked = req_addr_i == f_block;
assign f_fire  = req_valid_i && req_ready_o;
assign f_put   = f_fire && f_asked;
assign f_ret   = ret_valid_i && ret_ready_o && ret_addr_i == f_block;
assign f_rsp   = rsp_valid_o && rsp_addr_o == f_block;
logic [SLOT_BITS-1:0] f_slot;
assign f_slot = req_slot_i;
logic [SECTORS-1:0] f_lacks, f_held, f_fetch, f_came;
assign f_lacks = req_sectors_i;
assign f_held  = req_held_i;
assign f_fetch = req_fetch_o;
assign f_came  = ret_sectors_i;
`include "common/open_requests_formal.svh"
`CHOOSE(ADDR_BITS, f_block, req_addr_i, !f_open && f_fire && !req_secondary_o)
