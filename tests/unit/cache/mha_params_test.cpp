// SPDX-License-Identifier: Apache-2.0
// Keys of the group mshr: one failing example a rule, and the sizes that follow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config.hpp"
#include "cache/mha/params.hpp"

namespace warpmem::mha {
namespace {

using testing::HasSubstr;

struct Loaded {
  MhaParams params;
  std::string error;
};

Loaded load(const std::string& mshr) {
  Loaded loaded;
  Schema schema;
  schema.group("l1d", "cache",
               [&] { loaded.params.describe(schema, "l1d.mshr", [] { return true; }); });
  Config config(schema);
  config.load_text("l1d: {mshr: {" + mshr + "}}", "a.yaml");
  try {
    config.finish([&](Problems& p) { loaded.params.validate(p, "l1d.mshr"); });
  } catch (const UserError& error) {
    loaded.error = error.what();
  }
  return loaded;
}

TEST(MhaParams, KeysOfDlMshr) {
  const Loaded l = load(
      "kind: dl, entries: 32, slots: 8, slots_per_set: 4, reserved_fraction: 0.25, "
      "tail_pointer: false, comparator_gating: false, dau: rtl");
  EXPECT_EQ(l.error, "");
  EXPECT_EQ(l.params.dau, View::rtl);
  const DauSize size = l.params.dau_size();
  EXPECT_EQ(size.sets, 64u);
  EXPECT_EQ(size.slots, 4u);
  EXPECT_EQ(size.reserved, 16u);
}

TEST(MhaParams, ReservedSetsAreRoundedDown) {
  MhaParams p;
  p.entries = 5;
  p.slots = 2;
  p.reserved_fraction = 0.5;
  EXPECT_EQ(p.dau_size().sets, 5u);
  EXPECT_EQ(p.dau_size().reserved, 2u);
}

TEST(MhaParams, Mistakes) {
  EXPECT_THAT(load("kind: tmsa").error, HasSubstr("unknown value tmsa"));
  EXPECT_THAT(load("entries: 0").error, HasSubstr("l1d.mshr.entries"));
  EXPECT_THAT(load("kind: dl, slots_per_set: 3").error, HasSubstr("l1d.mshr.slots_per_set"));
  EXPECT_THAT(load("kind: dl, entries: 1, slots: 3").error,
              HasSubstr("l1d.mshr.slots_per_set: 3 slots do not divide into sets of 2"));
  EXPECT_THAT(load("kind: dl, entries: 4096, slots: 8").error,
              HasSubstr("l1d.mshr.entries: the DL pool would have 16384 sets"));
  EXPECT_THAT(load("kind: dl, reserved_fraction: 1.5").error,
              HasSubstr("l1d.mshr.reserved_fraction"));
  EXPECT_THAT(load("kind: set_associative, entries: 10, associativity: 4").error,
              HasSubstr("l1d.mshr.associativity: 10 entries do not divide into sets of 4"));
}

TEST(MhaParams, KeysOfTheHybrid) {
  const Loaded l =
      load("kind: htsma, entries: 48, small_entries: 12, small_slots: 4, pipelined: true");
  EXPECT_EQ(l.error, "");
  EXPECT_EQ(l.params.small_entries, 12u);
  EXPECT_EQ(l.params.small_slots, 4u);
  EXPECT_TRUE(l.params.pipelined);
  EXPECT_TRUE(l.params.shares_tags());
  EXPECT_THAT(load("kind: htsma, small_entries: 0").error, HasSubstr("small_entries"));
}

}  // namespace
}  // namespace warpmem::mha
