// SPDX-License-Identifier: Apache-2.0
// Third-party modules made of tlm_utils, without clock domain and payload extension, above and
// below the cache.
#include <tuple>

#include "support/plain_tlm.hpp"
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

constexpr unsigned kWords = 40;

class L1dPlain : public testing::TestWithParam<std::tuple<plain::Answer, plain::Finish>> {};

TEST_P(L1dPlain, WordsWrittenAreReadBack) {
  testing_support::resolution_once();
  const auto [answer, finish] = GetParam();
  ClockDomain clock("clock", 1'000'000'000);
  TransactionPool pool;
  const mha::UnitFactories units;
  L1d cache("cache", clock, small(), pool, units);
  plain::Initiator initiator("initiator", finish, kWords);
  plain::Target target("target", answer, sc_core::sc_time(17.3, sc_core::SC_NS));
  ProtocolChecker above("above");
  ProtocolChecker below("below");
  initiator.socket.bind(above.target);
  above.initiator.bind(cache.in.socket);
  cache.mem.socket.bind(below.target);
  below.initiator.bind(target.socket);
  StatRegistry stats;
  cache.register_stats(stats, 0);
  stats.begin_kernel("test");

  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  rethrow_tick_failure();
  EXPECT_EQ(initiator.written, kWords);
  ASSERT_EQ(initiator.read.size(), kWords) << cache.describe();
  for (unsigned i = 0; i < kWords; ++i) EXPECT_EQ(initiator.read[128 * i], i + 1);
  EXPECT_EQ(initiator.in_use, 0u);
  EXPECT_TRUE(cache.idle()) << cache.describe();
  EXPECT_EQ(pool.outstanding(), 0u);
  EXPECT_NO_THROW(stats.end_kernel());
  EXPECT_EQ(cache.stats().write_accesses, kWords);
  EXPECT_EQ(cache.stats().primary_misses, kWords);
}

INSTANTIATE_TEST_SUITE_P(
    Handshakes, L1dPlain,
    testing::Combine(testing::Values(plain::Answer::completed, plain::Answer::updated_response,
                                     plain::Answer::updated_end_req, plain::Answer::accepted,
                                     plain::Answer::accepted_no_end),
                     testing::Values(plain::Finish::completed, plain::Finish::updated_end_resp,
                                     plain::Finish::accepted)));

}  // namespace
}  // namespace warpmem::l1d
