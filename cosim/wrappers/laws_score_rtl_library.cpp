// SPDX-License-Identifier: Apache-2.0
// The Verilated LAWS score as a library; compiled on demand behind Verilator's output.
#include "Vlaws_score.h"
#include "cosim/wrappers/rtl_unit.hpp"
#include "units/laws_score/laws_score_ports.hpp"

namespace {

using warpmem::units::LawsScoreIn;
using warpmem::units::LawsScoreOut;

void drive(Vlaws_score& top, const LawsScoreIn& in) {
  top.clear_i = in.clear;
  top.l1d_hit_i = in.l1d_hit;
  top.l1d_intra_i = in.l1d_intra;
  top.mshr_valid_i = in.mshr_valid;
  top.mshr_hit_i = in.mshr_hit;
  top.mshr_intra_i = in.mshr_intra;
}

void sample(const Vlaws_score& top, LawsScoreOut& out) {
  constexpr unsigned kUnused = 32 - WARPMEM_SCORE_BITS;
  out.fair = top.fair_o;
  out.score =
      static_cast<std::int32_t>(static_cast<std::uint32_t>(top.score_o) << kUnused) >> kUnused;
  out.miss_count = static_cast<std::uint16_t>(top.miss_count_o);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::rtl_abi<Vlaws_score, LawsScoreIn, LawsScoreOut, drive, sample>();
}
