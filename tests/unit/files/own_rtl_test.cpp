// SPDX-License-Identifier: Apache-2.0
#include "files/own_rtl.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class OwnRtlTest : public testing::Test {
 protected:
  OwnRtlTest() {
    add("rtl/cell/cell.sv", "module cell_of_ours; endmodule");
    add("rtl/shared/shared.sv", "module shared; endmodule");
    add("rtl/unit/unit.sv", "module unit; helper u(); endmodule");
    add("rtl/helper/helper.sv", "module helper; endmodule");
    // A file may have any name and several modules; the last in the alphabet is used first.
    add("own/a_top.sv", "module automatic unit; part u(); shared s(); endmodule");
    add("own/deep/z_parts.sv", "package sizes; endpackage\nmodule part; endmodule // helper");
    add("own/bench.sv", "module bench; unit u(); endmodule");
  }
  void add(const std::string& name, const std::string& text) {
    fs::create_directories((folder_.path() / name).parent_path());
    write_text(folder_.path() / name, text);
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string refusal(const std::vector<std::string>& paths) const {
    try {
      OwnRtl{paths};
    } catch (const UserError& error) {
      return error.what();
    }
    return "accepted";
  }

  test::ScratchFolder folder_;
};

TEST_F(OwnRtlTest, TakesOnlyWhatTheUnitMentions) {
  const OwnRtl own({at("own")});
  EXPECT_TRUE(own.has("unit"));
  EXPECT_TRUE(own.has("part"));
  EXPECT_FALSE(own.has("helper"));
  const UnitSources sources = find_unit(at("rtl"), "unit", own);
  EXPECT_THAT(sources.files,
              ElementsAre(at("own/deep/z_parts.sv"), "shared/shared.sv", at("own/a_top.sv")));
  EXPECT_THAT(sources.include_folders, ElementsAre(at("own")));
  EXPECT_THAT(find_unit(at("rtl"), "helper", own).files, ElementsAre("helper/helper.sv"));
}

TEST_F(OwnRtlTest, WhatIsWrongIsSaid) {
  EXPECT_THAT(refusal({at("nothing")}), HasSubstr("nothing: no such file or folder of RTL"));
  add("own/note.txt", "");
  EXPECT_THAT(refusal({at("own/note.txt")}), HasSubstr("note.txt: not Verilog; files end in .sv"));
  fs::create_directories(folder_.path() / "empty");
  EXPECT_THAT(refusal({at("empty")}), HasSubstr("empty: no Verilog in this folder"));
  add("own/again.sv", "module part; endmodule");
  EXPECT_THAT(refusal({at("own")}), HasSubstr("z_parts.sv: declares part, which "));
  try {
    OwnRtl({at("own/bench.sv")}).require("unit");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bench.sv: no module 'unit'; declared are: bench"));
  }
}

}  // namespace
}  // namespace warpmem
