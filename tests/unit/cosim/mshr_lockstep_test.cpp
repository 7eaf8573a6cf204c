// SPDX-License-Identifier: Apache-2.0
// The whole MSHR files: SystemC and RTL against the plain models, and errors that are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cosim/hardware_unit.hpp"
#include "cosim/unit_library.hpp"
#include "support/broken_rtl.hpp"
#include "support/lockstep_result.hpp"
#include "unit/cosim/unit_place.hpp"
#include "units/dl_mshr/dl_mshr_unit.hpp"
#include "units/dl_mshr_pipe/dl_mshr_pipe_unit.hpp"
#include "units/mshr_conventional/mshr_conventional_unit.hpp"

namespace warpmem::cosim {

namespace {

class MshrFile : public testing::TestWithParam<Place> {};

TEST_P(MshrFile, AnswersLikeThePlainModelInEveryCycle) {
  const HardwareUnit& unit = hardware_unit(GetParam().unit);
  const LockstepOptions options =
      options_of(30'000, static_cast<std::uint32_t>(100 + GetParam().index));
  const LockstepResult result = unit.run(unit.sizes()[GetParam().index], options);
  expect_all(result);
  EXPECT_EQ(result.cycles, result.directed_cycles + 30'000);
  EXPECT_GT(result.resets, 2u);
}

INSTANTIATE_TEST_SUITE_P(All, MshrFile, testing::ValuesIn(places("mshr")));

// A block with all its requests, a file without an entry, a drain: no random cycle is needed.
TEST(MshrFileDirected, VectorsAloneAreInEverySituation) {
  for (const auto& unit : hardware_units()) {
    if (unit->group() != "mshr") continue;
    SCOPED_TRACE(unit->name());
    const LockstepResult result = unit->run(unit->sizes()[0], options_of(0, 1));
    expect_all(result);
    EXPECT_EQ(result.cycles, result.directed_cycles);
  }
}

// The file has fewer slots than the model believes.
TEST(MshrFileDifference, IsReportedWithBothValues) {
  using Unit = units::MshrConventionalDescription;
  LockstepOptions options;
  units::MshrSize size = Unit::kSizes[0];
  size.entries = 4;
  size.slots = 1;
  options.places.library = build_unit(View::rtl, shape_of<Unit>(size), options.places);
  size.slots = 2;
  const LockstepResult result = run_unit<Unit>(size, options);
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->signal, "req_ready");
  EXPECT_EQ(result.difference->of_class, "1");
  EXPECT_EQ(result.difference->of_systemc, "1");
  EXPECT_EQ(result.difference->of_rtl, "0");
  EXPECT_EQ(result.cycles, result.difference->cycle + 1);
  EXPECT_THAT(result.difference->history, testing::HasSubstr("takes 1"));
}

class BrokenMshr : public BrokenRtl {
 protected:
  template <class Unit>
  std::string signal() {
    LockstepOptions options = options_of(20'000, 7);
    options.places.rtl = rtl();
    const LockstepResult result = run_unit<Unit>(Unit::kAttacked, options);
    EXPECT_TRUE(result.difference) << "the error was not found";
    return result.difference ? result.difference->signal : "";
  }
};

TEST_F(BrokenMshr, DrainBeginsInTheSecondSlot) {
  replace("common/mshr_slots.sv", "      entry_q <= ret_entry_i;\n      next_q  <= '0;",
          "      entry_q <= ret_entry_i;\n      next_q  <= SLOT_W'(1);");
  EXPECT_EQ(signal<units::MshrConventionalDescription>(), "rsp_slot");
}
TEST_F(BrokenMshr, EntryIsFreedByItsReturn) {
  replace("common/mshr_file.sv", "assign leaves     = rsp_last_o && rsp_ready_i;",
          "assign leaves     = rsp_valid_o && rsp_ready_i;");
  EXPECT_EQ(signal<units::MshrConventionalDescription>(), "req_ready");
}
// Comparators that leave out the highest bit: only blocks one bit apart show it.
TEST_F(BrokenMshr, RequestsAreComparedWithoutABit) {
  replace("common/mshr_file.sv", "addr_q[req_base + ENTRY_W'(w)] == req_addr_i",
          "ADDR_BITS'((addr_q[req_base + ENTRY_W'(w)] ^ req_addr_i) << 1) == '0");
  EXPECT_EQ(signal<units::MshrConventionalDescription>(), "req_entry");
}
TEST_F(BrokenMshr, ReturnsAreComparedWithoutABit) {
  replace("common/mshr_file.sv", "addr_q[ret_base + ENTRY_W'(w)] == ret_addr_i",
          "ADDR_BITS'((addr_q[ret_base + ENTRY_W'(w)] ^ ret_addr_i) << 1) == '0");
  EXPECT_NE(signal<units::MshrConventionalDescription>(), "");
}
TEST_F(BrokenMshr, HeadsAreComparedWithoutABit) {
  replace("dl_mshr/dl_mshr.sv", "((addr_q[i] ^ req_addr_i) & {ADDR_BITS{head[i]}}) == '0",
          "(ADDR_BITS'((addr_q[i] ^ req_addr_i) << 1) & {ADDR_BITS{head[i]}}) == '0");
  EXPECT_NE(signal<units::DlMshrDescription>(), "");
}
TEST_F(BrokenMshr, RequestsBehindEachOtherAreComparedWithoutABit) {
  replace("dl_mshr_pipe/dl_mshr_pipe.sv", "req_addr_i == ask_addr_q",
          "ADDR_BITS'((req_addr_i ^ ask_addr_q) << 1) == '0");
  EXPECT_NE(signal<units::DlMshrPipeDescription>(), "");
}
TEST_F(BrokenMshr, LastRequestDoesNotWaitForTheRelease) {
  replace("dl_mshr/dl_mshr.sv", "assign room          = dau_ret_ready;",
          "assign room          = dau_ret_ready || linked != '0;");
  EXPECT_EQ(signal<units::DlMshrDescription>(), "ret_ready");
}
TEST_F(BrokenMshr, PipelineForgetsABlockACycleTooLate) {
  replace("dl_mshr_pipe/dl_mshr_pipe.sv", "drain_q && !leaves && req_addr_i",
          "drain_q && req_addr_i");
  EXPECT_EQ(signal<units::DlMshrPipeDescription>(), "rf_cause");
}

}  // namespace
}  // namespace warpmem::cosim
