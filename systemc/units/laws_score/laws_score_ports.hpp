// SPDX-License-Identifier: Apache-2.0
// Ports of the LAWS score, in all its views.
#pragma once

#include <cstdint>

namespace warpmem::units {

struct LawsScoreIn {
  bool clear = false;       ///< a kernel is launched
  bool l1d_hit = false;     ///< L1D reports a hit
  bool l1d_intra = false;   ///< the same warp brought its line
  bool mshr_valid = false;  ///< the MSHRs report a miss
  bool mshr_hit = false;    ///< that miss is a secondary one
  bool mshr_intra = false;  ///< its primary miss came from the same warp

  bool operator==(const LawsScoreIn& o) const {
    return clear == o.clear && l1d_hit == o.l1d_hit && l1d_intra == o.l1d_intra &&
           mshr_valid == o.mshr_valid && mshr_hit == o.mshr_hit && mshr_intra == o.mshr_intra;
  }
};

struct LawsScoreOut {
  bool fair = false;  ///< the score is negative, so the scheduling is to be fair
  std::int32_t score = 0;
  std::uint16_t miss_count = 0;

  bool operator==(const LawsScoreOut& o) const {
    return fair == o.fair && score == o.score && miss_count == o.miss_count;
  }
  bool operator!=(const LawsScoreOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
