// SPDX-License-Identifier: Apache-2.0
// Recordings of units: what comes back, what is refused, and lockstep on them.
#include "cosim/unit_recording.hpp"

#include <gmock/gmock.h>

#include "base/random.hpp"
#include "base/text_file.hpp"
#include "cosim/hardware_unit.hpp"
#include "cosim/unit_factories.hpp"
#include "support/broken_rtl.hpp"
#include "support/scratch_folder.hpp"
#include "units/laws_score/laws_score_unit.hpp"
#include "units/mrpb_drain/mrpb_drain_unit.hpp"

namespace warpmem::cosim {
namespace {

using testing::HasSubstr;
using units::DauDescription;
using units::LawsScoreDescription;
using units::LawsScoreIn;
using units::MrpbDrainDescription;
using units::MrpbDrainIn;

template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(UnitRecordingTest, RequestsAreUnitInstanceAndFile) {
  const RecordingRequest plain = parse_recording("dau=a/b=c");
  EXPECT_EQ(plain.unit, "dau");
  EXPECT_EQ(plain.instance, 0u);
  EXPECT_EQ(plain.file, "a/b=c");
  EXPECT_EQ(parse_recording("dau:28=x").instance, 28u);
  for (const char* const wrong : {"dau", "dau=", "=x", "dau:=x", "dau:a=x", "dau:-1=x", ":1=x"})
    EXPECT_THAT(error_of([&] { parse_recording(wrong); }), HasSubstr("UNIT:INSTANCE=FILE"))
        << wrong;
}

class StreamTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return scratch_.path() / "unit.rec"; }

  /// Records and returns these inputs.
  std::vector<MrpbDrainIn> record(unsigned records) {
    std::vector<MrpbDrainIn> list;
    Random random(7);
    UnitRecorder<MrpbDrainDescription> recorder({"mrpb_drain", 0, file()}, {{"QUEUES", 64}});
    for (unsigned i = 0; i < records; ++i) {
      MrpbDrainIn in;
      in.ready = random.next() >> random.below(64);
      in.take = random.chance(50);
      in.head_queue = static_cast<std::uint8_t>(random.below(64));
      const std::uint64_t repeated = 1 + random.below(3);
      for (std::uint64_t j = 0; j < repeated; ++j) {
        recorder.add(in);
        list.push_back(in);
      }
    }
    EXPECT_EQ(recorder.cycles(), list.size());
    recorder.finish();
    return list;
  }

  test::ScratchFolder scratch_;
};

TEST_F(StreamTest, WhatWasRecordedComesBack) {
  for (const unsigned records : {0u, 1u, 300'000u}) {  // none, one block, several
    const std::vector<MrpbDrainIn> list = record(records);
    UnitRecording<MrpbDrainDescription> recording(file());
    EXPECT_EQ(parameter(recording.parameters(), "QUEUES"), 64u);
    std::size_t at = 0;
    for (MrpbDrainIn in; recording.next(&in); ++at) {
      ASSERT_LT(at, list.size());
      ASSERT_TRUE(in == list[at]) << at;
    }
    EXPECT_EQ(at, list.size());
  }
}

TEST_F(StreamTest, WhatIsNotFinishedIsNotThere) {
  {
    UnitRecorder<MrpbDrainDescription> recorder({"mrpb_drain", 0, file()}, {});
    recorder.add({});
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_F(StreamTest, BrokenFilesAreRefused) {
  record(1000);
  const std::string whole = read_text(file());
  const auto read_all = [this] {
    UnitRecording<MrpbDrainDescription> recording(file());
    for (MrpbDrainIn in; recording.next(&in);) {
    }
  };
  EXPECT_EQ(error_of(read_all), "");
  for (const std::size_t bytes : {5ul, 30ul, 60ul, whole.size() / 2, whole.size() - 1}) {
    write_text(file(), whole.substr(0, bytes));
    EXPECT_NE(error_of(read_all), "") << bytes;
  }
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
  write_text(file(), flipped);
  EXPECT_THAT(error_of(read_all), HasSubstr("broken"));
  write_text(file(), whole);
  EXPECT_THAT(error_of([this] { UnitRecording<DauDescription>{file()}; }),
              HasSubstr("a recording of mrpb_drain, not of dau"));
  EXPECT_THAT(error_of([] { UnitStreamReader("/nowhere/x"); }), HasSubstr("cannot read"));
}

TEST_F(StreamTest, TheInstanceThatIsAskedForIsRecorded) {
  UnitRecordings recordings({{"laws_score", 1, file()}});
  const auto factories = sm_unit_factories(default_places(), &recordings);
  const auto first = factories.laws_score(View::systemc, {6, 6});
  EXPECT_THAT(error_of([&] { recordings.require_all(); }), HasSubstr("this machine has 1 of"));
  const auto second = factories.laws_score(View::systemc, {6, 6});
  recordings.require_all();
  LawsScoreIn in;
  first->commit(in);
  in.l1d_hit = true;
  for (int i = 0; i < 3; ++i) second->commit(in);
  EXPECT_THAT(recordings.finish(), testing::ElementsAre(HasSubstr("laws_score:1: 3 cycles")));
  UnitRecording<LawsScoreDescription> recording(file());
  EXPECT_EQ(parameter(recording.parameters(), "SCORE_BITS"), 6u);
  unsigned cycles = 0;
  for (LawsScoreIn back; recording.next(&back); ++cycles) EXPECT_TRUE(back == in);
  EXPECT_EQ(cycles, 3u);
}

class RecordedLockstep : public BrokenRtl {};

TEST_F(RecordedLockstep, RunsTheRecordingAndFindsAnErrorInIt) {
  LockstepOptions options;
  options.recorded = folder() / "laws.rec";
  {
    UnitRecorder<LawsScoreDescription> recorder({"laws_score", 0, options.recorded}, {});
    LawsScoreIn in;
    in.l1d_hit = in.l1d_intra = true;
    for (int i = 0; i < 100; ++i) recorder.add(in);
    recorder.finish();
  }
  const LockstepResult right = run_unit<LawsScoreDescription>({6, 6}, options);
  EXPECT_FALSE(right.difference) << right.describe();
  EXPECT_EQ(right.cycles, 100u);
  EXPECT_EQ(right.resets, 1u);
  EXPECT_THAT(right.describe(), HasSubstr("recorded: 100 cycles"));

  options.cycles = 40;
  EXPECT_EQ(run_unit<LawsScoreDescription>({6, 6}, options).cycles, 40u);

  // The score of six bits stops at 31.
  replace("laws_score/laws_score.sv", "if ($signed(sum) > $signed(MOST)) sum = MOST;", "");
  options.places.rtl = rtl();
  const LockstepResult wrong = run_unit<LawsScoreDescription>({6, 6}, options);
  ASSERT_TRUE(wrong.difference);
  EXPECT_EQ(wrong.difference->cycle, 32u);
}

}  // namespace
}  // namespace warpmem::cosim
