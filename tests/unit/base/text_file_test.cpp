// SPDX-License-Identifier: Apache-2.0
#include "base/text_file.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem {
namespace {

std::string why_not_read(const std::string& file) {
  try {
    read_text(file);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(TextFile, IsReadAsItIs) {
  const test::ScratchFolder folder;
  for (const std::string& text : {std::string(), std::string("a\0\n\xff", 4)}) {
    write_text(folder / "f", text);
    EXPECT_EQ(read_text(folder / "f"), text);
  }
}

TEST(TextFile, WhatCannotBeReadHasAReason) {
  const test::ScratchFolder folder;
  const std::string none = folder / "none", name = folder / std::string(300, 'a');
  EXPECT_EQ(why_not_read(none), none + ": cannot be read: No such file or directory");
  EXPECT_EQ(why_not_read(name), name + ": cannot be read: File name too long");
  EXPECT_EQ(why_not_read(folder.path().string()),
            folder.path().string() + ": cannot be read: Is a directory");
}

}  // namespace
}  // namespace warpmem
