// SPDX-License-Identifier: Apache-2.0
// The details of runs in the database, and files of the schema before, which had none.
#include "sweeps/database.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <future>
#include <thread>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "support/scratch_folder.hpp"
#include "sweeps/sqlite.hpp"

namespace warpmem::sweeps {
namespace {

using ::testing::HasSubstr;

constexpr const char* kFirstSchema =
    "CREATE TABLE points(position INTEGER PRIMARY KEY, run TEXT, workload TEXT, arguments TEXT,"
    " labels TEXT);"
    "CREATE TABLE runs(key TEXT PRIMARY KEY, status TEXT, message TEXT, seconds REAL, config TEXT,"
    " manifest TEXT);"
    "CREATE TABLE stats(run TEXT, name TEXT, value REAL, PRIMARY KEY(run, name)) WITHOUT ROWID;"
    "CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT);"
    "INSERT INTO sweep VALUES('schema', '1');"
    "INSERT INTO runs VALUES('a', 'complete', '', 1, '', '{}');"
    "INSERT INTO stats VALUES('a', 'gpu.cycles', 30)";

class DatabaseTest : public ::testing::Test {
 protected:
  static RunResult run(const std::string& key) {
    RunResult result;
    result.key = key;
    result.complete = true;
    result.stats = {{"gpu.cycles", 30}};
    return result;
  }
  // Two launches, of 10 and 20 cycles; one load; two intervals.
  static RunDetails details() {
    RunDetails d;
    d.launches = {{1, "f", "2x1x1", "32x1x1", 10, R"({"gpu.cycles":10,"l1d.hits":3})"},
                  {2, "g", "4x1x1", "64x1x1", 20, R"({"gpu.cycles":20})"}};
    d.instructions.resize(2);
    d.instructions[0].kernel = "f";
    d.instructions[0].pc = 8;
    d.instructions[0].op = "load";
    d.instructions[0].stats = R"({"l1d.hits":3})";
    d.instructions[1].op = "prefetch";
    d.instructions[1].stats = R"({"l1d.hits":0})";
    d.intervals = {{1, 11, 1}, {11, 31, 2}};
    d.series = {{"gpu.ipc", "[1.5,null]"}};
    d.units = {{"gpu.cycles", "counter", "cycles", "Cycles."}};
    return d;
  }
  void make_old() const {
    Connection old;
    old.path = old_;
    ASSERT_EQ(sqlite3_open(old_.c_str(), &old.db), SQLITE_OK);
    old.execute(kFirstSchema);
  }
  static std::string rows(const std::string& file, const char* sql) {
    Connection connection;
    connection.path = file;
    sqlite3_open(file.c_str(), &connection.db);
    std::string text;
    Statement select(connection, sql);
    while (select.row()) text += select.text(0) + (select.is_null(0) ? "null;" : ";");
    select.check();
    return text;
  }

  const test::ScratchFolder folder_;
  const std::string file_ = folder_ / "new.sqlite", old_ = folder_ / "old.sqlite";
};

TEST_F(DatabaseTest, ViewsShowDetailsAsRows) {
  Database(file_).store(run("a"), details());
  EXPECT_EQ(rows(file_, "SELECT sum(value) FROM kernel_stats WHERE name = 'gpu.cycles'"), "30;");
  EXPECT_EQ(rows(file_,
                 "SELECT value FROM instruction_stats JOIN instructions USING (run, number)"
                 " WHERE pc = 8 AND name = 'l1d.hits'"),
            "3;");
  EXPECT_EQ(rows(file_, "SELECT value FROM series_points ORDER BY begin_cycle"), "1.5;null;");
  EXPECT_EQ(rows(file_, "SELECT launch FROM series_points ORDER BY begin_cycle"), "1;2;");
  EXPECT_EQ(rows(file_, "SELECT kernel FROM instructions ORDER BY number"), "f;null;");
}

TEST_F(DatabaseTest, DetailsComeBackAndGoWithTheirRun) {
  Database database(file_);
  database.store(run("a"), details());
  database.store(run("b"), database.details("a"));
  database.forget("a");
  EXPECT_TRUE(database.details("a").launches.empty());
  const RunDetails b = database.details("b");
  ASSERT_EQ(b.launches.size(), 2U);
  EXPECT_EQ(b.launches[1].grid, "4x1x1");
  EXPECT_EQ(b.instructions[0].pc, 8);
  EXPECT_EQ(b.instructions[1].pc, std::nullopt);
  EXPECT_EQ(b.intervals[1].end, 31);
  EXPECT_EQ(b.series[0].points, "[1.5,null]");
  EXPECT_EQ(b.units[0].meaning, "Cycles.");
}

TEST_F(DatabaseTest, AnOldFileThatIsReadStaysAsItIs) {
  make_old();
  const Database database(old_, Database::Access::existing);
  EXPECT_EQ(database.result("a").stats.size(), 1U);
  EXPECT_TRUE(database.details("a").launches.empty());
  EXPECT_EQ(rows(old_, "SELECT value FROM sweep"), "1;");
  EXPECT_EQ(rows(old_, "SELECT count(*) FROM sqlite_master WHERE name = 'kernels'"), "0;");
}

TEST_F(DatabaseTest, AnOldFileThatIsWrittenIsUpgraded) {
  make_old();
  {
    Database database(old_);
    EXPECT_TRUE(database.details("a").launches.empty());
    database.store(run("b"), details());
  }
  EXPECT_EQ(rows(old_, "SELECT value FROM sweep"), "2;");
  EXPECT_EQ(Database(old_, Database::Access::existing).details("b").launches.size(), 2U);
  EXPECT_EQ(Database(old_).result("a").stats.size(), 1U);
}

TEST_F(DatabaseTest, MergingTakesDetailsFromWhoeverHasThem) {
  make_old();
  const std::string merged = folder_ / "merged.sqlite";
  Database(file_).store(run("a"), details());
  Database all(merged);
  all.absorb(old_);
  EXPECT_TRUE(all.details("a").launches.empty());
  all.absorb(file_);
  EXPECT_EQ(all.details("a").launches.size(), 2U);
  EXPECT_EQ(all.details("a").units.size(), 1U);
  all.absorb(old_);
  EXPECT_EQ(all.details("a").series.size(), 1U);
}

TEST_F(DatabaseTest, DetailsThatDifferAreNotMerged) {
  Database(file_).store(run("a"), details());
  Database other(folder_ / "other.sqlite");
  RunDetails differing = details();
  differing.series[0].points = "[1.5,2]";
  other.store(run("a"), differing);
  try {
    other.absorb(file_);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("run a has another series gpu.ipc"));
  }
  EXPECT_EQ(other.details("a").series[0].points, "[1.5,2]");
}

TEST_F(DatabaseTest, LabelsThatNoSweepHasWritten) {
  Database database(file_);
  database.set_points("s.yaml", "1", {{"a", "atax", "64", {{"scheme", "dl"}}}});
  ASSERT_EQ(database.points()[0].labels[0].second, "dl");
  Connection connection;
  connection.path = file_;
  ASSERT_EQ(sqlite3_open(file_.c_str(), &connection.db), SQLITE_OK);
  for (const auto& [labels, said] :
       {std::pair(R"('{"e":3}')", R"({"e":3})"), std::pair("'[1]'", "[1]"), std::pair("'xx'", "xx"),
        std::pair("NULL", "missing")}) {
    connection.execute(("UPDATE points SET labels = " + std::string(labels)).c_str());
    try {
      database.points();
      ADD_FAILURE() << labels;
    } catch (const UserError& error) {
      EXPECT_EQ(error.what(), file_ + ": point 1 of atax: its labels are " + said +
                                  "; allowed: a JSON object of texts, as a sweep writes it");
    }
  }
}

/// A read transaction of somebody else.
class LongRead {
 public:
  explicit LongRead(const std::string& file) {
    connection_.path = file;
    sqlite3_open(file.c_str(), &connection_.db);
    connection_.execute("BEGIN; SELECT count(*) FROM runs");
  }
  void end() { connection_.execute("COMMIT"); }

 private:
  Connection connection_;
};

TEST_F(DatabaseTest, AWriterWaitsForALongRead) {
  Database database(file_);
  LongRead read(file_);
  testing::internal::CaptureStderr();
  auto stored = std::async(std::launch::async, [&] { database.store(run("a"), details()); });
  std::this_thread::sleep_for(std::chrono::seconds(12));
  read.end();
  stored.get();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "warpmem: " + file_ + ": the database is locked by another process; waiting\n");
  EXPECT_TRUE(database.result("a").complete);
}

TEST_F(DatabaseTest, ASignalEndsTheWait) {
  Database database(file_);
  database.store(run("a"));
  LongRead read(file_);
  auto stored = std::async(std::launch::async, [&] { database.store(run("b")); });
  std::this_thread::sleep_for(std::chrono::seconds(2));
  request_interrupt(SIGTERM);
  ASSERT_EQ(stored.wait_for(std::chrono::seconds(5)), std::future_status::ready);
  EXPECT_THROW(stored.get(), Interrupted);
  read.end();
  EXPECT_EQ(database.ended().count("b"), 0U);
}

TEST_F(DatabaseTest, ASignalLeavesAShortWaitAlone) {
  Database database(file_);
  request_interrupt(SIGTERM);
  LongRead read(file_);
  auto stored = std::async(std::launch::async, [&] { database.store(run("a")); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  read.end();
  stored.get();
  EXPECT_EQ(database.ended().count("a"), 1U);
}

}  // namespace
}  // namespace warpmem::sweeps
