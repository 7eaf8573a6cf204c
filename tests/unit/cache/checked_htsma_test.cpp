// SPDX-License-Identifier: Apache-2.0
// HTSMA with the core of its whole file beside it: which part each miss goes to, when the file gets
// a second edge, and that each answer of it is compared. (tsma_contract_test.cpp has random runs.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/unit_failure.hpp"
#include "cache/mha/checked_handler.hpp"
#include "support/core_file.hpp"
#include "support/mha_bench.hpp"
#include "units/htsma/htsma_core.hpp"

namespace warpmem::mha {
namespace {

/// One set of four lines; four entries of two slots in the array, two in the s-MSHR.
class CheckedHtsma : public testing::Test {
 protected:
  MhaParams params() {
    MhaParams p;
    p.kind = Kind::htsma;
    p.entries = 4;
    p.slots = 2;
    p.small_entries = 2;
    p.small_slots = 2;
    p.pipelined = pipelined_;
    p.file = View::core;
    return p;
  }
  UnitFactories units() {
    UnitFactories units;
    units.file = [this](View, const MshrSize& size) {
      EXPECT_TRUE(size.hybrid());
      EXPECT_EQ(size.all_entries(), 6u);
      EXPECT_EQ(size.line_ways, 4u);
      return std::make_unique<LyingFile<units::HtsmaCore<4, 2, 2, 2, 4, 64, 16>>>("htsma", lie_);
    };
    units.file_edges = &edges_;
    return units;
  }
  void SetUp() override { make(); }
  void make(bool pipelined = false) {
    pipelined_ = pipelined;
    lie_ = nullptr;
    bench_ = std::make_unique<MhaBench>(params(), units(), 1, 4);
  }
  MhaBench& bench() { return *bench_; }
  TagArray& tags() { return bench_->tags(); }
  static Addr block(unsigned i) { return Addr{i} * kLine; }
  Where where(unsigned i, std::uint32_t index = 0) {
    return {block(i), tags().find(block(i), block(i)), index};
  }

  /// A miss in the present cycle, primary or secondary.
  Stall miss_now(unsigned i) {
    if (bench()->find(where(i)) == Match::pending)
      return bench()->merge(where(i), bench().payload());
    const Stall stall = bench().allocate(block(i), bench().payload());
    const LineId line = bench().allocation().line;
    if (stall == Stall::none && line != kNoLine) tags().reserve(line, block(i));
    return stall;
  }
  Stall miss(unsigned i) {
    return bench().cycle([&] { return miss_now(i); });
  }
  /// A primary miss; returns its entry.
  std::uint32_t open(unsigned i) {
    while (true) {
      const Stall stall = miss(i);
      if (stall == Stall::mshr_search) continue;  // the second cycle of the one before
      EXPECT_EQ(stall, Stall::none);
      return bench().allocation().index;
    }
  }
  void fill(unsigned i, std::uint32_t index) {
    bench().cycle([&] { bench()->fill(where(i, index)); });
  }
  void pop(unsigned i) {
    const LineId line = where(i).line;
    bench()->pop_target();
    tags().install(line == kNoLine ? tags().victim(block(i)) : line, block(i));
  }
  /// The set has four valid lines, the blocks 0 to 3.
  void bring_all() {
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t index = open(i);
      fill(i, index);
      bench().cycle([&] { pop(i); });
    }
  }

  /// Returns what is wrong with an access, when the file lies in it.
  std::string failure(const Lie& lie, const std::function<void()>& access) {
    lie_ = lie;
    try {
      access();
    } catch (const UnitFailure& error) {
      return error.unit + ": " + error.what();
    }
    return "nothing";
  }

  bool pipelined_ = false;
  Lie lie_;
  FileEdges edges_;
  std::unique_ptr<MhaBench> bench_;
};

// Listing 5.1: three lines are shared, the last way goes to the s-MSHR.
TEST_F(CheckedHtsma, MissesGoToThePartThatTheClassHas) {
  EXPECT_EQ(open(0), 0u);
  EXPECT_EQ(open(1), 1u);
  EXPECT_EQ(open(2), 2u);
  EXPECT_EQ(open(3), 4u);
  EXPECT_EQ(miss(3), Stall::none);
  EXPECT_EQ(miss(3), Stall::merge_full);  // of the s-MSHR
  EXPECT_EQ(miss(0), Stall::none);
  EXPECT_EQ(miss(0), Stall::merge_full);  // of the array
  EXPECT_EQ(edges_.all, 8u);
  EXPECT_EQ(open(4), 5u);
  EXPECT_EQ(miss(5), Stall::entry_full);
  EXPECT_EQ(edges_.second, 0u);
}

TEST_F(CheckedHtsma, CriticalMissesTakeTwoCyclesWhichTheFileOnlyNames) {
  bring_all();
  for (unsigned i = 0; i < 4; ++i) tags().touch(where(i).line);
  EXPECT_EQ(open(4), 4u);
  EXPECT_EQ(open(5), 5u);
  EXPECT_EQ(open(6), 0u);  // the s-MSHR is full
  EXPECT_EQ(bench().allocation().cycles, 2u);
  EXPECT_EQ(miss(7), Stall::mshr_search);
  EXPECT_EQ(open(7), 1u);
  make(true);
  bring_all();
  EXPECT_EQ(bench().allocation().cycles, 2u);  // pipelined: of every miss
}

TEST_F(CheckedHtsma, SmallEntryThatLeavesTakesASecondEdge) {
  for (unsigned i = 0; i < 5; ++i) open(i);
  ASSERT_EQ(miss(5), Stall::entry_full);
  fill(3, 4);
  bench().cycle([&] {
    pop(3);
    EXPECT_EQ(miss_now(5), Stall::none);
  });
  EXPECT_EQ(bench().allocation().index, 4u);
  EXPECT_EQ(edges_.second, 1u);
}
// Its empty flag decides at once in the class, so that the next miss is no critical one.
TEST_F(CheckedHtsma, SmallFileThatIsEmptiedTakesASecondEdge) {
  for (unsigned i = 0; i < 4; ++i) open(i);
  fill(0, 0);
  bench().cycle([&] { pop(0); });  // two lines are shared: not the last way
  fill(3, 4);
  bench().cycle([&] {
    pop(3);
    EXPECT_EQ(miss_now(5), Stall::none);
  });
  EXPECT_EQ(bench().allocation().index, 0u);
  EXPECT_EQ(bench().allocation().cycles, 1u);
  EXPECT_EQ(edges_.second, 1u);
}

// The index register does not know of it in the class either.
TEST_F(CheckedHtsma, EntryOfTheArrayThatLeavesTakesNone) {
  const std::uint32_t index = open(0);
  fill(0, index);
  bench().cycle([&] {
    pop(0);
    EXPECT_EQ(miss_now(1), Stall::none);
  });
  EXPECT_EQ(bench().allocation().index, 1u);
  EXPECT_EQ(edges_.second, 0u);
}

// What differs in such a cycle is no matter of an edge that is due.
TEST_F(CheckedHtsma, DifferenceAsAnEntryOfTheArrayLeavesIsToldAtOnce) {
  fill(0, open(0));
  const std::uint64_t edges = edges_.all;
  const Lie other = [](const MshrIn&, MshrOut& out) { out.req_steer = 3; };
  EXPECT_EQ(failure(other,
                    [&] {
                      bench().cycle([&] {
                        pop(0);
                        miss_now(1);
                      });
                    }),
            "htsma: req_steer: 4 of the class, 3 of the file");
  EXPECT_EQ(edges_.all, edges);
}

TEST_F(CheckedHtsma, BranchIsCompared) {
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_steer = 3; }, [&] { miss(0); }),
            "htsma: req_steer: 4 of the class, 3 of the file");
}
TEST_F(CheckedHtsma, PartIsCompared) {
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_entry = 4; }, [&] { miss(0); }),
            "htsma: req_entry: 0 of the class, 4 of the file");
}
TEST_F(CheckedHtsma, EntryOfAMergeIsCompared) {
  for (unsigned i = 0; i < 5; ++i) open(i);
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_entry = 5; }, [&] { miss(3); }),
            "htsma: req_entry: 4 of the class, 5 of the file");
}
TEST_F(CheckedHtsma, CriticalPathIsCompared) {
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_critical = true; }, [&] { miss(0); }),
            "htsma: req_critical: 0 of the class, 1 of the file");
}
TEST_F(CheckedHtsma, CauseIsCompared) {
  for (unsigned i = 0; i < 5; ++i) open(i);
  const Lie other = [](const MshrIn&, MshrOut& out) {
    if (out.rf) out.rf_cause = MshrFail::merge_full;
  };
  EXPECT_EQ(failure(other, [&] { miss(5); }),
            "htsma: a primary miss: no entry by the class; by the file it is primary and no slot");
}
TEST_F(CheckedHtsma, AddressIsThatOfTheSmallFileAlone) {
  for (unsigned i = 0; i < 4; ++i) open(i);
  fill(0, 0);
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.rsp_addr = 7; },
                    [&] { bench().cycle([&] { pop(0); }); }),
            "htsma: rsp_addr: 0 of the class, 7 of the file");
  make();
  for (unsigned i = 0; i < 4; ++i) open(i);
  fill(3, 4);
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.rsp_addr = 7; },
                    [&] { bench().cycle([&] { pop(3); }); }),
            "htsma: rsp_addr: 3 of the class, 7 of the file");
}
TEST_F(CheckedHtsma, EntriesOfBothPartsAreCounted) {
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.used |= 32; }, [&] { miss(0); }),
            "htsma: entries not used: 5 of the class, 4 of the file");
}

TEST(FileShares, FollowEntriesLinesAndSets) {
  const TagArray tags(2, 4, kLine, cache::IndexHash::linear);
  FileShares shares(tags, 3);
  shares.take(2, 5, 1);
  shares.take(0, 7, 1);
  EXPECT_EQ(shares.idx(5), 2u);
  EXPECT_EQ(shares.idx(7), 0u);
  EXPECT_EQ(shares.idx(6), FileShares::kNotShared);
  EXPECT_EQ(shares.idx(kNoLine), FileShares::kNotShared);
  EXPECT_EQ(shares.count(0), 0u);
  EXPECT_EQ(shares.count(1), 2u);
  shares.release(2);
  EXPECT_EQ(shares.idx(5), FileShares::kNotShared);
  EXPECT_EQ(shares.count(1), 1u);
}

}  // namespace
}  // namespace warpmem::mha
