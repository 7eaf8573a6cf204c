// SPDX-License-Identifier: Apache-2.0
// An engine that is missing or fails is an error: no other one takes its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/errors.hpp"
#include "base/programs.hpp"
#include "base/text_file.hpp"
#include "formal/formal.hpp"
#include "support/scratch_folder.hpp"
#include "synth/abc.hpp"

namespace warpmem::formal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FailingEngines : public testing::Test {
 protected:
  /// PATH holds these programs and no others.
  void SetUp() override {
    for (const char* name :
         {"yosys", "yosys-abc", "berkeley-abc", "yosys-smtbmc", "z3", "python3", "env", "sh"}) {
      const fs::path at = fs::path("/usr/bin") / name;
      ASSERT_TRUE(fs::exists(at)) << at;
      fs::create_symlink(at, folder_.path() / name);
    }
    setenv("PATH", folder_.path().c_str(), 1);
  }
  void replace(const std::string& program, const std::string& script) {
    fs::remove(folder_.path() / program);
    write_text(folder_.path() / program, script);
    fs::permissions(folder_.path() / program, fs::perms::owner_all);
  }
  /// What is said of a unit that is proved by induction.
  static std::string message() {
    FormalRequest request;
    request.units = {"laws_score"};
    request.quick = true;
    request.use_cache = false;
    request.covers = false;
    request.timeout_s = 60;
    try {
      run(request);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }
  warpmem::test::ScratchFolder folder_;
};

TEST_F(FailingEngines, MissingSolverNamesItsPackage) {
  fs::remove(folder_.path() / "z3");
  EXPECT_EQ(message(), "z3 is not installed: run 'apt-get install z3'");
}

TEST_F(FailingEngines, MissingEngineNamesItsPackage) {
  fs::remove(folder_.path() / "yosys-smtbmc");
  EXPECT_EQ(message(), "yosys-smtbmc is not installed: run 'apt-get install yosys'");
}

TEST_F(FailingEngines, SolverThatFails) {
  replace("z3", "#!/bin/sh\nexit 3\n");
  EXPECT_THAT(message(), HasSubstr("yosys-smtbmc (Debian package yosys) ended with exit status 1 "
                                   "(solver: z3)"));
}

TEST_F(FailingEngines, EngineThatCrashes) {
  replace("yosys-smtbmc", "#!/bin/sh\nkill -SEGV $$\n");
  EXPECT_THAT(message(), HasSubstr("yosys-smtbmc (Debian package yosys) was ended by signal 11"));
  replace("yosys-abc", "#!/bin/sh\nexit 4\n");
  try {
    synth::run_abc(folder_.path(), "x", "pdr", 1);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("yosys-abc (Debian package yosys) ended with exit status 4"));
  }
}

TEST_F(FailingEngines, AbcSaysOnlyInItsTextThatACommandFailed) {
  try {
    synth::run_abc(folder_.path(), "x", "read_aiger none.aig; pdr", 5);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Cannot open input file \"none.aig\""));
  }
  EXPECT_THAT(synth::run_abc(folder_.path(), "x", "help", 5), HasSubstr("pdr"));
}

}  // namespace
}  // namespace warpmem::formal
