// SPDX-License-Identifier: Apache-2.0
#include "cosim/precompiled.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "cosim/build_tool.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::cosim {
namespace {

namespace fs = std::filesystem;

class Precompiled : public testing::Test {
 protected:
  Precompiled() {
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    write_text(folder_.path() / "answer.hpp", "#pragma once\nconstexpr int kAnswer = 42;\n");
    write_text(folder_.path() / "use.cpp", "static_assert(kAnswer == 42);\n");
  }

  fs::path read(const std::string& header, const std::string& identity) {
    Sha256 hash;
    hash.add_field(identity);
    return precompiled("answer", {header}, command_, std::move(hash), folder_.path());
  }
  void compile(std::vector<std::string> options) {
    options.insert(options.begin(), command_.begin(), command_.end());
    options.insert(options.end(), {"-c", "use.cpp", "-o", "use.o"});
    run_tool(options, folder_.path(), "log", "using the headers");
  }

  test::ScratchFolder folder_;
  std::vector<std::string> command_ = {"g++", "-O0", "-I" + folder_.path().string()};
};

TEST_F(Precompiled, StandsInForTheHeader) {
  const fs::path headers = read("answer.hpp", "first");
  fs::remove(folder_.path() / "answer.hpp");  // it is not read again
  compile({"-include", headers.string()});
  EXPECT_THROW(compile({}), UserError);
}

/// The compiler refuses what it has read under other options, and there is nothing else to read.
TEST_F(Precompiled, IsOfItsOptions) {
  const fs::path headers = read("answer.hpp", "first");
  EXPECT_THROW(compile({"-O2", "-include", headers.string()}), UserError);
  command_[1] = "-O2";
  EXPECT_NE(read("answer.hpp", "first"), headers);
}

TEST_F(Precompiled, IsKeptUntilTheHeaderChanges) {
  const fs::path headers = read("answer.hpp", "first");
  fs::remove(folder_.path() / "answer.hpp");
  EXPECT_EQ(read("answer.hpp", "first"), headers);
  EXPECT_THROW(read("answer.hpp", "second"), UserError);
}

}  // namespace
}  // namespace warpmem::cosim
