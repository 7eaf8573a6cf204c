// SPDX-License-Identifier: Apache-2.0
// What is taken from the work folder of a sweep that was killed.
#include "sweeps/left_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "base/end_record.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::sweeps {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kManifest = R"({"status": "complete"})";
constexpr const char* kStats = R"({
  "units": {"gpu.cycles": {"kind": "counter", "unit": "cycles", "doc": "Cycles."}},
  "kernels": [{"name": "k", "launch": 1, "grid": [2, 1, 1], "block": [32, 1, 1],
               "stats": {"gpu.cycles": 41}}],
  "total": {"stats": {"gpu.cycles": 41}}})";

class LeftRunsTest : public ::testing::Test {
 protected:
  /// The folder of a run with key `name`, and results of one that is complete.
  fs::path left(const std::string& name) const {
    const fs::path folder = work_ / name;
    fs::create_directories(folder);
    write_identity({name, "run " + name, "config of " + name, false, false}, folder);
    write_text(folder / "manifest.json", kManifest);
    write_text(folder / "stats.json", kStats);
    write_text(folder / "log.txt", "the last word\n");
    return folder;
  }
  static void ended(const fs::path& folder, int wait_status) {
    write_text(end_record(folder), std::to_string(wait_status) + " 1500000000 end\n");
  }

  test::ScratchFolder scratch_;
  const fs::path work_ = scratch_.path() / "work";
  Database database_{scratch_ / "s.sqlite"};
};

TEST_F(LeftRunsTest, ACompleteRunIsStored) {
  ended(left("a"), 0);
  EXPECT_THAT(take_left_runs(work_, database_), ElementsAre("run a"));
  const RunResult a = database_.result("a");
  EXPECT_TRUE(a.complete);
  EXPECT_EQ(a.config, "config of a");
  EXPECT_EQ(a.seconds, 1.5);
  EXPECT_THAT(a.stats, ElementsAre(std::make_pair("gpu.cycles", 41.0)));
  EXPECT_EQ(database_.details("a").launches.size(), 1u);
  // A sweep that is killed here takes it again from the database.
  EXPECT_THAT(take_left_runs(work_, database_), IsEmpty());
}

TEST_F(LeftRunsTest, AFailureOfThePointIsStored) {
  ended(left("a"), 3 << 8);
  ended(left("b"), SIGSEGV);
  EXPECT_THAT(take_left_runs(work_, database_), ElementsAre("run a", "run b"));
  EXPECT_EQ(database_.result("a").message, "exit status 3: the last word");
  EXPECT_FALSE(database_.result("b").complete);
  EXPECT_THAT(database_.result("b").message, testing::HasSubstr("SIGSEGV"));
}

TEST_F(LeftRunsTest, NothingElseIs) {
  left("a");                   // killed, with results and without an end
  ended(left("b"), SIGKILL);   // killed from outside
  ended(left("c"), SIGTERM);   //
  ended(left("d"), 127 << 8);  // something was not installed
  write_text(left("e") / "ended", "0 15");
  for (const char* file : {"manifest.json", "stats.json"}) {
    ended(left(std::string("f") + file), 0);
    write_text(work_ / (std::string("f") + file) / file, R"({"status": "comp)");
    ended(left(std::string("g") + file), 0);
    fs::remove(work_ / (std::string("g") + file) / file);
  }
  ended(left("h"), 0);
  write_text(work_ / "h" / "stats.json", R"({"kernels": 3})");
  fs::create_directories(work_ / "programs" / "1");
  ended(work_ / "programs", 0);
  ended(left("i"), 0);
  fs::remove(work_ / "i" / "run.json");
  EXPECT_THAT(take_left_runs(work_, database_), IsEmpty());
  EXPECT_THAT(database_.ended(), IsEmpty());
}

TEST_F(LeftRunsTest, WhatTheDatabaseHasStays) {
  RunResult result;
  result.key = "a";
  result.message = "of old";
  database_.store(result);
  ended(left("a"), 0);
  EXPECT_THAT(take_left_runs(work_, database_), IsEmpty());
  EXPECT_EQ(database_.result("a").message, "of old");
}

TEST_F(LeftRunsTest, WhatStillLivesIsWaitedFor) {
  const fs::path folder = left("a");
  Process process{{"/bin/sh", "-c", "until test -e go; do sleep 0.01; done"}, folder};
  process.log = folder / "log.txt";
  process.record = end_record(folder);
  RunningProcess running(process);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    write_text(folder / "go", "");
  });
  const auto taken = take_left_runs(work_, database_);
  later.join();
  EXPECT_FALSE(lives(end_record(folder)));
  EXPECT_THAT(taken, ElementsAre("run a"));
}

}  // namespace
}  // namespace warpmem::sweeps
