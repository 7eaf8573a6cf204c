// SPDX-License-Identifier: Apache-2.0
// Victim tags of warps (CCWS, KI 3.2): a miss looks for its block before the line that it replaces
// is remembered, whenever that line leaves.
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

struct Losses : LocalityListener {
  std::vector<bool> lost;
  void l1d_accessed(const LocalityEvent& event, Cycle) override { lost.push_back(event.lost); }
};

// One warp goes round three lines of a set of two ways. One tag remembers the line that left last,
// which is the one that it wants next.
void expect_losses(Allocate allocate) {
  L1d::Params params = small();
  params.allocate = allocate;
  params.observe_locality = true;
  params.victim_tags = 1;
  Bench b("b", params);
  Losses losses;
  b.cache->set_listener(&losses);
  constexpr Addr kNextInSet = 4 * kLine;
  std::vector<Scripted> round;
  for (unsigned i = 0; i < 7; ++i) round.push_back(load(i % 3 * kNextInSet, 200 * i));
  b.script(round);
  b.run();
  EXPECT_EQ(losses.lost, (std::vector<bool>{false, false, false, true, true, true, true}));
}

TEST(VictimTags, OneTagRemembersTheLineThatLeftLast) { expect_losses(Allocate::on_miss); }
TEST(VictimTags, SoItDoesWhenLinesLeaveAtTheFill) { expect_losses(Allocate::on_fill); }

}  // namespace
}  // namespace warpmem::l1d
