// SPDX-License-Identifier: Apache-2.0
// Locality score of LAWS (KI 2.5.1) as the SM uses it: one of the unit's views. The rules are those
// of units/laws_score/laws_score_core.hpp. A cycle without inputs changes nothing and may be left
// out.
#pragma once

#include <algorithm>

#include "units/laws_score/laws_score_unit.hpp"

namespace warpmem::sm {

using LawsScoreSize = units::LawsScoreSize;

class LawsScore {
 public:
  virtual ~LawsScore() = default;
  virtual units::LawsScoreOut eval() const = 0;
  /// The clock edge at the end of a cycle with these inputs.
  virtual void commit(const units::LawsScoreIn& in) = 0;
};

class FastLawsScore : public LawsScore {
 public:
  explicit FastLawsScore(const LawsScoreSize& size)
      : most_((std::int32_t(1) << (size.score_bits - 1)) - 1), miss_limit_(size.miss_limit) {}

  units::LawsScoreOut eval() const override {
    return {score_ < 0, score_, static_cast<std::uint16_t>(misses_)};
  }
  void commit(const units::LawsScoreIn& in) override {
    if (in.clear) {
      score_ = 0;
      misses_ = 0;
      return;
    }
    if (in.l1d_hit) hit(in.l1d_intra);
    if (!in.mshr_valid) return;
    if (in.mshr_hit) {
      hit(in.mshr_intra);
    } else {
      add(1);
      misses_ = std::min(misses_ + 1, miss_limit_);
    }
  }

 private:
  void hit(bool intra) {
    add(intra ? 1 : -static_cast<std::int32_t>(misses_) - 1);
    if (!intra) misses_ = 0;
  }
  void add(std::int32_t amount) { score_ = std::clamp(score_ + amount, -most_ - 1, most_); }

  std::int32_t most_;
  std::uint32_t miss_limit_;
  std::int32_t score_ = 0;
  std::uint32_t misses_ = 0;
};

}  // namespace warpmem::sm
