// SPDX-License-Identifier: Apache-2.0
// DAUs of users: what DL 4.4 leaves open is theirs to choose, and what it does not is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/mha/dl/dau_choice.hpp"
#include "cosim/hardware_unit.hpp"
#include "units/dau/dau_unit.hpp"

namespace warpmem::cosim {
namespace {

using mha::DauIn;
using mha::DauOut;
using mha::FastDau;
using testing::HasSubstr;
using testing::IsEmpty;

DauIn primary_miss() {
  DauIn in;
  in.req_valid = true;
  return in;
}
DauIn merge_into(std::uint32_t head) {
  DauIn in = primary_miss();
  in.req_secondary = true;
  in.req_head = head;
  return in;
}
DauIn ret_of(std::uint32_t head) {
  DauIn in;
  in.ret_valid = true;
  in.ret_head = head;
  return in;
}

/// Four sets of one slot, the first reserved: set 0 heads a chain that set 2 has been linked to,
/// set 3 heads another one.
class DauObserverTest : public testing::Test {
 protected:
  DauObserverTest() {
    choose(primary_miss(), 0);
    choose(primary_miss(), 3);
    choose(merge_into(0), 2);
  }
  void choose(const DauIn& in, std::uint32_t set) {
    DauOut unit = dau_.eval(in);
    unit.req_set = set;
    std::string reason;
    const DauOut out = mha::dau_follow(dau_, in, unit, &reason);
    ASSERT_EQ(reason, "");
    ASSERT_TRUE(out == unit);
    dau_.commit_as(in, out);
  }
  /// Returns what is said of an answer that differs from the class's in one output.
  template <class Value>
  std::string reason(const DauIn& in, Value DauOut::*output, std::uint32_t value) const {
    DauOut unit = dau_.eval(in);
    unit.*output = static_cast<Value>(value);
    std::string reason;
    mha::dau_follow(dau_, in, unit, &reason);
    return reason;
  }

  FastDau dau_{{4, 1, 1}};
};

TEST_F(DauObserverTest, LaterAnswersFollowTheChoice) {
  const mha::DauSets sets = dau_.inspect();
  EXPECT_EQ(sets.peer[0], 2u);
  EXPECT_EQ(sets.peer[2], 0u);
  EXPECT_EQ(sets.next[0], 2u);
  EXPECT_EQ(dau_.eval({}).n_free, 1u);
  dau_.commit(ret_of(0));
  dau_.commit({});  // set 2, the tail, goes first
  EXPECT_EQ(sets.state[2], mha::DauState::s0);
  EXPECT_EQ(sets.state[0], mha::DauState::s5);
}

TEST_F(DauObserverTest, WhatIsWrongIsNamed) {
  EXPECT_EQ(reason(merge_into(0), &DauOut::req_set, 3), "links set 3, which is in use");
  EXPECT_EQ(reason(primary_miss(), &DauOut::req_set, 2),
            "gives a primary miss set 2, which is in use");
  EXPECT_EQ(reason(merge_into(0), &DauOut::req_set, 1), "");
  EXPECT_EQ(reason(merge_into(0), &DauOut::req_ready, 0),
            "refuses a merge into chain 0, although its tail is full and 1 sets can be linked");
  EXPECT_EQ(reason(merge_into(3), &DauOut::req_link, 0),
            "has req_link at 0, although set 3, the tail of chain 3, is full");
  EXPECT_EQ(reason(primary_miss(), &DauOut::rf, 1),
            "has rf at 1; it is req_valid and not req_ready");
  EXPECT_EQ(reason({}, &DauOut::n_free, 2), "has n_free at 2, and 1 sets are free");
  EXPECT_EQ(reason({}, &DauOut::n_linkable, 0),
            "has n_linkable at 0, and 1 ordinary sets are free");
  EXPECT_EQ(reason({}, &DauOut::ret_ready, 0),
            "has ret_ready at 0, although no chain is being released");
  dau_.commit(ret_of(0));
  EXPECT_EQ(reason({}, &DauOut::ret_ready, 1),
            "has ret_ready at 1, although sets of the released chain are still to be freed");
  dau_.commit({});
  EXPECT_EQ(reason({}, &DauOut::release_busy, 0),
            "has release_busy at 0, although the released chain's last set is freed in this cycle");
  dau_.commit({});
  EXPECT_EQ(reason(primary_miss(), &DauOut::req_set, 2),
            "gives a primary miss the ordinary set 2, although the reserved set 0 is free");
  EXPECT_EQ(reason(merge_into(3), &DauOut::req_set, 0), "links set 0, which is reserved for heads");
}

TEST_F(DauObserverTest, OutputsWithoutAMeaningAreFree) {
  EXPECT_EQ(reason({}, &DauOut::req_set, 3), "");
  EXPECT_EQ(reason({}, &DauOut::req_link, 1), "");
  DauIn refused = merge_into(0);
  dau_.commit(primary_miss());
  EXPECT_EQ(reason(refused, &DauOut::req_slot, 1), "");
}

TEST_F(DauObserverTest, WhatIsNeverAskedIsTakenOut) {
  EXPECT_FALSE(mha::dau_legal_input(dau_, merge_into(2)).req_valid);
  EXPECT_TRUE(mha::dau_legal_input(dau_, merge_into(3)).req_valid);
  EXPECT_FALSE(mha::dau_legal_input(dau_, ret_of(1)).ret_valid);
  DauIn both = merge_into(3);
  both.ret_valid = true;
  both.ret_head = 3;
  EXPECT_FALSE(mha::dau_legal_input(dau_, both).req_valid);
  EXPECT_TRUE(mha::dau_legal_input(dau_, both).ret_valid);
}

// ---- examples/own-unit ----------------------------------------------------------------------

LockstepOptions own_options(const std::string& variant, std::uint64_t cycles) {
  LockstepOptions options;
  const auto folder = options.places.source / "examples" / "own-unit";
  options.places.own = OwnRtl({(folder / "own_dau.sv").string(), (folder / variant).string()});
  options.cycles = cycles;
  return options;
}

LockstepResult run_own(const mha::DauSize& size, const LockstepOptions& options) {
  return run_unit<units::DauDescription>(size, options);
}

TEST(OwnDau, LegalChoicesAreAccepted) {
  for (const char* const variant : {"dau_clears_pointer", "dau_links_highest"}) {
    for (const mha::DauSize& size : {mha::DauSize{8, 2, 4}, mha::DauSize{5, 1, 0}}) {
      const LockstepResult result = run_own(size, own_options(variant, 20'000));
      EXPECT_FALSE(result.difference) << variant << result.describe();
      EXPECT_THAT(result.coverage.missing, IsEmpty()) << variant;
    }
  }
}

// The vectors name sets that the class would give out; a unit with other choices is led through the
// same situations.
TEST(OwnDau, DirectedVectorsCoverEverythingUnderAnyChoice) {
  const LockstepResult result = run_own({8, 2, 4}, own_options("dau_links_highest", 0));
  EXPECT_FALSE(result.difference) << result.describe();
  EXPECT_THAT(result.coverage.missing, IsEmpty());
}

TEST(OwnDau, IllegalChoiceIsNamed) {
  const LockstepResult result = run_own({8, 2, 4}, own_options("dau_illegal", 20'000));
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->signal, "req_set");
  EXPECT_EQ(result.difference->reason, "links set 1, which is reserved for heads");
  EXPECT_THAT(result.difference->history, HasSubstr("set 1 slot 0 linked"));
  EXPECT_THAT(result.describe(), HasSubstr("the unit links set 1, which is reserved for heads"));
}

TEST(OwnDau, BitExactOnDemand) {
  LockstepOptions options = own_options("dau_clears_pointer", 20'000);
  options.bit_exact = true;
  LockstepResult result = run_own({8, 2, 4}, options);
  ASSERT_TRUE(result.difference);
  EXPECT_THAT(result.difference->signal, HasSubstr("] after the cycle"));
  EXPECT_EQ(result.difference->of_class, result.difference->of_systemc);
  options = own_options("dau_links_highest", 20'000);
  options.bit_exact = true;
  result = run_own({8, 2, 4}, options);
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->signal, "req_set");
}

}  // namespace
}  // namespace warpmem::cosim
