// SPDX-License-Identifier: Apache-2.0
// Several requests of one instruction in a cycle, bank by bank. What the bench sends in one cycle
// for one warp counts as one instruction.
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

constexpr unsigned kSector = 32;

L1d::Params banked(unsigned banks) {
  L1d::Params params = small();
  params.size = 2048;  // 4 sets of 4 ways
  params.ways = 4;
  params.banks = banks;
  params.hit_cycles = 5;
  return params;
}

/// Loads lines 0 to 3, so that these hit from cycle 200 on, and then makes `requests`, the first of
/// which is number kFirst.
void script_warm(Bench& b, const std::vector<Scripted>& requests) {
  b.fill(0, 8 * kLine);
  std::vector<Scripted> all = {load(0), load(kLine, 50), load(2 * kLine, 100),
                               load(3 * kLine, 150)};
  all.insert(all.end(), requests.begin(), requests.end());
  b.script(all);
}
void run_warm(Bench& b, const std::vector<Scripted>& requests) {
  script_warm(b, requests);
  b.run();
}
constexpr unsigned kFirst = 4;

Scripted of_warp(std::uint16_t warp, Scripted s) {
  s.warp = warp;
  return s;
}

TEST(L1dBanks, SectorsInDifferentBanksHitInOneCycle) {
  Bench b("b", banked(4));
  std::vector<Scripted> diagonal;  // sector i of line i lies in bank i
  for (unsigned i = 0; i < 4; ++i) diagonal.push_back(load(i * (kLine + kSector), 200, kSector));
  run_warm(b, diagonal);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(b.latency(kFirst + i), 7u) << i;  // accepted, 5, seen
  EXPECT_EQ(b.cache->stats().accept_cycles, 5u);
  EXPECT_EQ(b.cache->stats().accepted_together, 3u);
  EXPECT_EQ(b.cache->stats().bank_waits, 0u);
}

TEST(L1dBanks, SectorsInOneBankHitOneACycle) {
  Bench b("b", banked(4));
  std::vector<Scripted> column;
  for (unsigned i = 0; i < 4; ++i) column.push_back(load(i * kLine + kSector, 200, kSector));
  run_warm(b, column);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(b.latency(kFirst + i), 7u + i) << i;
  EXPECT_EQ(b.cache->stats().accepted_together, 0u);
  EXPECT_EQ(b.cache->stats().bank_waits, 3u);
}

TEST(L1dBanks, LineTakesAllOfFourBanksOnceAndOfTwoTwice) {
  Bench four("four", banked(4));
  Bench two("two", banked(2));
  for (Bench* b : {&four, &two}) script_warm(*b, {load(0, 200), load(kLine, 200)});
  four.run();
  two.run();
  EXPECT_EQ(four.latency(kFirst), 7u);
  EXPECT_EQ(four.latency(kFirst + 1), 8u);
  EXPECT_EQ(two.latency(kFirst), 7u);
  EXPECT_EQ(two.latency(kFirst + 1), 9u);
}

TEST(L1dBanks, OnlySectorsThatLanesWantTakeBanks) {
  Bench b("b", banked(4));
  run_warm(b, {wanting(0b0011, load(0, 200)), wanting(0b1100, load(kLine, 200))});
  EXPECT_EQ(b.latency(kFirst), 7u);
  EXPECT_EQ(b.latency(kFirst + 1), 7u);
}

TEST(L1dBanks, OneMissACycleWithHitsBesideIt) {
  Bench b("b", banked(4));
  run_warm(b, {load(0, 200, kSector),                          // bank 0, a hit
               load(4 * kLine + kSector, 200, kSector),        // bank 1, a miss
               load(kLine + 2 * kSector, 200, kSector),        // bank 2, a hit
               load(5 * kLine + 3 * kSector, 200, kSector)});  // bank 3, another miss
  EXPECT_EQ(b.latency(kFirst), 7u);
  EXPECT_EQ(b.latency(kFirst + 2), 7u);
  EXPECT_EQ(b.latency(kFirst + 3), b.latency(kFirst + 1) + 1);
  EXPECT_EQ(b.memory->seen[5].cycle, b.memory->seen[4].cycle + 1);
  EXPECT_EQ(b.cache->stats().accepted_together, 2u);
  EXPECT_EQ(b.cache->stats().bank_waits, 1u);
}

TEST(L1dBanks, AsManyMissesACycleAsThereArePorts) {
  L1d::Params params = banked(4);
  params.miss_ports = 2;
  Bench b("b", params);
  b.fill(0, 8 * kLine);
  for (unsigned i = 0; i < 4; ++i)
    b.initiator->script.push_back(load(i * (kLine + kSector), 0, kSector));
  b.run();
  EXPECT_EQ(b.cache->stats().primary_misses, 4u);
  EXPECT_EQ(b.cache->stats().accept_cycles, 2u);
  for (unsigned i = 1; i < 4; ++i)  // the link to L2 takes one a cycle
    EXPECT_EQ(b.memory->seen[i].cycle, b.memory->seen[i - 1].cycle + 1);
}

// 32 banks of a word each.
L1d::Params of_words(unsigned lookups = 0) {
  L1d::Params params = banked(32);
  params.bank_width = cache::BankWidth::word;
  params.lookups = lookups;
  return params;
}

Scripted touching(std::uint32_t words, Scripted s) {
  s.words = words;
  return s;
}

TEST(L1dBanks, WordsOfDifferentBanksHitInOneCycle) {
  Bench b("b", of_words());
  std::vector<Scripted> loads;  // two words each of the first sector of four lines
  for (unsigned i = 0; i < 4; ++i)
    loads.push_back(touching(3u << 2 * i, load(i * kLine, 200, kSector)));
  run_warm(b, loads);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(b.latency(kFirst + i), 7u) << i;
  EXPECT_EQ(b.cache->stats().accepted_together, 3u);
}

TEST(L1dBanks, WordsOfOneBankHitOneACycle) {
  Bench b("b", of_words());
  run_warm(b, {touching(0b0110, load(0, 200, kSector)), touching(0b1001, load(kLine, 200, kSector)),
               touching(0b0001, load(2 * kLine, 200, kSector)),
               touching(0b0001, load(3 * kLine + kSector, 200, kSector))});  // word 8 of its line
  EXPECT_EQ(b.latency(kFirst), 7u);
  EXPECT_EQ(b.latency(kFirst + 1), 7u);
  EXPECT_EQ(b.latency(kFirst + 2), 8u);
  EXPECT_EQ(b.latency(kFirst + 3), 8u);
  EXPECT_EQ(b.cache->stats().bank_waits, 1u);
}

TEST(L1dBanks, WhatSaysNoWordsTakesThoseOfItsSectors) {
  Bench b("b", of_words());
  run_warm(b, {wanting(0b0011, load(0, 200)), wanting(0b1100, load(kLine, 200)),
               load(2 * kLine, 200, kSector)});
  EXPECT_EQ(b.latency(kFirst), 7u);
  EXPECT_EQ(b.latency(kFirst + 1), 7u);
  EXPECT_EQ(b.latency(kFirst + 2), 8u);
}

TEST(L1dBanks, OneLookupServesTheRequestsForALineThatFollowEachOther) {
  Bench b("b", of_words(2));
  run_warm(
      b, {touching(1, load(0, 200, kSector)), touching(1, load(kSector, 200, kSector)),
          touching(2, load(kLine, 200, kSector)), touching(2, load(kLine + kSector, 200, kSector)),
          touching(4, load(2 * kLine, 200, kSector))});
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(b.latency(kFirst + i), 7u) << i;
  EXPECT_EQ(b.latency(kFirst + 4), 8u);
}

TEST(L1dBanks, LookupsBoundBanksOfSectorsToo) {
  L1d::Params params = banked(4);
  params.lookups = 1;
  Bench b("b", params);
  run_warm(b, {load(0, 200, kSector), load(kSector, 200, kSector),
               load(kLine + 2 * kSector, 200, kSector)});
  EXPECT_EQ(b.latency(kFirst + 1), 7u);
  EXPECT_EQ(b.latency(kFirst + 2), 8u);
}

// Seven warps wait for one sector, the first three with instructions that want all four of the
// line, the next two with some that want two of it, and one warp for the sector behind it, which is
// asked for later.
std::vector<Cycle> answers_of(const char* name, cache::Drain drain) {
  L1d::Params params = banked(4);
  params.sector_bytes = kSector;
  params.mshr.granularity = mha::Granularity::sector;
  params.mshr.slots = 7;
  params.drain = drain;
  Bench b(name, params);
  b.fill(0, kLine);
  for (const std::uint8_t line_requests : {4, 4, 4, 2, 2, 1, 1}) {
    const auto warp = static_cast<std::uint16_t>(b.initiator->script.size());
    b.initiator->script.push_back(of_warp(warp, load(0, 0, kSector)));
    b.initiator->script.back().line_requests = line_requests;
  }
  b.initiator->script.push_back(of_warp(7, load(kSector, 0, kSector)));
  b.run();
  EXPECT_EQ(b.cache->stats().primary_misses, 2u);
  EXPECT_EQ(b.cache->stats().secondary_misses, 6u);
  std::vector<Cycle> after_the_first;
  for (const Cycle cycle : b.initiator->responded)
    after_the_first.push_back(cycle - b.initiator->responded[0]);
  return after_the_first;
}

TEST(L1dBanks, OneTargetOfAFillLeavesACycle) {
  EXPECT_EQ(answers_of("target", cache::Drain::target),
            (std::vector<Cycle>{0, 1, 2, 3, 4, 5, 6, 7}));
}

// Three quarters of a cycle, of which the next one's half is more than what is left; two halves;
// and a cycle each. The fill of the other sector comes seven cycles after the first.
TEST(L1dBanks, TargetsOfAFillShareACycleAsTheirInstructionsShareTheLine) {
  EXPECT_EQ(answers_of("line", cache::Drain::line), (std::vector<Cycle>{0, 0, 0, 1, 1, 2, 3, 7}));
}

std::vector<std::string> problems_of(const L1d::Params& params) {
  Problems problems;
  params.validate(problems);
  return problems.list();
}

TEST(L1dBanks, MissPortsAreRefusedOnlyWhereTheyMatter) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  L1d::Params params = banked(2);
  params.miss_ports = 2;
  EXPECT_THAT(problems_of(params), testing::IsEmpty());
  params.miss_ports = 4;
  EXPECT_THAT(problems_of(params), ElementsAre(HasSubstr("l1d.miss_ports: 4 with 2 in l1d.banks")));
  params.miss_ports = 2;
  params.mshr.kind = mha::Kind::tsma;
  EXPECT_THAT(problems_of(params), ElementsAre(HasSubstr("units take one miss a cycle")));
  EXPECT_EQ(params.misses_a_cycle(), 2u);
  params.banks = 1;  // the key has no effect, so that nobody can be asked to change it
  EXPECT_EQ(params.misses_a_cycle(), 1u);
  EXPECT_THAT(problems_of(params), testing::IsEmpty());
  params.mshr.kind = mha::Kind::conventional;
  EXPECT_THAT(problems_of(params), testing::IsEmpty());
}

TEST(L1dBanks, WidthAndNumberOfBanksFit) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  L1d::Params params = of_words();
  EXPECT_THAT(problems_of(params), testing::IsEmpty());
  params.banks = 8;
  EXPECT_THAT(problems_of(params),
              ElementsAre(HasSubstr("l1d.bank_width: word with 8 in l1d.banks; allowed: sector, or "
                                    "l1d.banks: 32")));
  params.bank_width = cache::BankWidth::sector;
  EXPECT_THAT(problems_of(params), testing::IsEmpty());
  params.banks = 16;
  EXPECT_THAT(problems_of(params), ElementsAre(HasSubstr("l1d.banks: 16 of a sector each; allowed: "
                                                         "at most 8, or l1d.bank_width: word")));
}

TEST(L1dBanks, TargetsShareACycleOnlyWhereUnitsLetThem) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  L1d::Params params = banked(4);
  params.drain = cache::Drain::line;
  EXPECT_THAT(problems_of(params), testing::IsEmpty());
  params.mshr.kind = mha::Kind::dl;
  EXPECT_THAT(problems_of(params), ElementsAre(HasSubstr("units let one target go a cycle")));
  params.banks = 1;
  EXPECT_THAT(problems_of(params), testing::IsEmpty());
}

TEST(L1dBanks, InstructionsDoNotGoTogether) {
  Bench b("b", banked(4));
  run_warm(b, {of_warp(1, load(0, 200, kSector)), of_warp(2, load(kSector, 200, kSector))});
  EXPECT_EQ(b.latency(kFirst), 7u);
  EXPECT_EQ(b.latency(kFirst + 1), 8u);
}

TEST(L1dBanks, StoresGoOneACycle) {
  Bench b("b", banked(4));
  run_warm(b, {store(0, 1, 200, kSector), store(kSector, 2, 200, kSector)});
  EXPECT_EQ(b.memory->seen[5].cycle, b.memory->seen[4].cycle + 1);
}

}  // namespace
}  // namespace warpmem::l1d
