// SPDX-License-Identifier: Apache-2.0
// Third-party modules made of tlm_utils, without clock domain and payload extension, above and
// below the cache.
#include "support/plain_cache.hpp"
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

class L1dPlain : public testing::TestWithParam<testing_support::Handshake> {};

TEST_P(L1dPlain, WordsWrittenAreReadBack) {
  const mha::UnitFactories units;
  testing_support::read_back_what_was_written(
      GetParam(),
      [&](ClockDomain& clock, TransactionPool& pool) {
        return std::make_unique<L1d>("cache", clock, small(), pool, units);
      },
      [](const L1d::Stats& stats) {
        EXPECT_EQ(stats.write_accesses, testing_support::kPlainWords);
        EXPECT_EQ(stats.primary_misses, testing_support::kPlainWords);
      });
}

INSTANTIATE_TEST_SUITE_P(Handshakes, L1dPlain, testing_support::handshakes());

}  // namespace
}  // namespace warpmem::l1d
