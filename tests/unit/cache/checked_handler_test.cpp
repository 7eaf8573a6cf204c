// SPDX-License-Identifier: Apache-2.0
// Miss handlers with the core of their whole file beside them: when the file gets clock edges, and
// that each answer of it is compared. tests/unit/cosim has the other views.
#include "cache/mha/checked_handler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/unit_failure.hpp"
#include "support/core_file.hpp"
#include "support/mha_bench.hpp"
#include "units/dl_mshr/dl_mshr_core.hpp"
#include "units/mshr_conventional/mshr_conventional_core.hpp"
#include "units/mshr_set_assoc/mshr_set_assoc_core.hpp"
#include "units/tsma/tsma_core.hpp"

namespace warpmem::mha {
namespace {

using testing::HasSubstr;

/// A handler of four entries (sets) of two slots, its file, and what that lies about.
struct Pair {
  template <class Core>
  static Pair* make(const char* name, Kind kind, std::uint32_t associativity = 4,
                    std::uint32_t sectors = 1) {
    MhaParams params;
    params.kind = kind;
    params.entries = 4;
    params.slots = 2;
    params.associativity = associativity;
    params.file = View::core;
    auto* pair = new Pair;
    UnitFactories units;
    units.file = [pair, name, sectors](View, const MshrSize& size) {
      EXPECT_EQ(size.sectors, sectors);
      EXPECT_EQ(size.entries, 4u);
      EXPECT_EQ(size.addr_bits, 64u);
      EXPECT_EQ(size.slot_bits, 16u);
      return std::make_unique<LyingFile<Core>>(name, pair->lie);
    };
    units.file_edges = &pair->edges;
    pair->bench = std::make_unique<MhaBench>(params, units, 16, 4, Allocate::on_miss, sectors);
    return pair;
  }
  MissHandler& handler() { return **bench; }

  Lie lie;
  FileEdges edges;
  std::unique_ptr<MhaBench> bench;
};

class CheckedHandlerTest : public testing::Test {
 protected:
  void conventional() {
    pair_.reset(Pair::make<units::MshrConventionalCore<4, 2, 64, 16>>("mshr_conventional",
                                                                      Kind::conventional));
  }
  void dl() { pair_.reset(Pair::make<units::DlMshrCore<4, 2, 2, 64, 16, 4>>("dl_mshr", Kind::dl)); }
  /// Entries track lines of four sectors.
  void sectored() {
    pair_.reset(Pair::make<units::MshrConventionalCore<4, 2, 64, 16, 4>>("mshr_conventional",
                                                                         Kind::conventional, 4, 4));
  }
  /// Makes a miss, of which the cache says this.
  void miss(Addr of, const MissSectors& sectors) {
    bench().cycle([&] {
      Payload& request = bench().payload();
      if (bench()->find(of) == Match::none)
        EXPECT_EQ(bench().allocate(of, request), Stall::none);
      else
        EXPECT_EQ(bench()->merge(of, request), Stall::none);
      bench()->note_sectors(sectors);
    });
  }
  MhaBench& bench() { return *pair_->bench; }
  FileEdges& edges() { return pair_->edges; }
  static Addr block(unsigned i) { return Addr{i} * kLine; }

  /// Returns what is wrong with an access, when the file lies in it.
  std::string failure(const Lie& lie, const std::function<void()>& access) {
    pair_->lie = lie;
    try {
      access();
    } catch (const UnitFailure& error) {
      return error.unit + ": " + error.what();
    }
    return "nothing";
  }

  std::unique_ptr<Pair> pair_;
};

// cycle   1 miss A   2 merge A   3 fill A   4, 5 drain   6 nothing
TEST_F(CheckedHandlerTest, FileGetsAnEdgeInEachCycleInWhichSomethingHappens) {
  conventional();
  EXPECT_EQ(bench().allocate(block(1)), Stall::none);
  EXPECT_EQ(bench().merge(block(1)), Stall::none);
  EXPECT_EQ(edges().all, 2u);
  EXPECT_EQ(bench().fill_and_drain(block(1)), 2u);
  EXPECT_EQ(edges().all, 5u);
  bench().pass(3);
  EXPECT_EQ(edges().all, 5u);
  EXPECT_EQ(edges().second, 0u);
}

// The class gives out an entry in the cycle in which its last target leaves, and knows a block no
// more; the file does so one edge later.
TEST_F(CheckedHandlerTest, EntryThatLeavesTakesASecondEdge) {
  conventional();
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bench().allocate(block(i)), Stall::none);
  EXPECT_EQ(bench().allocate(block(4)), Stall::entry_full);
  bench().cycle([&] { bench()->fill(block(2)); });
  bench().cycle([&] {
    bench()->pop_target();
    EXPECT_EQ(bench().allocate(block(4), bench().payload()), Stall::none);
  });
  EXPECT_EQ(edges().second, 1u);
  bench().cycle([&] { bench()->fill(block(4)); });
  bench().cycle([&] {
    bench()->pop_target();
    EXPECT_EQ(bench().allocate(block(4), bench().payload()), Stall::none);
  });
  EXPECT_EQ(edges().second, 2u);
}

// The DL-MSHR's file forgets a block in that cycle itself, and chains wait for their release.
TEST_F(CheckedHandlerTest, DlFileNeedsNoSecondEdge) {
  dl();
  EXPECT_EQ(bench().allocate(block(1)), Stall::none);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(bench().merge(block(1)), Stall::none);  // three sets
  EXPECT_EQ(bench().allocate(block(2)), Stall::none);
  bench().cycle([&] { bench()->fill(block(1)); });
  bench().cycle([&] {
    bench()->fill(block(2));
    bench()->pop_target();
  });
  for (unsigned i = 0; i < 3; ++i) bench().cycle([&] { bench()->pop_target(); });
  bench().cycle([&] { bench()->pop_target(); });  // block 1 is gone, its release takes three cycles
  bench().cycle([&] {
    bench()->pop_target();  // the last one of block 2 does not wait
    EXPECT_EQ(bench().allocate(block(2), bench().payload()), Stall::entry_full);
  });
  bench().settle();
  EXPECT_EQ(bench()->free_entries(), 4u);
  EXPECT_EQ(edges().second, 0u);
}

TEST_F(CheckedHandlerTest, ReturnsWaitInFrontOfTheFile) {
  conventional();
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(bench().allocate(block(i)), Stall::none);
  bench().cycle([&] {
    for (unsigned i = 0; i < 3; ++i) bench()->fill(block(i));
  });
  EXPECT_THAT(bench()->describe(), HasSubstr("mshr_conventional: 2 returns wait, rsp_valid true"));
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(bench()->drain_block(), block(i));
    bench().cycle([&] { bench()->pop_target(); });
  }
  EXPECT_TRUE(bench()->empty());
}

TEST_F(CheckedHandlerTest, RequestThatTakesOverAPrefetchHasItsToken) {
  conventional();
  EXPECT_EQ(bench().allocate(block(0)), Stall::none);
  Payload& request = bench().payload();
  bench().cycle([&] { EXPECT_EQ(bench()->take_over(block(0), request), Stall::none); });
  bench().cycle([&] { bench()->fill(block(0)); });
  EXPECT_EQ(bench()->target(), &request);
  bench().cycle([&] { bench()->pop_target(); });
  EXPECT_TRUE(bench()->empty());
}

// cycle   1 miss on sector 0   2 merge, sector 1 too   3 sector 0 comes   4 sector 1   5, 6 drain
TEST_F(CheckedHandlerTest, FileDrainsWithTheLastSectorOfABlock) {
  sectored();
  EXPECT_TRUE(bench()->follows_sectors());
  miss(block(1), {0b01, 0, 0b01});
  miss(block(1), {0b11, 0, 0b10});
  bench().cycle([&] { bench()->note_arrival(block(1), 0b01, false); });
  bench().cycle([&] {
    bench()->note_arrival(block(1), 0b10, true);
    bench()->fill(block(1));
  });
  for (int i = 0; i < 2; ++i) bench().cycle([&] { bench()->pop_target(); });
  EXPECT_TRUE(bench()->empty());
  EXPECT_EQ(edges().all, 6u);
  conventional();
  EXPECT_FALSE(bench()->follows_sectors());
}

// Sectors of block 2 arrive while block 1 drains; its last ones wait for their place in the cache.
TEST_F(CheckedHandlerTest, SectorsWaitForADrainAndAreShownWithTheLastOnesAtTheLatest) {
  sectored();
  miss(block(1), {0b01, 0, 0b01});
  miss(block(1), {0b01, 0b10, 0});
  miss(block(2), {0b0111, 0, 0b0111});
  bench().cycle([&] {
    bench()->note_arrival(block(1), 0b01, true);
    bench()->fill(block(1));
  });
  bench().cycle([&] { bench()->note_arrival(block(2), 0b001, false); });
  bench().cycle([&] {
    bench()->pop_target();
    bench()->note_arrival(block(2), 0b010, false);
  });
  bench().cycle([&] {
    bench()->pop_target();
    bench()->note_arrival(block(2), 0b100, true);
  });
  miss(block(2), {0b111, 0, 0});
  bench().cycle([&] { bench()->fill(block(2)); });
  for (int i = 0; i < 2; ++i) bench().cycle([&] { bench()->pop_target(); });
  EXPECT_TRUE(bench()->empty());
}

TEST_F(CheckedHandlerTest, SectorsToFetchAreCompared) {
  sectored();
  miss(block(1), {0b01, 0b10, 0b01});
  EXPECT_EQ(failure({},
                    [&] {
                      miss(block(1), {0b11, 0, 0b10});
                    }),
            "mshr_conventional: req_fetch: 2 of the class, 0 of the file");
}
TEST_F(CheckedHandlerTest, DrainWithoutASectorIsSeen) {
  sectored();
  miss(block(1), {0b11, 0, 0b11});
  EXPECT_EQ(failure({},
                    [&] {
                      bench().cycle([&] {
                        bench()->note_arrival(block(1), 0b01, true);
                        bench()->fill(block(1));
                      });
                    }),
            "mshr_conventional: rsp_valid: 1 of the class, 0 of the file");
}

TEST_F(CheckedHandlerTest, RefusalsAreCompared) {
  conventional();
  const Lie refuses = [](const MshrIn& in, MshrOut& out) {
    out.req_ready = false;
    out.rf = in.req_valid;
    out.rf_cause = in.req_valid ? MshrFail::entry_full : MshrFail::none;
  };
  EXPECT_EQ(failure(refuses, [&] { bench().allocate(block(0)); }),
            "mshr_conventional: a primary miss: accepted by the class; by the file it is primary "
            "and no entry");
}
TEST_F(CheckedHandlerTest, CauseIsCompared) {
  conventional();
  for (unsigned i = 0; i < 4; ++i) bench().allocate(block(i));
  const Lie other = [](const MshrIn&, MshrOut& out) {
    if (out.rf) out.rf_cause = MshrFail::draining;
  };
  EXPECT_EQ(failure(other, [&] { bench().allocate(block(4)); }),
            "mshr_conventional: a primary miss: no entry by the class; by the file it is primary "
            "and drains");
}
TEST_F(CheckedHandlerTest, SecondaryIsCompared) {
  conventional();
  bench().allocate(block(0));
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_secondary = false; },
                    [&] { bench().merge(block(0)); }),
            "mshr_conventional: a secondary miss: accepted by the class; by the file it is primary "
            "and accepted");
}
TEST_F(CheckedHandlerTest, EntryInUseIsNotGivenAgain) {
  conventional();
  bench().allocate(block(0));
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_entry = 0; },
                    [&] { bench().allocate(block(1)); }),
            "mshr_conventional: req_entry in use: 0 of the class, 1 of the file");
}
TEST_F(CheckedHandlerTest, OrderOfDepartureIsCompared) {
  conventional();
  bench().allocate(block(0));
  bench().merge(block(0));
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.rsp_slot ^= 1; },
                    [&] { bench().cycle([&] { bench()->fill(block(0)); }); }),
            "mshr_conventional: rsp_slot is not of the target that leaves next");
}
TEST_F(CheckedHandlerTest, LastIsCompared) {
  conventional();
  bench().allocate(block(0));
  bench().cycle([&] { bench()->fill(block(0)); });
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.rsp_last = false; },
                    [&] { bench().cycle([&] { bench()->pop_target(); }); }),
            "mshr_conventional: rsp_last: 1 of the class, 0 of the file");
}
TEST_F(CheckedHandlerTest, DrainThatEndsTooEarlyIsSeenInTheNextCycle) {
  conventional();
  bench().allocate(block(0));
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.rsp_valid = false; },
                    [&] { bench().cycle([&] { bench()->fill(block(0)); }); }),
            "mshr_conventional: rsp_valid: 1 of the class, 0 of the file");
}
TEST_F(CheckedHandlerTest, FreeEntriesAreCompared) {
  conventional();
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.used |= 8; },
                    [&] { bench().allocate(block(0)); }),
            "mshr_conventional: entries not used: 3 of the class, 2 of the file");
}
TEST_F(CheckedHandlerTest, SetsOfTheDlMshrAreCompared) {
  dl();
  bench().allocate(block(0));
  bench().merge(block(0));
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_link = false; },
                    [&] { bench().merge(block(0)); }),
            "dl_mshr: req_link: 1 of the class, 0 of the file");
  dl();
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_entry = 1; },
                    [&] { bench().allocate(block(0)); }),
            "dl_mshr: req_entry: 0 of the class, 1 of the file");
  dl();
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { --out.n_free; },
                    [&] { bench().allocate(block(0)); }),
            "dl_mshr: n_free: 3 of the class, 2 of the file");
}
TEST_F(CheckedHandlerTest, EntryOfTheTsmaIsCompared) {
  pair_.reset(Pair::make<units::TsmaCore<4, 2, 16>>(name_of(Kind::tsma), Kind::tsma));
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_entry = 1; },
                    [&] { bench().allocate(block(0)); }),
            "tsma: req_entry: 0 of the class, 1 of the file");
}
TEST_F(CheckedHandlerTest, SetOfABlockIsCompared) {
  pair_.reset(Pair::make<units::MshrSetAssocCore<4, 2, 2, 64, 16>>("mshr_set_assoc",
                                                                   Kind::set_associative, 2));
  EXPECT_EQ(bench().allocate(block(3)), Stall::none);
  EXPECT_EQ(failure([](const MshrIn&, MshrOut& out) { out.req_entry = 1; },
                    [&] { bench().allocate(block(5)); }),
            "mshr_set_assoc: set of req_entry: 1 of the class, 0 of the file");
}

// The class and the file number sets by the address within the slice, which here is half of that in
// memory. By the one in memory both blocks would be in set 0.
TEST_F(CheckedHandlerTest, SetsAreThoseOfTheAddressWithinTheSlice) {
  pair_.reset(Pair::make<units::MshrSetAssocCore<4, 2, 2, 64, 16>>("mshr_set_assoc",
                                                                   Kind::set_associative, 2));
  for (const unsigned line : {0u, 1u, 2u, 3u})
    EXPECT_EQ(bench().cycle([&] {
      return bench()->allocate({block(2 * line), block(line)}, {}, bench().payload()).refusal;
    }),
              Stall::none);
  for (const unsigned line : {3u, 0u}) {
    EXPECT_EQ(bench().merge(block(2 * line)), Stall::none);
    EXPECT_EQ(bench().fill_and_drain(block(2 * line)), 2u);
  }
  EXPECT_EQ(bench().cycle([&] {
    return bench()->allocate({block(14), block(7)}, {}, bench().payload()).refusal;
  }),
            Stall::none);  // set 1, which line 3 has left
}

// Sizes that the hardware does not have.
TEST(FileParams, Limits) {
  const auto problem = [](Kind kind, std::uint32_t entries, std::uint32_t slots,
                          std::uint32_t small_slots = 8) {
    MhaParams params;
    params.kind = kind;
    params.entries = entries;
    params.slots = slots;
    params.small_slots = small_slots;
    params.file = View::rtl;
    Problems problems;
    params.validate(problems, "l1d.mshr");
    return problems.list().empty() ? "" : problems.list().front();
  };
  EXPECT_EQ(problem(Kind::conventional, 512, 64), "");
  EXPECT_THAT(problem(Kind::conventional, 513, 64), HasSubstr("l1d.mshr.file: 513 entries"));
  EXPECT_THAT(problem(Kind::conventional, 512, 65), HasSubstr("65 slots; allowed: at most 64"));
  EXPECT_THAT(problem(Kind::tsma, 512, 65), HasSubstr("65 slots"));
  EXPECT_EQ(problem(Kind::tsma, 4096, 64), "");
  EXPECT_THAT(problem(Kind::htsma, 512, 65), HasSubstr("65 slots"));
  EXPECT_EQ(problem(Kind::htsma, 4096, 64), "");
  EXPECT_THAT(problem(Kind::htsma, 4096, 64, 65),
              HasSubstr("65 small_slots; allowed: at most 64, or file: class"));
  EXPECT_EQ(problem(Kind::dl, 32, 128), "");
  EXPECT_EQ(problem(Kind::set_associative, 32, 8), "");
  EXPECT_THAT(problem(Kind::set_associative, 12, 8),
              HasSubstr("3 sets of entries; allowed: a power of two"));
}

}  // namespace
}  // namespace warpmem::mha
