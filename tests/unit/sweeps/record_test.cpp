// SPDX-License-Identifier: Apache-2.0
// Records of experiments that are not what record_of() gives, and folders that take none.
#include "sweeps/record.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "support/scratch_folder.hpp"
#include "sweeps/results_page.hpp"

namespace warpmem::sweeps {
namespace {

using nlohmann::ordered_json;

class RecordTest : public ::testing::Test {
 protected:
  RecordTest() {
    Row row;
    row.name = "up";
    row.low = row.high = 20;
    row.measure.metric.numerator = {"gpu.ipc"};
    experiment_.id = "T1";
    experiment_.rows = {row};
    MeasuredRow measured;
    measured.values = {{"a", 1.1, "base"}, {"b", 1.3, ""}};
    record_ = record_of(experiment_, judge(experiment_, {measured}));
  }
  /// Returns the record with `value` in place of what the pointer names.
  ordered_json with(const char* pointer, const char* value) const {
    ordered_json changed = record_;
    changed[ordered_json::json_pointer(pointer)] = parse_ordered_json(value);
    return changed;
  }

  Experiment experiment_;
  ordered_json record_;
};

TEST_F(RecordTest, WhatWasWrittenIsARecord) {
  EXPECT_TRUE(is_record(record_));
  EXPECT_TRUE(is_record(with("/note", "\"Of an older model.\"")));
  EXPECT_TRUE(is_record(with("/variants", R"({"wide": "near"})")));
}

TEST_F(RecordTest, WhatSomebodyHasChangedIsNone) {
  EXPECT_FALSE(is_record(parse_ordered_json("[]")));
  for (const auto& entry : record_.items()) {
    ordered_json without = record_;
    without.erase(entry.key());
    EXPECT_FALSE(is_record(without)) << entry.key();
  }
  for (const auto& [pointer, value] :
       {std::pair("/rows", "3"), std::pair("/rows/0", "{}"), std::pair("/rows/0", "\"x\""),
        std::pair("/rows/0/values", "null"), std::pair("/rows/0/values", "{}"),
        std::pair("/rows/0/values/a", "null"), std::pair("/rows/0/values/a", "[]"),
        std::pair("/rows/0/value", "null"), std::pair("/rows/0/high", "\"20\""),
        std::pair("/rows/0/over", "[]"), std::pair("/rows/0/workloads", "[\"c\"]"),
        std::pair("/rows/0/without_one", "{}"), std::pair("/rows/0/standing", "\"weak\""),
        std::pair("/id", "\"../X\""), std::pair("/variants", "[]"), std::pair("/decisive", "{}"),
        std::pair("/reference", "{}"), std::pair("/note", "3")})
    EXPECT_FALSE(is_record(with(pointer, value))) << pointer << " " << value;
}

TEST_F(RecordTest, AnotherRecordIsRefusedWithItsFile) {
  const test::ScratchFolder folder;
  const std::string docs = folder / "docs", file = docs + "/results/T1.json";
  std::filesystem::create_directories(docs + "/results");
  const std::string text = json_text(with("/rows/0", "{}"));
  write_text(file, text);
  const std::string what = file + ": not what `warpmem reproduce` writes";
  try {
    judge_again(docs, experiment_);
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_EQ(error.what(), what);
  }
  try {
    write_page(docs);
    ADD_FAILURE();
  } catch (const UserError& error) {
    EXPECT_EQ(error.what(), what);
  }
  EXPECT_EQ(read_text(file), text);
}

TEST_F(RecordTest, AFolderThatTakesNoPageIsRefused) {
  const test::ScratchFolder folder;
  check_page(folder / "new/docs", {"T1"});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  write_text(folder / "file", "");
  EXPECT_THROW(check_page(folder / "file", {"T1"}), EnvironmentError);
  EXPECT_THROW(check_page(folder / "file/docs", {"T1"}), EnvironmentError);
  write_text(folder / "results", "");
  EXPECT_THROW(check_page(folder.path(), {"T1"}), EnvironmentError);
  check_page(folder.path(), {});
}

}  // namespace
}  // namespace warpmem::sweeps
