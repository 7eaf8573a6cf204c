// SPDX-License-Identifier: Apache-2.0
#include "formal/proofs.hpp"

namespace warpmem::formal {
namespace {

using Params = std::map<std::string, std::string>;

Params with(const char* name, const char* value, Params params) {
  params[name] = value;
  return params;
}

Params mshr(const char* entries, const char* slots, const char* addr_bits, const char* slot_bits) {
  return {
      {"ENTRIES", entries}, {"SLOTS", slots}, {"ADDR_BITS", addr_bits}, {"SLOT_BITS", slot_bits}};
}

/// One bit of a request is kept, which is enough to tell two of them apart.
Params dl(const char* sets, const char* slots, const char* reserved, const char* addr_bits) {
  return {{"SETS", sets},
          {"SLOTS", slots},
          {"RESERVED", reserved},
          {"ADDR_BITS", addr_bits},
          {"SLOT_BITS", "1"}};
}

}  // namespace

const std::vector<Proof>& proofs() {
  constexpr Method kPdr = Method::kPdr, kBounded = Method::kBounded;
  constexpr bool kQuick = true;
  static const std::vector<Proof> kProofs = {
      {"dau", {{"SETS", "4"}, {"SLOTS", "2"}, {"RESERVED", "1"}}, kPdr, 0, kQuick},
      {"dau", {{"SETS", "4"}, {"SLOTS", "1"}, {"RESERVED", "0"}}, kPdr, 0},
      {"dau", {{"SETS", "3"}, {"SLOTS", "4"}, {"RESERVED", "0"}}, kPdr, 0},
      {"dau", {{"SETS", "1"}, {"SLOTS", "8"}, {"RESERVED", "0"}}, kPdr, 0, kQuick},
      {"dau", {{"SETS", "2"}, {"SLOTS", "2"}, {"RESERVED", "2"}}, kPdr, 0, kQuick},
      // S4 and S9 are 12 cycles from the reset; to know the first eight keeps 14 in reach.
      {"dau", {{"SETS", "8"}, {"SLOTS", "2"}, {"RESERVED", "2"}}, kBounded, 14, false, true, 6},
      {"dl_mshr", dl("2", "2", "0", "2"), kPdr, 0, kQuick},
      {"dl_mshr", dl("3", "2", "1", "2"), kPdr, 0},
      {"dl_mshr", dl("3", "1", "0", "2"), kPdr, 0},
      {"dl_mshr", dl("2", "4", "0", "2"), kPdr, 0},
      {"dl_mshr", dl("2", "2", "2", "2"), kPdr, 0},
      {"tsma_index_gen", {{"ENTRIES", "5"}}, kPdr, 0, kQuick},
      {"tsma_index_gen", {{"ENTRIES", "1"}}, kPdr, 0, kQuick},
      {"tsma", {{"ENTRIES", "3"}, {"SLOTS", "2"}, {"SLOT_BITS", "1"}}, kPdr, 0, kQuick},
      {"tsma", {{"ENTRIES", "4"}, {"SLOTS", "3"}, {"SLOT_BITS", "1"}}, kPdr, 0},
      {"tsma", {{"ENTRIES", "1"}, {"SLOTS", "1"}, {"SLOT_BITS", "2"}}, kPdr, 0},
      {"htsma_steer", {{"WAYS", "8"}}, kPdr, 0, kQuick},
      {"htsma_steer", {{"WAYS", "5"}}, kPdr, 0},
      {"mshr_conventional", mshr("2", "2", "2", "1"), kPdr, 0, kQuick},
      {"mshr_conventional", mshr("3", "2", "2", "2"), kPdr, 0},
      {"mshr_conventional", mshr("2", "3", "3", "1"), kPdr, 0},
      {"mshr_conventional", mshr("1", "1", "2", "2"), kPdr, 0},
      {"mshr_set_assoc", with("WAYS", "2", mshr("4", "2", "3", "1")), kPdr, 0, kQuick},
      {"mshr_set_assoc", with("WAYS", "1", mshr("4", "2", "3", "1")), kPdr, 0},
      {"mshr_set_assoc", with("WAYS", "3", mshr("6", "1", "3", "1")), kPdr, 0},
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
      {"mrpb_drain", {{"QUEUES", "5"}, {"ENTRIES", "3"}, {"POLICY", "0"}}, kPdr, 0, kQuick},
      {"mrpb_drain", {{"QUEUES", "3"}, {"ENTRIES", "2"}, {"POLICY", "5"}}, kPdr, 0},
      {"mrpb_drain", {{"QUEUES", "4"}, {"ENTRIES", "3"}, {"POLICY", "2"}}, kPdr, 0},
      {"bucl_ctrl",
       {{"PERIOD", "6"},
        {"HIT_LIMIT", "750"},
        {"TUCD", "3"},
        {"LEAST", "2"},
        {"MOST", "4"},
        {"PROFILE", "0"}},
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
