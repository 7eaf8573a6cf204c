// SPDX-License-Identifier: Apache-2.0
// What goes into a cached result is found through any number of includes.
#include "files/named_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class NamedFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    const fs::path path = root() / name;
    fs::create_directories(path.parent_path());
    write_text(path, text);
  }
  const fs::path& root() const { return folder_.path(); }
  std::vector<std::string> of(const std::string& name) const {
    std::vector<std::string> names;
    for (const fs::path& file : with_named_files({root() / name}, {root()}))
      names.push_back(file.lexically_relative(root()));
    return names;
  }
  std::string hash(const std::string& name) const {
    Sha256 hash;
    hash_with_named_files(hash, root(), {root() / name}, {root()});
    return hash.hex();
  }

 private:
  test::ScratchFolder folder_;
};

TEST_F(NamedFiles, ThroughAnyNumberOfSteps) {
  write("unit/unit.sv", "`include \"common/a.svh\"\nmodule unit; endmodule\n");
  write("common/a.svh", "`define B \"b.svh\"\n`include `B\n");
  write("common/b.svh", "initial $readmemh(\"common/table.hex\", m);\n");
  write("common/table.hex", "0 1 2\n");
  write("common/other.svh", "nobody asks for it\n");
  EXPECT_THAT(of("unit/unit.sv"),
              ElementsAre("common/a.svh", "common/b.svh", "common/table.hex", "unit/unit.sv"));
}

TEST_F(NamedFiles, BesideTheFileAndBelowEveryFolder) {
  write("unit/unit.hpp", "#include \"types.hpp\"\n#include <angle.hpp>\n#include <vector>\n");
  write("unit/types.hpp", "// beside\n");
  write("types.hpp", "// hidden by the other, until that one goes\n");
  write("angle.hpp", "// below the folder\n");
  EXPECT_THAT(of("unit/unit.hpp"),
              ElementsAre("angle.hpp", "types.hpp", "unit/types.hpp", "unit/unit.hpp"));
}

TEST_F(NamedFiles, FilesThatIncludeEachOther) {
  write("a", "\"b\"");
  write("b", "\"a\" \"b\"");
  EXPECT_THAT(of("a"), ElementsAre("a", "b"));
}

TEST_F(NamedFiles, AnUnevenQuoteHidesNothing) {
  write("a", "'\"' \"b\"\n8'd\" \"b");
  write("b", "0");
  EXPECT_THAT(of("a"), ElementsAre("a", "b"));
}

TEST_F(NamedFiles, FilesOfTheKernelAreNoSources) {
  write("fst.c", "fopen(\"/proc/meminfo\", \"rb\");\n");
  EXPECT_THAT(of("fst.c"), ElementsAre("fst.c"));
}

TEST_F(NamedFiles, TheHashFollowsTheTextOfAnIncludedFile) {
  write("a", "`include \"b\"");
  write("b", "1");
  const std::string before = hash("a");
  EXPECT_EQ(hash("a"), before);
  write("b", "2");
  EXPECT_NE(hash("a"), before);
}

TEST_F(NamedFiles, AMissingFileIsNamed) { EXPECT_THROW(of("nothing.sv"), UserError); }

}  // namespace
}  // namespace warpmem
