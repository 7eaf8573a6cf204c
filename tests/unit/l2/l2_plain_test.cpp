// SPDX-License-Identifier: Apache-2.0
// Third-party modules made of tlm_utils, without clock domain and payload extension, above and
// below the cache.
#include "support/plain_cache.hpp"
#include "unit/l2/l2_bench.hpp"

namespace warpmem::l2 {
namespace {

class L2Plain : public testing::TestWithParam<testing_support::Handshake> {};

TEST_P(L2Plain, WordsWrittenAreReadBack) {
  const mha::UnitFactories units;
  testing_support::read_back_what_was_written(
      GetParam(),
      [&](ClockDomain& clock, TransactionPool& pool) {
        return std::make_unique<L2Bank>("cache", clock, small(), one_partition(), pool, units);
      },
      [](const L2Bank::Stats& stats) {
        EXPECT_EQ(stats.writes, testing_support::kPlainWords);
        EXPECT_GT(stats.writebacks, testing_support::kPlainWords / 2);
      });
}

INSTANTIATE_TEST_SUITE_P(Handshakes, L2Plain, testing_support::handshakes());

}  // namespace
}  // namespace warpmem::l2
