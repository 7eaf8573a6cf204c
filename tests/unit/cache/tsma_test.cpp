// SPDX-License-Identifier: Apache-2.0
// TSMA and HTSMA as KI chapter 5 describes them: the walk-through of 5.1, and Listing 5.1 case by
// case, on one cache set.
#include "cache/mha/tsma/tsma.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "files/stats_json.hpp"
#include "support/mha_bench.hpp"

namespace warpmem::mha {
namespace {

using testing::HasSubstr;

MhaParams params_of(Kind kind, std::uint32_t entries = 8, std::uint32_t small_entries = 2) {
  MhaParams p;
  p.kind = kind;
  p.entries = entries;
  p.slots = 3;
  p.small_entries = small_entries;
  p.small_slots = 2;
  return p;
}

/// This is a handler and the tags of one set of four ways, with what a cache does around them.
class Set {
 public:
  explicit Set(const MhaParams& params) : bench_(params, {}, 1, 4) {}

  /// Makes a request of a block without a valid line, which merges or is a primary miss.
  Stall miss(Addr block) {
    return bench_.cycle([&] {
      const LineId line = tags().find(block, block);
      if (handler().find({block, line}) == Match::pending)
        return handler().merge({block, line}, bench_.payload());
      if (bench_.allocate(block, bench_.payload()) != Stall::none)
        return bench_.allocation().refusal;
      if (allocation().line != kNoLine) tags().reserve(allocation().line, block);
      return Stall::none;
    });
  }
  void hit(Addr block) { tags().touch(line_of(block)); }
  /// Makes the response with `index`; the targets leave, and the line is valid.
  void respond(Addr block, std::uint32_t index) {
    LineId line = line_of(block);
    bench_.cycle([&] { handler().fill({block, line, index}); });
    while (handler().target() != nullptr) bench_.cycle([&] { handler().pop_target(); });
    if (line == kNoLine) line = tags().victim(block);
    tags().install(line, block);
    bench_.pass(1);
  }
  /// The block is brought in and is valid.
  void bring(Addr block) {
    ASSERT_EQ(miss(block), Stall::none);
    respond(block, allocation().index);
  }
  LineId line_of(Addr block) { return tags().find(block, block); }
  LineState state(Addr block) { return tags().state(line_of(block)); }
  Tsma::Steer steer() { return handler().steer(); }
  bool in_small() { return allocation().index >= 8; }
  const Allocation& allocation() const { return bench_.allocation(); }
  Tsma& handler() { return static_cast<Tsma&>(*bench_); }
  TagArray& tags() { return bench_.tags(); }
  MhaBench& bench() { return bench_; }

 private:
  MhaBench bench_;
};

std::uint64_t stat(Set& set, const char* name, void (*body)(Set&)) {
  StatRegistry registry;
  set.handler().register_stats(registry.group("l1d"));
  registry.begin_kernel("k");
  body(set);
  registry.end_kernel();
  return nlohmann::json::parse(stats_json(registry))["total"]["stats"][std::string("l1d.") + name];
}

// KI 5.1: a primary miss takes the index of the IDX register and the tag of the line; a request
// that finds the tag is a secondary miss; the response comes back with the index.
TEST(Tsma, WalkThrough) {
  Set set(params_of(Kind::tsma));
  EXPECT_EQ(set.miss(5 * kLine), Stall::none);
  EXPECT_EQ(set.allocation().index, 0u);
  EXPECT_EQ(set.state(5 * kLine), LineState::reserved);
  EXPECT_EQ(set.miss(6 * kLine), Stall::none);
  EXPECT_EQ(set.allocation().index, 1u);
  EXPECT_EQ(set.miss(5 * kLine), Stall::none);  // secondary
  EXPECT_EQ(set.handler().occupied(), 3u);
  EXPECT_EQ(set.miss(5 * kLine), Stall::none);
  EXPECT_EQ(set.miss(5 * kLine), Stall::merge_full);  // three fields
  set.respond(5 * kLine, 0);
  EXPECT_EQ(set.state(5 * kLine), LineState::valid);
  EXPECT_EQ(set.miss(7 * kLine), Stall::none);
  EXPECT_EQ(set.allocation().index, 0u);  // the released entry is the lowest available
}

TEST(Tsma, TheTagIsReplacedAtTheMiss) {
  Set set(params_of(Kind::tsma));
  for (Addr block = 0; block < 4; ++block) set.bring(block * kLine);
  EXPECT_EQ(set.miss(4 * kLine), Stall::none);
  EXPECT_EQ(set.line_of(0), kNoLine);
}

TEST(Tsma, AFullySharedSetLocksTheCacheUntilALineIsReleased) {
  Set set(params_of(Kind::tsma));
  for (Addr block = 0; block < 4; ++block) EXPECT_EQ(set.miss(block * kLine), Stall::none);
  EXPECT_EQ(set.miss(4 * kLine), Stall::set_locked);
  EXPECT_EQ(set.miss(0), Stall::none);  // secondary misses go on
  EXPECT_THAT(set.handler().describe(), HasSubstr("locked by set 0"));
  set.respond(2 * kLine, 2);
  EXPECT_EQ(set.miss(4 * kLine), Stall::none);
}

TEST(Tsma, TheLockHoldsForOtherSets) {
  MhaBench bench(params_of(Kind::tsma), {}, 2, 1);
  const auto miss = [&](Addr block) {
    return bench.cycle([&] {
      if (bench.allocate(block, bench.payload()) != Stall::none) return bench.allocation().refusal;
      bench.tags().reserve(bench.allocation().line, block);
      return Stall::none;
    });
  };
  EXPECT_EQ(miss(0), Stall::none);
  EXPECT_EQ(miss(2 * kLine), Stall::set_locked);
  EXPECT_EQ(miss(1 * kLine), Stall::set_locked);  // its own set is free
}

TEST(Tsma, EntriesFull) {
  Set set(params_of(Kind::tsma, 2));
  EXPECT_EQ(set.miss(0), Stall::none);
  EXPECT_EQ(set.miss(kLine), Stall::none);
  EXPECT_EQ(set.miss(2 * kLine), Stall::entry_full);
}

TEST(Tsma, AWrongIndexIsFound) {
  Set set(params_of(Kind::tsma));
  set.miss(0);
  set.miss(kLine);
  EXPECT_THROW(set.respond(0, 1), SimulationError);
}

TEST(Tsma, CountsEarlyEvictionsAndThoseThatHurt) {
  const auto body = [](Set& set) {
    for (Addr block = 0; block < 4; ++block) set.bring(block * kLine);
    set.miss(4 * kLine);  // takes block 0, in entry 0
    set.miss(5 * kLine);  // takes block 1
    set.miss(0);          // hurt: takes block 2
    set.respond(4 * kLine, 0);
    set.respond(5 * kLine, 1);
    set.respond(0, 2);
    set.bring(1 * kLine);  // its successor has arrived: lost anyway
  };
  Set a(params_of(Kind::tsma));
  EXPECT_EQ(stat(a, "mshr.early_evictions", body), 4u);
  Set b(params_of(Kind::tsma));
  EXPECT_EQ(stat(b, "mshr.early_evictions.hurt", body), 1u);
}

// These follow Listing 5.1, line by line.
TEST(Htsma, LastWayForcesTheSmallMshr) {
  Set set(params_of(Kind::htsma));
  for (Addr block = 0; block < 3; ++block) {
    EXPECT_EQ(set.miss(block * kLine), Stall::none);
    EXPECT_FALSE(set.in_small());
  }
  EXPECT_EQ(set.miss(3 * kLine), Stall::none);
  EXPECT_EQ(set.steer(), Tsma::Steer::small_last_way);
  EXPECT_TRUE(set.in_small());
  EXPECT_EQ(set.line_of(3 * kLine), kNoLine);  // no line is taken before the fill
  EXPECT_EQ(set.miss(4 * kLine), Stall::none);
  EXPECT_EQ(set.miss(5 * kLine), Stall::entry_full);  // forced, and the s-MSHR is full
  set.respond(3 * kLine, 8);
  EXPECT_EQ(set.state(3 * kLine), LineState::valid);
  EXPECT_EQ(set.miss(5 * kLine), Stall::none);
}

TEST(Htsma, AHitLineSendsTheMissToTheSmallMshr) {
  Set set(params_of(Kind::htsma));
  for (Addr block = 0; block < 4; ++block) set.bring(block * kLine);
  for (Addr block = 0; block < 4; ++block) set.hit(block * kLine);
  EXPECT_EQ(set.miss(4 * kLine), Stall::none);
  EXPECT_EQ(set.steer(), Tsma::Steer::small_hit_line);
  EXPECT_EQ(set.state(0), LineState::valid);  // it is not evicted
}

TEST(Htsma, AHitLineGivesWayWhenTheSmallMshrIsFull) {
  Set set(params_of(Kind::htsma, 8, 1));
  for (Addr block = 0; block < 4; ++block) set.bring(block * kLine);
  for (Addr block = 0; block < 4; ++block) set.hit(block * kLine);
  EXPECT_EQ(set.miss(4 * kLine), Stall::none);
  EXPECT_EQ(set.miss(5 * kLine), Stall::none);
  EXPECT_EQ(set.steer(), Tsma::Steer::array_overflow);
  EXPECT_FALSE(set.in_small());
  EXPECT_EQ(set.line_of(0), kNoLine);
}

TEST(Htsma, WithoutAHitTheSmallMshrIsComparedUnlessEmpty) {
  Set set(params_of(Kind::htsma));
  for (Addr block = 0; block < 4; ++block) set.bring(block * kLine);
  EXPECT_EQ(set.steer(), Tsma::Steer::array);  // empty flag: straight to the array
  EXPECT_EQ(set.allocation().cycles, 1u);
  set.hit(0);
  for (Addr block = 1; block < 4; ++block) set.bring((block + 4) * kLine);
  ASSERT_EQ(set.miss(8 * kLine), Stall::none);  // block 0 was hit: s-MSHR
  ASSERT_EQ(set.steer(), Tsma::Steer::small_hit_line);
  EXPECT_EQ(set.miss(8 * kLine), Stall::none);  // secondary miss in the s-MSHR
  EXPECT_EQ(set.miss(8 * kLine), Stall::merge_full);
  set.hit(0);  // block 5 is the oldest now, and was not hit
  EXPECT_EQ(set.miss(9 * kLine), Stall::none);
  EXPECT_EQ(set.steer(), Tsma::Steer::array_compared);
  EXPECT_EQ(set.allocation().cycles, 2u);
  EXPECT_EQ(set.miss(9 * kLine), Stall::mshr_search);  // the access takes two cycles
  EXPECT_EQ(set.miss(9 * kLine), Stall::none);
}

TEST(Htsma, PipelinedTakesTwoStagesAndAMissACycle) {
  MhaParams params = params_of(Kind::htsma);
  params.pipelined = true;
  Set set(params);
  for (Addr block = 0; block < 3; ++block) EXPECT_EQ(set.miss(block * kLine), Stall::none);
  EXPECT_EQ(set.allocation().cycles, 2u);
}

TEST(Htsma, DescribesBothParts) {
  Set set(params_of(Kind::htsma));
  for (Addr block = 0; block < 4; ++block) set.miss(block * kLine);
  EXPECT_THAT(set.handler().describe(), HasSubstr("mshr htsma: 3/8 entries in use, 1/2"));
  EXPECT_THAT(set.handler().describe(), HasSubstr("s-MSHR entry 8: block 0x180, 1/2 slots"));
}

}  // namespace
}  // namespace warpmem::mha
