// SPDX-License-Identifier: Apache-2.0
// The LAWS score, described once for all its views.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

struct LawsScoreSize {
  std::uint32_t score_bits = 16;
  std::uint32_t miss_limit = 31;  ///< where Miss_CNT stops
};

struct LawsScoreIn {
  bool clear = false;       ///< a kernel is launched
  bool l1d_hit = false;     ///< L1D reports a hit
  bool l1d_intra = false;   ///< the same warp brought its line
  bool mshr_valid = false;  ///< the MSHRs report a miss
  bool mshr_hit = false;    ///< that miss is a secondary one
  bool mshr_intra = false;  ///< its primary miss came from the same warp

  using Size = LawsScoreSize;
  template <class V>
  static constexpr void fields(V&& v, const Size&) {
    v("clear", &LawsScoreIn::clear, 1);
    v("l1d_hit", &LawsScoreIn::l1d_hit, 1);
    v("l1d_intra", &LawsScoreIn::l1d_intra, 1);
    v("mshr_valid", &LawsScoreIn::mshr_valid, 1);
    v("mshr_hit", &LawsScoreIn::mshr_hit, 1);
    v("mshr_intra", &LawsScoreIn::mshr_intra, 1);
  }
};

struct LawsScoreOut {
  bool fair = false;  ///< the score is negative, so the scheduling is to be fair
  std::int32_t score = 0;
  std::uint16_t miss_count = 0;

  using Size = LawsScoreSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("fair", &LawsScoreOut::fair, 1);
    v("score", &LawsScoreOut::score, size.score_bits);
    v("miss_count", &LawsScoreOut::miss_count, bits_for(size.miss_limit + 1));
  }
};

struct LawsScoreDescription : UnitDefaults {
  using In = LawsScoreIn;
  using Out = LawsScoreOut;
  using Size = LawsScoreSize;

  static constexpr const char* kName = "laws_score";
  static constexpr const char* kGroup = "laws";
  static constexpr const char* kViewKey = "scheduler.laws_score";
  static constexpr unsigned kPlace = 4;
  static constexpr unsigned kProofPlace = 8;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"SCORE_BITS", "score_bits", "--score-bits", "bits of the score", 2, 31},
      size.score_bits);
    v("MISS_BITS", bits_for(size.miss_limit + 1));
    v(SizeField{"MISS_LIMIT", "miss_limit", "--miss-limit", "where the miss count stops", 1, 65535},
      size.miss_limit);
  }
  static constexpr Size kSizes[] = {{16, 31}, {2, 1}, {4, 100}, {6, 5}, {16, 127}, {31, 65535}};
  static constexpr Size kAttacked = {6, 6};
  static constexpr UnitProof kProofs[] = {{"SCORE_BITS=6 MISS_BITS=3 MISS_LIMIT=6", true},
                                          {"", true, ProofMethod::induction, 2, false}};
};

}  // namespace warpmem::units
