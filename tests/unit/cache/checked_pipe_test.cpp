// SPDX-License-Identifier: Apache-2.0
// A DL-MSHR with the core of the pipelined file beside it: which edges the file gets, and that each
// answer of it, one edge behind, is compared.
#include "cache/mha/checked_pipe.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/unit_failure.hpp"
#include "support/mha_bench.hpp"
#include "units/dl_mshr_pipe/dl_mshr_pipe_core.hpp"

namespace warpmem::mha {
namespace {

using PipeLie = std::function<void(MshrOut&)>;

/// Four sets of two slots, two of them reserved, for lines of four sectors.
class LyingPipe : public MshrFile {
 public:
  explicit LyingPipe(const PipeLie& lie) : lie_(lie) {}
  const char* name() const override { return "pipe"; }
  MshrOut eval(const MshrIn& in) const override {
    MshrOut out = core_.eval(in);
    if (lie_) lie_(out);
    return out;
  }
  void commit(const MshrIn& in) override { core_.commit(in); }

 private:
  units::DlMshrPipeCore<4, 2, 2, 64, 16, 4, 1, 4> core_;
  const PipeLie& lie_;
};

class CheckedPipeTest : public testing::Test {
 protected:
  void SetUp() override {
    MhaParams params;
    params.kind = Kind::dl;
    params.entries = 4;
    params.slots = 2;
    params.file = View::core;
    params.file_pipelined = true;
    UnitFactories units;
    units.file = [this](View, const MshrSize& size) {
      EXPECT_TRUE(size.piped());
      EXPECT_EQ(size.releases, 4u);
      return std::make_unique<LyingPipe>(lie_);
    };
    units.file_edges = &edges_;
    bench_ = std::make_unique<MhaBench>(params, units, 16, 4, Allocate::on_miss, 4);
  }
  MhaBench& bench() { return *bench_; }
  static Addr block(unsigned i) { return Addr{i} * kLine; }
  void use() {
    for (int i = 0; i < 4; ++i) {
      bench().allocate(block(1));
      bench().merge(block(1));
      bench().merge(block(1));
      bench().pass(3);
      bench().fill_and_drain(block(1));
      bench().settle();
    }
  }
  /// Returns what is wrong with a use of the handler in which the file lies.
  std::string failure(const PipeLie& lie) {
    lie_ = lie;
    try {
      use();
    } catch (const UnitFailure& error) {
      return error.what();
    }
    return "nothing";
  }

  PipeLie lie_;
  FileEdges edges_;
  std::unique_ptr<MhaBench> bench_;
};

// cycle   1 miss A   2, 3 merge A, a set is linked   4, 5 the answers   6 fill   7 to 9 drain
TEST_F(CheckedPipeTest, FileGetsEdgesUntilItsAnswersAreCompared) {
  EXPECT_EQ(bench().allocate(block(1)), Stall::none);
  EXPECT_EQ(bench().merge(block(1)), Stall::none);
  EXPECT_EQ(bench().merge(block(1)), Stall::none);
  EXPECT_EQ(edges_.all, 3u);
  bench().pass(5);
  EXPECT_EQ(edges_.all, 5u);
  EXPECT_EQ(bench().fill_and_drain(block(1)), 3u);
  bench().settle();
  EXPECT_TRUE(bench()->empty());
  EXPECT_EQ(bench()->free_entries(), 4u);
  EXPECT_EQ(edges_.second, 2u);  // when the file is empty nothing is left for later
}

// cycle   1 miss on sector 0   2 merge, sector 1 too   3 sector 0 comes   6 sector 1   7, 8 drain
// The merge stands before the file beside sector 0, with which its chain would be complete.
TEST_F(CheckedPipeTest, ARequestMayFetchMoreBesideTheSectorThatWasTheLast) {
  const auto drain = [&](const MissSectors& second) {
    EXPECT_EQ(bench().cycle([&] {
      const Stall stall = bench().allocate(block(1), bench().payload());
      bench()->note_sectors({0b01, 0, 0b01});
      return stall;
    }),
              Stall::none);
    bench().pass(2);
    bench().cycle([&] {
      bench()->merge(block(1), bench().payload());
      bench()->note_sectors(second);
    });
    bench().cycle([&] { bench()->note_arrival(block(1), 0b01, false); });
    bench().pass(2);
    bench().cycle([&] {
      bench()->note_arrival(block(1), 0b10, true);
      bench()->fill(block(1));
    });
    for (int i = 0; i < 2; ++i) bench().cycle([&] { bench()->pop_target(); });
    bench().settle();
    bench().pass(3);
  };
  drain({0b11, 0, 0b10});
  EXPECT_TRUE(bench()->empty());
  try {
    drain({0b10, 0, 0});
    ADD_FAILURE() << "the file fetches sector 1";
  } catch (const UnitFailure& error) {
    EXPECT_STREQ(error.what(), "ans_fetch: 0 of the class, 2 of the file");
  }
}

TEST_F(CheckedPipeTest, DataOfAMergeInTheNextCycleEndTheRun) {
  bench().allocate(block(1));
  bench()->note_sectors({0b01, 0, 0b01});
  bench().pass(3);
  bench().cycle([&] {
    bench()->merge(block(1), bench().payload());
    bench()->note_sectors({0b11, 0, 0b10});
  });
  EXPECT_THROW(bench().cycle([&] { bench()->note_arrival(block(1), 0b10, false); }), UserError);
}

// As its last target leaves, a block asks again, and its release goes on.
TEST_F(CheckedPipeTest, ABlockIsForgottenAsItsLastTargetLeaves) {
  EXPECT_EQ(bench().allocate(block(1)), Stall::none);
  bench().pass(3);
  bench().cycle([&] { bench()->fill(block(1)); });
  bench().cycle([&] {
    bench()->pop_target();
    EXPECT_EQ(bench().allocate(block(1), bench().payload()), Stall::none);
  });
  bench().pass(3);
  EXPECT_EQ(bench()->free_entries(), 3u);
}

TEST_F(CheckedPipeTest, ReturnRightBehindAMergeHasItsTarget) {
  EXPECT_EQ(bench().allocate(block(1)), Stall::none);
  EXPECT_EQ(bench().merge(block(1)), Stall::none);
  EXPECT_EQ(bench().fill_and_drain(block(1)), 2u);
}

TEST_F(CheckedPipeTest, DataInTheNextCycleAreRefusedWithTheKey) {
  EXPECT_EQ(bench().allocate(block(1)), Stall::none);
  EXPECT_THROW(bench().fill_and_drain(block(1)), UserError);
}

TEST_F(CheckedPipeTest, AnswersAreCompared) {
  EXPECT_EQ(failure([](MshrOut& out) { out.req_link = false; }),
            "ans_link: 1 of the class, 0 of the file");
  SetUp();
  EXPECT_EQ(failure([](MshrOut& out) { out.req_entry = 3; }),
            "ans_set: 0 of the class, 3 of the file");
  SetUp();
  EXPECT_EQ(failure([](MshrOut& out) { out.rf = true; }), "rf: 0 of the class, 1 of the file");
  SetUp();
  EXPECT_EQ(failure([](MshrOut& out) { out.err = true; }), "err: 0 of the class, 1 of the file");
}

TEST_F(CheckedPipeTest, DeparturesAndFreeSetsAreCompared) {
  EXPECT_EQ(failure([](MshrOut& out) { out.rsp_last = false; }),
            "rsp_last: 1 of the class, 0 of the file");
  SetUp();
  EXPECT_EQ(failure([](MshrOut& out) { out.rsp_slot ^= 1; }),
            "rsp_slot is not of the target that leaves next");
  SetUp();
  EXPECT_EQ(failure([](MshrOut& out) { out.rsp_valid = false; }),
            "rsp_valid: 1 of the class, 0 of the file");
  SetUp();
  EXPECT_EQ(failure([](MshrOut& out) { out.n_free -= out.n_free < 4; }),
            "n_free: 3 of the class, 2 of the file");
}

TEST_F(CheckedPipeTest, TellsTheTruthOtherwise) { EXPECT_EQ(failure({}), "nothing"); }

}  // namespace
}  // namespace warpmem::mha
