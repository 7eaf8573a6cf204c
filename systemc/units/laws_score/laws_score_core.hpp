// SPDX-License-Identifier: Apache-2.0
// Locality score of LAWS (KI 2.5.1, docs/mechanisms.md 3.4), synthesizable core: a signed
// saturating score, whose sign chooses between a fair and an unfair scheduling policy, and a
// saturating count of the primary misses since the last hit between warps.
//
//   primary miss          score + 1               Miss_CNT + 1
//   hit within the warp   score + 1
//   hit between warps     score - (Miss_CNT + 1)  Miss_CNT := 0
//
// L1D and MSHR may report in one cycle; L1D's event applies first.
#pragma once

#include <cstdint>

#include "units/laws_score/laws_score_unit.hpp"

namespace warpmem::units {

/// The score has `kScoreBits` (2..31) bits; Miss_CNT has `kMissBits` (1..16) and stops at
/// `kMissLimit`.
template <unsigned kScoreBits, unsigned kMissBits, unsigned kMissLimit>
class LawsScoreCore {
  static_assert(kScoreBits >= 2 && kScoreBits <= 31, "laws_score: SCORE_BITS must be 2 to 31");
  static_assert(kMissBits >= 1 && kMissBits <= 16, "laws_score: MISS_BITS must be 1 to 16");
  static_assert(kMissLimit >= 1 && kMissLimit < (1u << kMissBits),
                "laws_score: MISS_LIMIT must be 1 to 2^MISS_BITS - 1");

 public:
  static constexpr std::int32_t kMax = (std::int32_t(1) << (kScoreBits - 1)) - 1;
  static constexpr std::int32_t kMin = -kMax - 1;

  using In = LawsScoreIn;
  using Out = LawsScoreOut;

  void reset() {
    score_ = 0;
    miss_count_ = 0;
  }

  /// The outputs do not depend on the inputs of the cycle.
  Out eval(const In& = {}) const {
    Out out;
    out.fair = score_ < 0;
    out.score = score_;
    out.miss_count = miss_count_;
    return out;
  }

  void commit(const In& in) {
    if (in.clear) {
      reset();
      return;
    }
    if (in.l1d_hit) hit(in.l1d_intra);
    if (in.mshr_valid && in.mshr_hit) hit(in.mshr_intra);
    if (in.mshr_valid && !in.mshr_hit) primary_miss();
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("score", &LawsScoreCore::score_);
    v("miss_count", &LawsScoreCore::miss_count_);
  }

 private:
  void hit(bool intra) {
    if (intra) {
      increment();
      return;
    }
    const std::int32_t weight = static_cast<std::int32_t>(miss_count_) + 1;
    score_ = score_ < kMin + weight ? kMin : score_ - weight;
    miss_count_ = 0;
  }
  void primary_miss() {
    increment();
    if (miss_count_ < kMissLimit) ++miss_count_;
  }
  void increment() {
    if (score_ < kMax) ++score_;
  }

  std::int32_t score_ = 0;
  std::uint16_t miss_count_ = 0;
};

}  // namespace warpmem::units
