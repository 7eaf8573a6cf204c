// SPDX-License-Identifier: Apache-2.0
#include "files/unit_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class UnitSourcesTest : public testing::Test {
 protected:
  void SetUp() override {
    add("cells/tree.sv", "module tree; endmodule");
    add("inner/inner.sv", "`include \"inner.svh\"\nmodule inner; tree u_t(); endmodule");
    add("inner/inner.svh", "// shared");
    add("outer/outer.sv", "// other is only mentioned\nmodule outer; inner #(1) u(); endmodule");
    add("other/other.sv", "module other; endmodule");
  }
  void add(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    write_text(root_ / name, text);
  }
  const test::ScratchFolder scratch_;
  const fs::path root_ = scratch_.path();
};

TEST_F(UnitSourcesTest, FindsWhatAUnitInstantiates) {
  EXPECT_THAT(list_units(root_), ElementsAre("inner", "other", "outer"));
  const auto sources = find_unit(root_, "outer");
  EXPECT_THAT(sources.files, ElementsAre("cells/tree.sv", "inner/inner.sv", "outer/outer.sv"));
}

TEST_F(UnitSourcesTest, NamesTheNearestUnit) {
  try {
    find_unit(root_, "oter");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "no unit 'oter'; did you mean other? Units: inner, other, outer");
  }
  EXPECT_THROW(list_units(root_ / "missing"), UserError);
}

TEST_F(UnitSourcesTest, TheDigestIsOfWhatIsSynthesized) {
  const auto digest = [&] { return rtl_digest(find_unit(root_, "outer")); };
  const std::string before = digest();
  add("outer/outer.sv", "module outer;\n  inner #( 1 ) u ( ) ; /* new */ endmodule\n");
  EXPECT_EQ(digest(), before) << "spacing and comments";
  add("inner/inner_formal.svh", "assert property (1);");
  add("inner/inner.sv",
      "`include \"inner.svh\"\n`include \"inner_formal.svh\"\nmodule inner; tree u_t(); endmodule");
  const std::string proved = digest();
  add("inner/inner_formal.svh", "assert property (0);");
  EXPECT_EQ(digest(), proved) << "properties";
  add("inner/inner.svh", "wire shared;");
  EXPECT_NE(digest(), proved) << "an included file";
  add("inner/inner.svh", "// shared");
  add("cells/tree.sv", "module tree; wire w; endmodule");
  EXPECT_NE(digest(), proved) << "a module inside";
}

}  // namespace
}  // namespace warpmem
