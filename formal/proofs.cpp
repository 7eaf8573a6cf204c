// SPDX-License-Identifier: Apache-2.0
#include "formal/proofs.hpp"

namespace warpmem::formal {

const std::vector<Proof>& proofs() {
  constexpr Method kPdr = Method::kPdr, kBounded = Method::kBounded;
  constexpr bool kQuick = true;
  static const std::vector<Proof> kProofs = {
      {"dau", {{"SETS", "4"}, {"SLOTS", "2"}, {"RESERVED", "1"}}, kPdr, 0, kQuick},
      {"dau", {{"SETS", "4"}, {"SLOTS", "1"}, {"RESERVED", "0"}}, kPdr, 0},
      {"dau", {{"SETS", "3"}, {"SLOTS", "4"}, {"RESERVED", "0"}}, kPdr, 0},
      {"dau", {{"SETS", "1"}, {"SLOTS", "8"}, {"RESERVED", "0"}}, kPdr, 0, kQuick},
      {"dau", {{"SETS", "2"}, {"SLOTS", "2"}, {"RESERVED", "2"}}, kPdr, 0, kQuick},
      {"dau", {{"SETS", "8"}, {"SLOTS", "2"}, {"RESERVED", "2"}}, kBounded, 8, false, false},
      {"tsma_index_gen", {{"ENTRIES", "5"}}, kPdr, 0, kQuick},
      {"tsma_index_gen", {{"ENTRIES", "1"}}, kPdr, 0, kQuick},
      {"laws_score",
       {{"SCORE_BITS", "6"}, {"MISS_BITS", "3"}, {"MISS_LIMIT", "6"}},
       kPdr,
       0,
       kQuick},
      {"laws_score", {}, Method::kInduction, 2, kQuick, false},
      {"cart_branch",
       {{"ROWS", "2"}, {"COLUMNS", "2"}, {"DEPTH", "2"}, {"ROW_BITS", "2"}, {"COLUMN_BITS", "2"}},
       kPdr,
       0,
       kQuick},
      {"throttle_unit",
       {{"WARPS", "4"}, {"DIVERGENCE", "3"}, {"STABLE", "2"}, {"HOLD", "3"}},
       kPdr,
       0,
       kQuick},
  };
  return kProofs;
}

}  // namespace warpmem::formal
