// SPDX-License-Identifier: Apache-2.0
// A user's unit without choices: its outputs are the class's where they mean something.
#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/scratch_folder.hpp"
#include "units/mrpb_drain/mrpb_drain_unit.hpp"

namespace warpmem::cosim {
namespace {

using Drain = units::MrpbDrainDescription;

/// mrpb_drain with another queue on its output.
class OwnMrpbDrain : public testing::Test {
 protected:
  void name_queue(const std::string& queue) {
    std::string text = read_text(default_places().rtl / "mrpb_drain" / "mrpb_drain.sv");
    const std::string from = "assign drain_queue_o  = drain_queue;";
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    write_text(folder_ / "own.sv",
               text.replace(at, from.size(), "assign drain_queue_o = " + queue + ";"));
  }
  LockstepResult run(bool bit_exact) const {
    LockstepOptions options;
    options.places.own = OwnRtl({folder_ / "own.sv"});
    options.cycles = 20'000;
    options.bit_exact = bit_exact;
    return run_unit<Drain>(Drain::kAttacked, options);
  }
  test::ScratchFolder folder_;
};

TEST_F(OwnMrpbDrain, OutputsWithoutAMeaningAreFree) {
  name_queue("drain_valid_o ? drain_queue : '1");
  const LockstepResult result = run(false);
  EXPECT_FALSE(result.difference) << result.describe();
  const LockstepResult exact = run(true);
  ASSERT_TRUE(exact.difference);
  EXPECT_EQ(exact.difference->signal, "drain_queue");
  EXPECT_EQ(exact.difference->of_rtl, "7");
}

TEST_F(OwnMrpbDrain, OthersAreCompared) {
  name_queue("drain_queue ^ QUEUE_W'(drain_valid_o)");
  const LockstepResult result = run(false);
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->signal, "drain_queue");
}

}  // namespace
}  // namespace warpmem::cosim
