// SPDX-License-Identifier: Apache-2.0
// A cache between modules of a third party (plain_tlm.hpp): what the one wrote it reads back, and
// nothing is left anywhere.
#pragma once

#include <gtest/gtest.h>

#include "base/clock_domain.hpp"
#include "base/protocol_checker.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "support/cache_bench.hpp"
#include "support/plain_tlm.hpp"

namespace warpmem::testing_support {

inline constexpr unsigned kPlainWords = 40;

using Handshake = std::tuple<plain::Answer, plain::Finish>;

/// Returns every way in which a target may answer and an initiator may finish.
inline auto handshakes() {
  return testing::Combine(testing::Values(plain::Answer::completed, plain::Answer::updated_response,
                                          plain::Answer::updated_end_req, plain::Answer::accepted,
                                          plain::Answer::accepted_no_end),
                          testing::Values(plain::Finish::completed, plain::Finish::updated_end_resp,
                                          plain::Finish::accepted));
}

/// Runs the cache that `make(clock, pool)` returns and hands its counters to `check`.
template <class Make, class Check>
void read_back_what_was_written(const Handshake& handshake, Make&& make, Check&& check) {
  resolution_once();
  const auto [answer, finish] = handshake;
  ClockDomain clock("clock", 1'000'000'000);
  TransactionPool pool;
  const auto cache = make(clock, pool);
  plain::Initiator initiator("initiator", finish, kPlainWords);
  plain::Target target("target", answer, sc_core::sc_time(17.3, sc_core::SC_NS));
  ProtocolChecker above("above");
  ProtocolChecker below("below");
  initiator.socket.bind(above.target);
  above.initiator.bind(cache->in.socket);
  cache->mem.socket.bind(below.target);
  below.initiator.bind(target.socket);
  StatRegistry stats;
  cache->register_stats(stats, 0);
  stats.begin_kernel("test");

  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  rethrow_tick_failure();
  EXPECT_EQ(initiator.written, kPlainWords);
  ASSERT_EQ(initiator.read.size(), kPlainWords) << cache->describe();
  for (unsigned i = 0; i < kPlainWords; ++i) EXPECT_EQ(initiator.read[128 * i], i + 1);
  EXPECT_EQ(initiator.in_use, 0u);
  EXPECT_TRUE(cache->idle()) << cache->describe();
  EXPECT_EQ(pool.outstanding(), 0u);
  EXPECT_NO_THROW(stats.end_kernel());
  check(cache->stats());
}

}  // namespace warpmem::testing_support
