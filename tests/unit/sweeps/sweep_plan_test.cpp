// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/errors.hpp"
#include "support/scratch_folder.hpp"
#include "sweeps/plan.hpp"

namespace {

using warpmem::app::Workload;
using warpmem::sweeps::Plan;
namespace test = warpmem::test;

class SweepPlan : public testing::Test {
 protected:
  Plan read(const std::string& text) const {
    std::ofstream(file_) << text;
    return warpmem::sweeps::read_plan(file_, known_, "/workloads");
  }
  std::string error(const std::string& text) const {
    try {
      read(text);
    } catch (const warpmem::UserError& e) {
      return e.what();
    }
    return "";
  }

  const std::vector<Workload> known_ = {{"atax",
                                         "atax.cu",
                                         "PolyBench/GPU",
                                         "ATAX",
                                         {},
                                         {{"tiny", "64"}, {"small", "128"}, {"medium", "256"}}}};
  const test::ScratchFolder folder_;
  const std::string file_ = folder_ / "sweep.yaml";
};

TEST_F(SweepPlan, MultipliesAxesAndWorkloads) {
  const Plan plan = read(
      "set: {check_data: false}\n"
      "axes:\n"
      "  mshr:\n    base: {}\n    dl: {l1d.mshr.kind: dl}\n"
      "  data:\n    off:\n    on: {check_data: true}\n"
      "workloads:\n  - {name: atax, size: tiny}\n  - {name: atax, args: '1 2'}\n");
  ASSERT_EQ(plan.runs.size(), 8U);
  EXPECT_EQ(plan.runs[3].points, (std::vector<std::string>{"dl", "on"}));
  EXPECT_EQ(plan.runs[3].workload, "atax 64");
  EXPECT_EQ(plan.runs[4].workload, "atax 1 2");
  EXPECT_EQ(plan.runs[4].arguments, (std::vector<std::string>{"1", "2"}));
  EXPECT_NE(plan.runs[3].config.find("check_data: true"), std::string::npos);
  EXPECT_NE(plan.runs[2].config.find("check_data: false"), std::string::npos);
}

TEST_F(SweepPlan, NamesTheFilesThatItIsMadeFrom) {
  std::ofstream(folder_ / "base.yaml") << "sm.count: 1\n";
  std::ofstream(folder_ / "machine.yaml") << "include: base.yaml\n";
  const Plan plan = read("base: machine.yaml\nworkloads: [{name: atax, size: tiny}]\n");
  EXPECT_EQ(plan.files,
            (std::vector<std::string>{file_, folder_ / "base.yaml", folder_ / "machine.yaml"}));
}

TEST_F(SweepPlan, AnItemOfAListMayHaveAComma) {
  std::ofstream(folder_ / "a,b.yaml") << "sm.count: 3\n";
  const Plan plan = read("set: {include: ['a,b.yaml']}\nworkloads: [{name: atax, size: tiny}]\n");
  EXPECT_NE(plan.runs[0].config.find("count: 3"), std::string::npos);
}

TEST_F(SweepPlan, TooManyPointsAreCountedAndNotPlanned) {
  std::string axes = "axes:\n";
  for (int axis = 0; axis < 8; ++axis) {
    axes += "  a" + std::to_string(axis) + ":\n";
    for (int point = 0; point < 20; ++point) axes += "    p" + std::to_string(point) + ": {}\n";
  }
  EXPECT_EQ(error(axes + "workloads: [{name: atax, size: tiny}]\n"),
            file_ +
                ": 1 workloads x 20 of a0 x 20 of a1 x 20 of a2 x 20 of a3 x 20 of a4 x 20 of "
                "a5 x 20 of a6 x 20 of a7 = 25600000000 points; allowed: at most 1000000");
}

TEST_F(SweepPlan, SaysEveryProblemOfTheFileAtOnce) {
  const std::string text = error(
      "sets: {}\n"
      "workloads:\n"
      "  - {name: atx, size: tiny}\n"
      "  - {name: atax, size: smal}\n"
      "  - {name: atax}\n");
  EXPECT_NE(text.find(file_ + ":1: unknown entry sets; allowed: base, set, axes, workloads, "
                              "observe; did you mean set?"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(":3: unknown workload atx; did you mean atax?"), std::string::npos) << text;
  EXPECT_NE(text.find(":4: atax has no size smal; it has tiny, small, medium; did you mean small?"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(":5: atax: give either size or args"), std::string::npos) << text;
}

TEST_F(SweepPlan, AWorkloadWithTheSameArgumentsIsGivenOnce) {
  const std::string text = error(
      "workloads:\n"
      "  - {name: atax, size: tiny}\n"
      "  - {name: atax, args: '1 2'}\n"
      "  - {name: atax, args: '1  2'}\n");
  EXPECT_NE(text.find(":4: atax 1 2 is a workload in line 3; allowed: another name or other"),
            std::string::npos)
      << text;
}

TEST_F(SweepPlan, ChecksEveryConfigurationAndSaysAMistakeOnce) {
  const std::string text = error(
      "axes:\n"
      "  mshr:\n    base: {}\n    t: {l1d.mshr.kind: conventinal}\n"
      "  data:\n    off: {check_data: false}\n    on: {check_data: true}\n"
      "workloads:\n  - {name: atax, size: tiny}\n");
  const auto first = text.find(file_ + ":4: l1d.mshr.kind");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_NE(text.find("did you mean conventional?"), std::string::npos) << text;
  EXPECT_EQ(text.find("l1d.mshr.kind", first + file_.size() + 20), std::string::npos) << text;
}

TEST_F(SweepPlan, AKeyBelongsToOneAxis) {
  const std::string workloads = "workloads:\n  - {name: atax, size: tiny}\n";
  const std::string text = error(
      "axes:\n"
      "  a: {one: {sm.count: 2}, two: {sm.count: 4, check_data: true}}\n"
      "  b: {x: {sm: {count: 1}}, y: {}}\n" +
      workloads);
  EXPECT_EQ(text, file_ + ":3: sm.count: axis b sets it, and axis a in line 2; allowed: one axis");
  // A base value that a point of an axis changes is none.
  EXPECT_EQ(read("set: {sm.count: 8}\naxes:\n  a: {one: {sm.count: 2}, two: {}}\n" + workloads)
                .runs.size(),
            2u);
}

TEST_F(SweepPlan, AnAxisHasAnEffectSomewhere) {
  const std::string axes =
      "axes:\n"
      "  a: {x: {l1d.mshr.reserved_fraction: 0.3}, y: {l1d.mshr.reserved_fraction: 0.4}}\n";
  const std::string workloads = "workloads:\n  - {name: atax, size: tiny}\n";
  const std::string text = error("set: {l1d.mshr.kind: conventional}\n" + axes + workloads);
  EXPECT_NE(text.find(file_ + ":3: l1d.mshr.reserved_fraction: has no effect unless"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(", and does so at no point of the sweep"), std::string::npos) << text;
  EXPECT_EQ(
      read(axes + "  b: {c: {l1d.mshr.kind: conventional}, d: {l1d.mshr.kind: dl}}\n" + workloads)
          .runs.size(),
      4u);
}

TEST_F(SweepPlan, AKeyIsTakenAsItStands) {
  const std::string workloads = "workloads:\n  - {name: atax, size: tiny}\n";
  for (const char* key : {"#l1d.ways", "%l1d.ways", "l1d.ways: 8 #"})
    for (const std::string before : {"set: ", "axes:\n  a:\n    x: "}) {
      const std::string text = error(before + "{\"" + key + "\": 8}\n" + workloads);
      EXPECT_NE(text.find(std::string(": ") + key + ": unknown key"), std::string::npos) << text;
    }
  const std::string broken = error("set: {\"l1d.ways: 8\\nsm.count\": 1}\n" + workloads);
  EXPECT_NE(broken.find(file_ + ":1: l1d.ways: 8?sm.count: unknown key"), std::string::npos)
      << broken;
}

TEST_F(SweepPlan, AKeyIsSetOnce) {
  const std::string workloads = "workloads:\n  - {name: atax, size: tiny}\n";
  EXPECT_EQ(error("set:\n  l1d.ways: 8\n  l1d: {ways: 4}\n" + workloads),
            file_ + ":3: l1d.ways: given twice");
  EXPECT_EQ(error("set:\n  l1d: {ways: 8}\n  l1d: {ways: 4}\n" + workloads),
            file_ + ":3: l1d: given twice");
  EXPECT_EQ(error("axes:\n  a:\n    x: {l1d: {ways: 8}, l1d.ways: 4}\n" + workloads),
            file_ + ":3: l1d.ways: given twice");
  EXPECT_EQ(read("set: {l1d.ways: 8, l1d: {hit_cycles: 20}}\n" + workloads).runs.size(), 1u);
}

TEST_F(SweepPlan, ABaseIsARegularFile) {
  const std::string workloads = "workloads:\n  - {name: atax, size: tiny}\n";
  EXPECT_EQ(error("base: \"\"\n" + workloads), file_ + ":1: base: the name of a file is needed");
  EXPECT_EQ(error("base: none.yaml\n" + workloads),
            file_ + ":1: base: no such file: " + folder_ / "none.yaml");
  for (const char* base : {".", "/dev/null"})
    EXPECT_NE(error(std::string("base: ") + base + "\n" + workloads)
                  .find(file_ + ":1: base: not a regular file: /"),
              std::string::npos)
        << base;
}

TEST_F(SweepPlan, AFileThatCannotRunIsSaid) {
  std::ofstream(folder_ / "notes") << "some text\n";
  std::ofstream(folder_ / "script") << "#!/bin/sh\n";
  std::filesystem::create_directory(folder_ / "trace");
  std::ofstream(folder_ / "trace/kernelslist.g") << "kernel-1.traceg\n";
  std::ofstream(folder_ / "source.cu") << "\n";
  const auto place = [this](const char* name) { return file_ + ":1: file: " + folder_ / name; };
  EXPECT_EQ(error("workloads: [{file: notes}]\n"),
            place("notes") + ": neither a program, a .cu file nor a trace");
  EXPECT_EQ(error("workloads: [{file: .}]\n").find(file_ + ":1: file: "), 0u);
  EXPECT_EQ(error("workloads: [{file: /dev/null}]\n"),
            file_ + ":1: file: not a regular file: /dev/null");
  EXPECT_EQ(error("workloads: [{file: trace, args: '3'}]\n"),
            place("trace") + ": a trace takes no arguments");
  EXPECT_EQ(read("workloads: [{file: script, args: '3'}, {file: trace}, {file: source.cu}]\n")
                .runs.size(),
            3u);
}

TEST_F(SweepPlan, AMistakeOfAWorkloadIsSaidOnce) {
  EXPECT_EQ(error("workloads: [{name: atax, args: [1]}]\n"), file_ + ":1: args: a text is needed");
  EXPECT_EQ(error("workloads: [{name: [atax], size: tiny}]\n"),
            file_ + ":1: name: a text is needed");
  EXPECT_EQ(error("workloads: [{nam: atax, size: tiny}]\n"),
            file_ + ":1: unknown entry nam; allowed: name, file, size, args; did you mean name?");
}

TEST_F(SweepPlan, RunsKeepWhatTheFileAsksFor) {
  const std::string workloads = "workloads:\n  - {name: atax, size: tiny}\n";
  EXPECT_TRUE(read(workloads).runs[0].watched.lines().empty());
  const auto both = read("observe: {per_pc: true, series: true, interval: 50}\n" + workloads);
  EXPECT_EQ(both.runs[0].watched.lines(),
            (std::vector<std::string>{"interval=50", "per_pc=1", "series=1"}));
  EXPECT_EQ(both.runs[0].watched.options(),
            (std::vector<std::string>{"--per-pc", "--series", "--interval", "50"}));
  for (const auto& [entry, problem] :
       {std::pair("observe: yes", "a map is needed"),
        std::pair("observe: {per_pc: 1}", "per_pc: true or false is needed"),
        std::pair("observe: {serie: true}", "allowed: per_pc, series, interval; did you mean"),
        std::pair("observe: {series: true, interval: 0}", "interval: 0: a number of SM cycles"),
        std::pair("observe: {interval: 5}", "interval is that of series")}) {
    const std::string text = error(entry + ("\n" + workloads));
    EXPECT_NE(text.find(file_ + ":1: observe: "), std::string::npos) << text;
    EXPECT_NE(text.find(problem), std::string::npos) << text;
  }
}

}  // namespace
