// SPDX-License-Identifier: Apache-2.0
// What single instructions of Accel-Sim traces mean to the machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "accelsim_text.hpp"
#include "program/trace/trace_grid.hpp"

namespace warpmem::program::trace {
namespace {

using test::block;
using test::error_of;
using test::header;
using test::kExit;
using test::read;
using test::with;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Addresses = std::vector<Addr>;

TEST(TraceSass, CopiesThatBypassDoNotHitInL1d) {
  const auto passes = [](const char* name) {
    return read(with(std::string("0 1 0 ") + name + " 2 R1 R2 16 0 0x1000"))
        ->inst()
        .volatile_access;
  };
  EXPECT_TRUE(passes("LDGSTS.E.BYPASS.128"));
  EXPECT_TRUE(passes("LDGSTS.E.BYPASS.LTC128B.128"));
  EXPECT_FALSE(passes("LDGSTS.E.128"));
}

// m16n8k16 of halves: A has 16 x 16 x 2 B for 32 lanes of 4 B, B half of that, and C and D of
// floats as much as A.
TEST(TraceSass, MatricesHaveTheRegistersOfTheirShape) {
  const auto operands = [](const char* name) {
    const auto r = read(with(std::string("0 ffffffff 1 R4 ") + name + " 3 R16 R32 R48 0"));
    return std::pair(
        std::vector<unsigned>(r->inst().destinations.begin(), r->inst().destinations.end()),
        std::vector<unsigned>(r->inst().sources.begin(), r->inst().sources.end()));
  };
  const auto [d, s] = operands("HMMA.16816.F32");
  EXPECT_THAT(d, ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(s, ElementsAre(16, 17, 18, 19, 32, 33, 48, 49, 50, 51));
  const auto counts = [&](const char* name) {
    const auto [to, from] = operands(name);
    const auto of = [&](unsigned first) {
      return std::count_if(from.begin(), from.end(), [&](unsigned r) { return r / 16 == first; });
    };
    return std::vector<long>{static_cast<long>(to.size()), of(1), of(2), of(3)};
  };
  EXPECT_THAT(counts("HMMA.1688.F16"), ElementsAre(2, 2, 1, 2));
  EXPECT_THAT(counts("HMMA.1684.F32.TF32"), ElementsAre(4, 2, 1, 4));
  EXPECT_THAT(counts("HMMA.SP.16832.F32"), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(counts("HMMA.884.F32.F32.STEP0"), ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(counts("IMMA.16832.S8.S8"), ElementsAre(4, 4, 2, 4));
  EXPECT_THAT(counts("IMMA.8816.S8.S8.SAT"), ElementsAre(2, 1, 1, 2));
  EXPECT_THAT(counts("BMMA.168256.XOR.POPC"), ElementsAre(4, 4, 2, 4));
  EXPECT_THAT(counts("DMMA.884"), ElementsAre(4, 2, 2, 4));
  EXPECT_THAT(counts("HMMA"), ElementsAre(1, 1, 1, 1));
}

TEST(TraceSass, LanesBeyondTheRowsOfMatricesHaveNoAddress) {
  for (const auto& [name, lanes] : {std::pair<const char*, unsigned>{"LDSM.16.M88", 8},
                                    {"LDSM.16.MT88.2", 16},
                                    {"LDSM.16.M88.4", 32}}) {
    const auto r = read(with(std::string("0 ffffffff 1 R4 ") + name + " 1 R2 16 1 0x100 16"));
    ASSERT_EQ(lane_count(r->warp().steps[0].lanes), lanes) << name;
    ASSERT_EQ(r->warp().addresses.size(), lanes) << name;
    EXPECT_EQ(r->warp().addresses.back(), 0x100 + 16 * (lanes - 1)) << name;
  }
  const auto store = read(with("0 ffffffff 0 STSM.16.M88 2 R2 R4 16 1 0x100 16", "90"));
  EXPECT_EQ(store->warp().steps[0].lanes, 0xffu);
}

TEST(TraceSass, AnAtomicInLocalMemoryIsAnError) {
  const std::string step = "0 1 1 R0 ATOM.E.ADD 2 R2 R3 4 0 0x7f3e00000010";
  EXPECT_THAT(error_of(with(step)),
              HasSubstr(":23: thread block 0,0,0, warp 0: ATOM.E.ADD of local memory, at "
                        "0x7f3e00000010; allowed: global and shared memory"));
  EXPECT_EQ(error_of(with("0 1 1 R0 ATOM.E.ADD 2 R2 R3 4 0 0x7f3c00000010")), "no error");
}

TEST(TraceSass, AGenericAccessIsWhereItsFirstAddressIs) {
  const struct {
    const char* addresses;
    Space space;
    LaneMask lanes;
    Addresses expected;
  } kCases[] = {
      {"0x7f3c00000010 0x7f4000000010 0x7f3c00000020", Space::shared, 5, {0x10, 0x20}},
      {"0x7f3e00000010 0x7f4000000010 0x7f3c00000020", Space::local, 1, {0x10}},
      {"0x7f4000000010 0x7f3c00000010 0x7f4000000020",
       Space::global,
       5,
       {0x7f4000000010, 0x7f4000000020}},
      {"0x0 0x7f3c00000010 0x7f4000000020", Space::shared, 2, {0x10}},
  };
  for (const auto& c : kCases) {
    const std::string step = std::string("0 00000007 1 R0 LD.E 1 R2 4 0 ") + c.addresses + "\n";
    const auto r = read(header() + block(step + step + kExit, 3));
    for (unsigned s = 0; s < 2; ++s) {
      EXPECT_EQ(r->warp().steps[s].space, c.space) << c.addresses;
      EXPECT_EQ(r->warp().steps[s].lanes, c.lanes) << c.addresses;
    }
    Addresses twice = c.expected;
    twice.insert(twice.end(), c.expected.begin(), c.expected.end());
    EXPECT_EQ(r->warp().addresses, twice) << c.addresses;
    EXPECT_THAT(r->notes.list(), ElementsAre(HasSubstr("LD.E: lanes in several of global, shared "
                                                       "and local memory")));
    EXPECT_THAT(r->notes.list(), ElementsAre(HasSubstr("(2 warp instructions)")));
  }
  EXPECT_THAT(read(with("0 3 1 R0 LD.E 1 R2 4 0 0x0 0x7f4000000020"))->notes.list(), IsEmpty());
}

TEST(TraceSass, NoTwoInstructionsHaveOnePc) {
  const std::string load = "30 1 1 R0 LDG.E 1 R2 4 0 0x1000\n";
  const std::string store = "30 1 0 STG.E 2 R2 R3 4 0 0x2000\n";
  const auto r = read(header() + block(load + store + load + store + kExit, 5));
  EXPECT_EQ(r->inst(0).pc, 0x30u);
  EXPECT_NE(r->inst(1).pc, 0x30u);
  EXPECT_NE(r->inst(1).pc, r->inst(4).pc);
  EXPECT_EQ(r->warp().steps[2].inst, r->warp().steps[0].inst);
  EXPECT_EQ(r->warp().steps[3].inst, r->warp().steps[1].inst);
  EXPECT_EQ(r->warp().addresses, (Addresses{0x1000, 0x2000, 0x1000, 0x2000}));
}

TEST(TraceSass, AGridTellsTheTextsOfItsInstructions) {
  const test::Folder folder;
  Notes notes;
  AccelsimKernel kernel(
      folder.write("k.traceg", with("0 1 1 R0 LDG.E.64.SYS 1 R2 8 0 0x1000", "70")), notes);
  TraceGrid grid(kernel);
  const auto cta = grid.start_cta(0, {});
  EXPECT_EQ(grid.mnemonic(*cta->next(0)), "LDG.E.64.SYS");
  cta->execute(0);
  EXPECT_EQ(grid.mnemonic(*cta->next(0)), "EXIT");
  EXPECT_EQ(grid.mnemonic(InstInfo()), "");
}

TEST(TraceSass, AnUnknownOpcodeIsNotedOnce) {
  const auto r = read(header() + block("0 1 0 FROB.X 0 0 0\n10 1 0 FROB.Y 0 0 0\n" + kExit, 3));
  EXPECT_THAT(r->notes.list(),
              ElementsAre(HasSubstr("k.traceg:23); taken as int_alu without memory access (2 warp "
                                    "instructions)")));
}

}  // namespace
}  // namespace warpmem::program::trace
