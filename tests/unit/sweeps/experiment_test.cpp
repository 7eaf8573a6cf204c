// SPDX-License-Identifier: Apache-2.0
// What the map of an experiment may say.
#include "sweeps/experiment.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::sweeps {
namespace {

TEST(ExperimentTest, AnIdNamesFiles) {
  const test::ScratchFolder folder;
  const std::string file = folder / "e.yaml";
  const auto mistake_of_id = [&](const std::string& id) -> std::string {
    write_text(file,
               "experiment:\n  id: " + id +
                   "\n  rows:\n    - {name: x, point: {a: b}, published: 1, metric: gpu.ipc}\n");
    try {
      read_experiment(file);
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  };
  for (const char* id : {"C1", "my-own_2"}) EXPECT_EQ(mistake_of_id(id), "");
  for (const char* id : {"../X", "a/b", ".", "C 1", "é"})
    EXPECT_EQ(mistake_of_id(id),
              file + ":2: id: " + id + ": it names files; allowed: letters, digits, - and _");
}

}  // namespace
}  // namespace warpmem::sweeps
