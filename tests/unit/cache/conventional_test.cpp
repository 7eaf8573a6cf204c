// SPDX-License-Identifier: Apache-2.0
// The set of a set-associative MSHR file.
#include "cache/mha/conventional.hpp"

#include <gtest/gtest.h>

#include "support/mha_bench.hpp"

namespace warpmem::mha {
namespace {

// Of four slices that take lines in turn one has each fourth line. By those lines' numbers within
// the slice all sets are used; by their numbers in memory one of the four would be.
TEST(SetAssociative, TheSetIsThatOfTheAddressWithinTheSlice) {
  constexpr unsigned kSlices = 4, kEntries = 8;
  MhaParams params;
  params.kind = Kind::set_associative;
  params.entries = kEntries;
  params.associativity = 2;
  params.slots = 2;
  MhaBench bench(params);
  const auto miss = [&](Addr line) {
    return bench.cycle([&] {
      return bench->allocate({line * kSlices * kLine, line * kLine}, {}, bench.payload()).refusal;
    });
  };
  for (Addr line = 0; line < kEntries; ++line) EXPECT_EQ(miss(line), Stall::none);
  EXPECT_EQ(miss(kEntries), Stall::mshr_set_full);
}

}  // namespace
}  // namespace warpmem::mha
