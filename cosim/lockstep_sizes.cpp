// SPDX-License-Identifier: Apache-2.0
#include "cosim/lockstep_sizes.hpp"

#include <fmt/format.h>

#include <map>

#include "base/errors.hpp"

namespace warpmem::cosim {

namespace {

using Drain = cache::MrpbDrainPolicy;

/// Returns runs of all sizes of `UnitOptions`, whose member `kSize` takes one.
template <auto kSize, auto kRun, class UnitOptions, class Size, class Text>
std::vector<SizedLockstep> sized(const std::vector<Size>& sizes, const Text& text) {
  std::vector<SizedLockstep> list;
  for (const Size& size : sizes)
    list.push_back({text(size), [size](const LockstepOptions& common) -> LockstepResult {
                      UnitOptions options;
                      static_cast<LockstepOptions&>(options) = common;
                      options.*kSize = size;
                      return kRun(options);
                    }});
  return list;
}

template <class Size>
std::string text(const Size& size) {
  return text_of(size);
}

}  // namespace

const std::vector<mha::DauSize>& dau_sizes() {
  // The first is L1D of configs/gu-dlmshr.yaml; {64, 2, 32} is its L2.
  static const std::vector<mha::DauSize> kSizes = {
      {128, 2, 64}, {16, 2, 0}, {1, 1, 0},   {1, 2, 1},    {3, 8, 1},    {33, 4, 16},
      {70, 1, 3},   {96, 4, 0}, {64, 2, 32}, {128, 8, 64}, {128, 2, 128}};
  return kSizes;
}

const std::vector<std::uint32_t>& index_gen_sizes() {
  // The first is L1D of configs/kim-tsma-200.yaml; 64, 96 and 128 are the other arrays of
  // kim-tsma-*.yaml.
  static const std::vector<std::uint32_t> kSizes = {48, 1, 2, 5, 33, 64, 65, 96, 128};
  return kSizes;
}

const std::vector<std::uint32_t>& steer_sizes() {
  static const std::vector<std::uint32_t> kSizes = {8, 1, 2, 3, 4, 6, 16, 100};
  return kSizes;
}

const std::vector<sm::LawsScoreSize>& laws_score_sizes() {
  static const std::vector<sm::LawsScoreSize> kSizes = {{16, 31}, {2, 1},    {4, 100},
                                                        {6, 5},   {16, 127}, {31, 65535}};
  return kSizes;
}

const std::vector<sm::ThrottleSize>& throttle_sizes() {
  // The usual hold of 1000 cycles would leave few decisions, so it is one of the corners.
  static const std::vector<sm::ThrottleSize> kSizes = {
      {32, 8, 8, 20, true},  {2, 1, 1, 1, true},     {3, 3, 2, 2, true},    {5, 5, 2, 2, true},
      {12, 5, 3, 40, false}, {64, 64, 255, 1, true}, {48, 8, 8, 100, true}, {32, 8, 8, 1000, true}};
  return kSizes;
}

const std::vector<CartBranchSize>& cart_branch_sizes() {
  static const std::vector<CartBranchSize> kSizes = {{{4, 2, 2}, 14, 4}, {{1, 1, 5}, 4, 4},
                                                     {{3, 1, 2}, 32, 4}, {{3, 3, 1}, 14, 4},
                                                     {{2, 5, 3}, 9, 32}, {{16, 4, 8}, 14, 4}};
  return kSizes;
}

const std::vector<cache::MrpbDrainSize>& mrpb_drain_sizes() {
  static const std::vector<cache::MrpbDrainSize> kSizes = {
      {48, 8, Drain::fixed, true},         {1, 1, Drain::round_robin, true},
      {5, 3, Drain::round_robin, true},    {48, 32, Drain::longest, true},
      {8, 4, Drain::greedy_fixed, true},   {32, 8, Drain::greedy_round_robin, false},
      {64, 5, Drain::greedy_longest, true}};
  return kSizes;
}

const std::vector<l1d::BuclCtrlSize>& bucl_ctrl_sizes() {
  // The usual period of 1000 cycles would leave few decisions, so it is one of the corners.
  static const std::vector<l1d::BuclCtrlSize> kSizes = {
      {50, 0.8, 0.7, 5, 2, 25, false}, {1000, 0.8, 0.7, 5, 2, 25, false},
      {20, 0.8, 0.7, 5, 2, 25, true},  {2, 0.5, 0.5, 1, 1, 1, false},
      {7, 1.0, 0.0, 3, 3, 3, false},   {999, 0.333, 0.999, 32, 1, 32, false}};
  return kSizes;
}

const std::vector<MshrFileSize>& mshr_file_sizes(const std::string& unit) {
  static const std::map<std::string, std::vector<MshrFileSize>> kSizes = {
      {"mshr_conventional",
       {{"mshr_conventional", 1, 32, 8},
        {"mshr_conventional", 1, 1, 1},
        {"mshr_conventional", 1, 1, 4},
        {"mshr_conventional", 1, 5, 3, 0, 7},
        {"mshr_conventional", 1, 64, 8},
        {"mshr_conventional", 1, 4, 2, 0, 4, 2}}},
      {"mshr_set_assoc",
       {{"mshr_set_assoc", 8, 4, 8},
        {"mshr_set_assoc", 4, 3, 5},
        {"mshr_set_assoc", 8, 1, 1},
        {"mshr_set_assoc", 1, 6, 2},
        {"mshr_set_assoc", 2, 2, 2, 0, 4, 2}}},
      {"tsma",
       {{"tsma", 1, 48, 8},
        {"tsma", 1, 5, 3},
        {"tsma", 1, 1, 2},
        {"tsma", 1, 96, 8},
        {"tsma", 1, 4, 2, 0, 4, 2}}},
      {"dl_mshr",
       {{"dl_mshr", 128, 1, 2, 64},
        {"dl_mshr", 16, 1, 4, 8},
        {"dl_mshr", 13, 1, 1, 0},
        {"dl_mshr", 5, 1, 8, 2},
        {"dl_mshr", 6, 1, 2, 6},
        {"dl_mshr", 1, 1, 2, 0},
        {"dl_mshr", 3, 1, 2, 1, 3, 1}}},
  };
  const auto found = kSizes.find(unit);
  if (found == kSizes.end()) throw UserError(unit + ": no such MSHR file");
  return found->second;
}

std::string text_of(const mha::DauSize& s) {
  return fmt::format("{} sets of {} slots, {} reserved", s.sets, s.slots, s.reserved);
}
std::string entries_text(std::uint32_t entries) { return fmt::format("{} entries", entries); }
std::string ways_text(std::uint32_t ways) { return fmt::format("{} ways", ways); }
std::string text_of(const sm::LawsScoreSize& s) {
  return fmt::format("{} bits, miss limit {}", s.score_bits, s.miss_limit);
}
std::string text_of(const sm::ThrottleSize& s) {
  return fmt::format("{} warps, divergence {}, stable {}, hold {}", s.warps,
                     s.by_divergence ? fmt::format("{}", s.divergence) : "off", s.stable, s.hold);
}
std::string text_of(const CartBranchSize& s) {
  return fmt::format("{} rows, {} columns, depth {}", s.leaves.rows, s.leaves.columns,
                     s.leaves.depth);
}
std::string text_of(const cache::MrpbDrainSize& s) {
  return fmt::format("{} queues of {}, {}{}", s.queues, s.entries, name_of(s.policy),
                     s.flush ? ", flush" : "");
}
std::string text_of(const l1d::BuclCtrlSize& s) {
  return fmt::format("period {}, limits {} and {}, {}", s.period, s.hit_rate_limit, s.input_limit,
                     s.profile ? std::string("profile")
                               : fmt::format("threshold {} in {} to {}", s.tucd, s.least, s.most));
}
std::string text_of(const MshrFileSize& s) {
  if (s.unit == "dl_mshr") return text_of(mha::DauSize{s.sets, s.slots, s.reserved});
  if (s.sets > 1) return fmt::format("{} sets of {} entries of {} slots", s.sets, s.ways, s.slots);
  return fmt::format("{} entries of {} slots", s.entries(), s.slots);
}

const char* name_of(Drain policy) {
  switch (policy) {
    case Drain::fixed:
      return "fixed";
    case Drain::round_robin:
      return "round_robin";
    case Drain::longest:
      return "longest";
    case Drain::greedy_fixed:
      return "greedy_fixed";
    case Drain::greedy_round_robin:
      return "greedy_round_robin";
    case Drain::greedy_longest:
      return "greedy_longest";
  }
  return "";
}

std::vector<SizedLockstep> sized_lockstep(const std::string& unit) {
  if (unit == "dau")
    return sized<&DauLockstepOptions::size, run_dau_lockstep, DauLockstepOptions>(
        dau_sizes(), text<mha::DauSize>);
  if (unit == "tsma_index_gen")
    return sized<&IndexGenLockstepOptions::entries, run_index_gen_lockstep,
                 IndexGenLockstepOptions>(index_gen_sizes(), entries_text);
  if (unit == "htsma_steer")
    return sized<&SteerLockstepOptions::ways, run_steer_lockstep, SteerLockstepOptions>(
        steer_sizes(), ways_text);
  if (unit == "laws_score")
    return sized<&LawsScoreLockstepOptions::size, run_laws_score_lockstep,
                 LawsScoreLockstepOptions>(laws_score_sizes(), text<sm::LawsScoreSize>);
  if (unit == "throttle_unit")
    return sized<&ThrottleLockstepOptions::size, run_throttle_lockstep, ThrottleLockstepOptions>(
        throttle_sizes(), text<sm::ThrottleSize>);
  if (unit == "cart_branch")
    return sized<&CartBranchLockstepOptions::size, run_cart_branch_lockstep,
                 CartBranchLockstepOptions>(cart_branch_sizes(), text<CartBranchSize>);
  if (unit == "mrpb_drain")
    return sized<&MrpbDrainLockstepOptions::size, run_mrpb_drain_lockstep,
                 MrpbDrainLockstepOptions>(mrpb_drain_sizes(), text<cache::MrpbDrainSize>);
  if (unit == "bucl_ctrl")
    return sized<&BuclCtrlLockstepOptions::size, run_bucl_ctrl_lockstep, BuclCtrlLockstepOptions>(
        bucl_ctrl_sizes(), text<l1d::BuclCtrlSize>);
  return sized<&MshrLockstepOptions::size, run_mshr_lockstep, MshrLockstepOptions>(
      mshr_file_sizes(unit), text<MshrFileSize>);
}

}  // namespace warpmem::cosim
