// SPDX-License-Identifier: Apache-2.0
// The worked example of rtl/common/README.md: a slot that is to be read as another one is written,
// with two ports, with one, and in split cycles.
#include <gtest/gtest.h>

#include <string>

#include "units/dl_mshr/dl_mshr_core.hpp"
#include "units/dl_mshr_pipe/dl_mshr_pipe_core.hpp"

namespace warpmem::units {
namespace {

/// Plays a letter a cycle: block A or B asks, or '.'. In cycle `returned` the data of A come.
/// Writes the slot that leaves in each cycle, '.' for none; a request's slot is the number of its
/// cycle.
template <class Core>
std::string leaving(const std::string& asks, std::size_t returned) {
  Core core;
  core.reset();
  std::string text;
  for (std::size_t cycle = 0; cycle < asks.size(); ++cycle) {
    MshrIn in;
    in.req_valid = asks[cycle] != '.';
    in.req_addr = asks[cycle] == 'B' ? 2 : 1;
    in.req_slot = static_cast<std::uint32_t>(cycle);
    in.ret_valid = cycle == returned;
    in.ret_addr = 1;
    in.rsp_ready = true;
    const MshrOut out = core.eval(in);
    text += out.rsp_valid ? static_cast<char>('0' + out.rsp_slot) : '.';
    core.commit(in);
  }
  return text;
}

template <unsigned kStorage>
using File = DlMshrCore<4, 2, 2, 4, 4, 0, 1, kStorage>;
template <unsigned kStorage>
using Pipe = DlMshrPipeCore<4, 2, 2, 4, 4, 1, 1, 1, kStorage>;

TEST(SlotStorage, OnePortWritesFirst) {
  EXPECT_EQ(leaving<File<0>>("AA.BB...", 2), "...01...");
  EXPECT_EQ(leaving<File<1>>("AA.BB...", 2), "...0..1.");
  EXPECT_EQ(leaving<File<2>>("AA.BB...", 2), "...01...");
}
// A request is stored in the cycle after it has come.
TEST(SlotStorage, OnePortOfThePipelineWritesFirst) {
  EXPECT_EQ(leaving<Pipe<0>>("AA.BB....", 2), "....01...");
  EXPECT_EQ(leaving<Pipe<1>>("AA.BB....", 2), "....0..1.");
  EXPECT_EQ(leaving<Pipe<2>>("AA.BB....", 2), "....01...");
}
// The first slot of a chain waits as the others do.
TEST(SlotStorage, FirstSlotWaitsForThePort) {
  EXPECT_EQ(leaving<File<1>>("AABB....", 2), ".....01.");
  EXPECT_EQ(leaving<Pipe<1>>("AA.B.....", 2), "....0.1..");
  EXPECT_EQ(leaving<Pipe<1>>("AABB.....", 2), "......01.");
}
// A refused request writes nothing.
TEST(SlotStorage, RefusedRequestTakesNoPort) {
  EXPECT_EQ(leaving<File<1>>("AA.AA...", 2), "...01...");
}

}  // namespace
}  // namespace warpmem::units
