// SPDX-License-Identifier: Apache-2.0
// The inputs of every unit as tuples of numbers, for what treats all units alike.
#pragma once

#include <tuple>

#include "cache/mha/dl/dau.hpp"
#include "cosim/wrappers/mshr_ports.hpp"
#include "units/bucl_ctrl/bucl_ctrl_ports.hpp"
#include "units/cart_branch/cart_branch_ports.hpp"
#include "units/htsma_steer/htsma_steer_ports.hpp"
#include "units/laws_score/laws_score_ports.hpp"
#include "units/mrpb_drain/mrpb_drain_ports.hpp"
#include "units/throttle_unit/throttle_ports.hpp"
#include "units/tsma_index_gen/tsma_index_gen_ports.hpp"

namespace warpmem::cosim {

inline auto fields(mha::DauIn& in) {
  return std::tie(in.req_valid, in.req_secondary, in.req_head, in.ret_valid, in.ret_head);
}
inline auto fields(units::TsmaIndexGenIn& in) {
  return std::tie(in.take, in.release, in.release_idx);
}
inline auto fields(units::HtsmaSteerIn& in) {
  return std::tie(in.shared_count, in.victim_valid, in.victim_hit, in.small_empty, in.small_full,
                  in.small_match);
}
inline auto fields(units::LawsScoreIn& in) {
  return std::tie(in.clear, in.l1d_hit, in.l1d_intra, in.mshr_valid, in.mshr_hit, in.mshr_intra);
}
inline auto fields(units::ThrottleIn& in) {
  return std::tie(in.clear, in.fair, in.access_valid, in.access_intra, in.access_warp, in.end_warps,
                  in.mshr_full, in.load_count);
}
inline auto fields(units::CartBranchIn& in) {
  return std::tie(in.fill_valid, in.fill_row, in.fill_column, in.ready, in.turn, in.pop, in.refuse,
                  in.leaf);
}
inline auto fields(units::MrpbDrainIn& in) {
  return std::tie(in.ready, in.take, in.head_valid, in.head_stored, in.head_queue, in.enter);
}
inline auto fields(units::BuclCtrlIn& in) {
  return std::tie(in.clear, in.access_valid, in.access_hit, in.choose_valid, in.choose_row,
                  in.load_degree, in.load_row, in.uib);
}
inline auto fields(MshrIn& in) {
  return std::tie(in.req_valid, in.req_secondary, in.req_addr, in.req_slot, in.ret_valid,
                  in.ret_addr, in.rsp_ready);
}

}  // namespace warpmem::cosim
