// SPDX-License-Identifier: Apache-2.0
// A copy of the RTL in which a test replaces a piece of text, to see that the error is found.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "cosim/unit_library.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::cosim {

class BrokenRtl : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy(default_places().rtl, rtl(), std::filesystem::copy_options::recursive);
  }

  std::filesystem::path rtl() const { return folder() / "rtl"; }
  const std::filesystem::path& folder() const { return scratch_.path(); }

  void replace(const std::string& file, const std::string& from, const std::string& to) {
    const std::filesystem::path path = rtl() / file;
    std::ifstream in(path);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " is not in " << path;
    text.replace(at, from.size(), to);
    std::ofstream(path) << text;
  }

 private:
  const test::ScratchFolder scratch_;
};

}  // namespace warpmem::cosim
