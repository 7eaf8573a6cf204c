// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "cache/frontend/mrpb_queues.hpp"

namespace warpmem::cache {
namespace {

class MrpbTest : public ::testing::Test {
 protected:
  ~MrpbTest() override {
    for (Transaction* t : made_) t->release();
  }
  Transaction& request(unsigned warp, unsigned id, tlm::tlm_command command = tlm::TLM_READ_COMMAND,
                       std::uint32_t epoch = 0, unsigned cta = 0) {
    Transaction& t = pool_.get(command, Addr(id) * 128, 32);
    t.access.warp = static_cast<std::uint16_t>(warp);
    t.access.warp_in_cta = static_cast<std::uint8_t>(warp % 4);
    t.access.cta_slot = static_cast<std::uint8_t>(cta);
    t.access.epoch = epoch;
    made_.push_back(&t);
    return t;
  }
  static unsigned id(const Payload& p) { return static_cast<unsigned>(p.get_address() / 128); }
  static MrpbParams params(MrpbDrainPolicy drain, std::uint32_t entries = 8) {
    MrpbParams p;
    p.drain = drain;
    p.entries = entries;
    p.latency = 1;
    return p;
  }
  /// Drains everything from cycle `now` on and returns the order.
  static std::vector<unsigned> drain(MrpbQueues& mrpb, Cycle now) {
    std::vector<unsigned> order;
    while (!mrpb.empty()) {
      mrpb.choose(nullptr, now++);
      if (mrpb.head() == nullptr) continue;
      order.push_back(id(*mrpb.head()));
      mrpb.pop();
    }
    return order;
  }
  /// Queue 2 gets 20 21 22, queue 0 gets 1, queue 1 gets 10 11.
  void load(MrpbQueues& mrpb) {
    for (auto [warp, number] :
         {std::pair{2u, 20u}, {2u, 21u}, {0u, 1u}, {1u, 10u}, {2u, 22u}, {1u, 11u}})
      mrpb.enter(request(warp, number), 0);
  }
  TransactionPool pool_;
  std::vector<Transaction*> made_;
};

using Order = std::vector<unsigned>;

TEST_F(MrpbTest, DrainPolicies) {
  const std::map<MrpbDrainPolicy, Order> expected = {
      {MrpbDrainPolicy::fixed, {1, 10, 11, 20, 21, 22}},
      {MrpbDrainPolicy::greedy_fixed, {1, 10, 11, 20, 21, 22}},
      {MrpbDrainPolicy::round_robin, {1, 10, 20, 11, 21, 22}},
      {MrpbDrainPolicy::greedy_round_robin, {1, 10, 11, 20, 21, 22}},
      {MrpbDrainPolicy::longest, {20, 10, 21, 1, 11, 22}},
      {MrpbDrainPolicy::greedy_longest, {20, 21, 22, 10, 11, 1}},
  };
  for (const auto& [policy, order] : expected) {
    MrpbQueues mrpb(params(policy), 4, 2);
    load(mrpb);
    EXPECT_EQ(drain(mrpb, 1), order) << int(policy);
  }
}

TEST_F(MrpbTest, FixedPrefersWhatArrivesGreedyFixedStays) {
  for (const MrpbDrainPolicy policy : {MrpbDrainPolicy::fixed, MrpbDrainPolicy::greedy_fixed}) {
    MrpbQueues mrpb(params(policy), 4, 2);
    mrpb.enter(request(2, 20), 0);
    mrpb.enter(request(2, 21), 0);
    mrpb.choose(nullptr, 1);
    EXPECT_EQ(id(*mrpb.head()), 20u);
    mrpb.pop();
    mrpb.enter(request(0, 1), 1);
    EXPECT_EQ(drain(mrpb, 2), policy == MrpbDrainPolicy::fixed ? (Order{1, 21}) : (Order{21, 1}));
  }
}

TEST_F(MrpbTest, ARequestCanBeChosenAfterTheLatency) {
  MrpbParams p = params(MrpbDrainPolicy::fixed);
  p.latency = 5;
  MrpbQueues mrpb(p, 4, 2);
  mrpb.enter(request(0, 1), 10);
  mrpb.choose(nullptr, 14);
  EXPECT_EQ(mrpb.head(), nullptr);
  EXPECT_EQ(mrpb.next_ready(14), 15u);
  mrpb.choose(nullptr, 15);
  ASSERT_NE(mrpb.head(), nullptr);
}

TEST_F(MrpbTest, WhatStandsAtTheCacheStays) {
  MrpbQueues mrpb(params(MrpbDrainPolicy::fixed), 4, 2);
  mrpb.enter(request(1, 10), 0);
  mrpb.choose(nullptr, 1);
  mrpb.enter(request(0, 1), 1);
  mrpb.choose(nullptr, 2);
  EXPECT_EQ(id(*mrpb.head()), 10u);
}

TEST_F(MrpbTest, ALoadThatFindsItsQueueFullDrainsIt) {
  MrpbQueues mrpb(params(MrpbDrainPolicy::fixed, 2), 4, 2);
  mrpb.enter(request(0, 1), 0);
  mrpb.enter(request(2, 20), 0);
  mrpb.enter(request(2, 21), 0);
  Transaction& next = request(2, 22);
  EXPECT_EQ(mrpb.look(next), MrpbQueues::Entry::waits);
  mrpb.choose(&next, 1);
  EXPECT_EQ(id(*mrpb.head()), 20u);  // not 1, which fixed would take
  EXPECT_EQ(mrpb.look(next), MrpbQueues::Entry::enters);
}

TEST_F(MrpbTest, AWriteEmptiesItsQueueAndPasses) {
  MrpbQueues mrpb(params(MrpbDrainPolicy::fixed), 4, 2);
  mrpb.enter(request(0, 1), 0);
  mrpb.enter(request(2, 20), 0);
  mrpb.enter(request(2, 21), 0);
  Transaction& write = request(2, 99, tlm::TLM_WRITE_COMMAND);
  Order order;
  for (Cycle now = 1; mrpb.look(write) == MrpbQueues::Entry::waits; ++now) {
    mrpb.choose(&write, now);
    order.push_back(id(*mrpb.head()));
    mrpb.pop();
  }
  EXPECT_EQ(order, (Order{20, 21}));
  ASSERT_EQ(mrpb.look(write), MrpbQueues::Entry::passes);
  mrpb.pass(write);
  EXPECT_EQ(id(*mrpb.head()), 99u);
}

TEST_F(MrpbTest, CountsFlushesAndPlaces) {
  MrpbQueues mrpb(params(MrpbDrainPolicy::fixed, 2), 48, 8);
  mrpb.enter(request(1, 10), 0);
  mrpb.enter(request(0, 1), 0);
  mrpb.enter(request(2, 20), 0);
  mrpb.enter(request(2, 21), 0);
  mrpb.choose(&request(2, 22), 1);  // 20 leaves first of all: two places forward
  mrpb.pop();
  mrpb.choose(&request(1, 99, tlm::TLM_WRITE_COMMAND), 2);  // 10, from the first to the second
  mrpb.pop();
  EXPECT_EQ(drain(mrpb, 3), (Order{1, 21}));
  EXPECT_EQ(mrpb.stats().held, 4u);
  EXPECT_EQ(mrpb.stats().full_flushes, 1u);
  EXPECT_EQ(mrpb.stats().write_flushes, 1u);
  EXPECT_EQ(mrpb.stats().moved_forward, 1u);
  EXPECT_EQ(mrpb.stats().moved_back, 2u);
}

// MR section 6 says that the largest one is less than 3 KB of SRAM.
TEST_F(MrpbTest, StorageOfTheFinalDesign) {
  MrpbQueues mrpb({}, 48, 8);
  StatRegistry registry;
  mrpb.register_stats(registry.group("l1d"));
  registry.begin_kernel("k");
  registry.end_kernel();
  EXPECT_NE(registry.csv().find("2844"), std::string::npos) << registry.csv();
}

// As L1D does it: first what stands at the cache is chosen, then the input is looked at.
TEST_F(MrpbTest, AWriteDoesNotWaitForOtherQueues) {
  MrpbQueues mrpb(params(MrpbDrainPolicy::fixed), 4, 2);
  mrpb.enter(request(0, 1), 0);
  mrpb.enter(request(0, 2), 0);
  mrpb.enter(request(2, 20), 0);
  Transaction& write = request(2, 99, tlm::TLM_WRITE_COMMAND);
  Order order;
  for (Cycle now = 1; !mrpb.empty(); ++now) {
    const bool waiting = now < 3;
    mrpb.choose(waiting ? &write : nullptr, now);
    if (waiting && mrpb.look(write) == MrpbQueues::Entry::passes) mrpb.pass(write);
    order.push_back(id(*mrpb.head()));
    mrpb.pop();
  }
  EXPECT_EQ(order, (Order{20, 99, 1, 2}));
}

TEST_F(MrpbTest, WithoutFlushWritesAreStoredInOrder) {
  MrpbParams p = params(MrpbDrainPolicy::fixed);
  p.flush = false;
  MrpbQueues mrpb(p, 4, 2);
  mrpb.enter(request(2, 20), 0);
  mrpb.enter(request(2, 21, tlm::TLM_WRITE_COMMAND), 0);
  mrpb.enter(request(1, 10), 0);
  EXPECT_EQ(drain(mrpb, 1), (Order{10, 20, 21}));
}

TEST_F(MrpbTest, ABarrierIsNotCrossed) {
  MrpbQueues mrpb(params(MrpbDrainPolicy::fixed), 4, 2);
  mrpb.enter(request(2, 20, tlm::TLM_READ_COMMAND, 0), 0);
  Transaction& after = request(0, 1, tlm::TLM_READ_COMMAND, 1);
  Transaction& store_after = request(1, 10, tlm::TLM_WRITE_COMMAND, 1);
  Transaction& other_block = request(3, 30, tlm::TLM_READ_COMMAND, 1, 1);
  EXPECT_EQ(mrpb.look(after), MrpbQueues::Entry::waits);
  EXPECT_EQ(mrpb.look(store_after), MrpbQueues::Entry::waits);
  EXPECT_EQ(mrpb.look(other_block), MrpbQueues::Entry::enters);
  mrpb.choose(&after, 1);
  EXPECT_EQ(mrpb.look(after), MrpbQueues::Entry::enters);
}

TEST_F(MrpbTest, SignaturesGroupByBlockWarpOrWarpInBlock) {
  for (const Signature signature : {Signature::cta, Signature::warp, Signature::warp_in_cta}) {
    MrpbParams p = params(MrpbDrainPolicy::greedy_fixed);
    p.signature = signature;
    MrpbQueues mrpb(p, 8, 2);
    mrpb.enter(request(5, 15, tlm::TLM_READ_COMMAND, 0, 1), 0);  // warp 1 of block 1
    mrpb.enter(request(1, 11), 0);                               // warp 1 of block 0
    mrpb.enter(request(0, 10), 0);
    mrpb.enter(request(5, 25, tlm::TLM_READ_COMMAND, 0, 1), 0);
    const Order expected = signature == Signature::cta    ? Order{11, 10, 15, 25}
                           : signature == Signature::warp ? Order{10, 11, 15, 25}
                                                          : Order{10, 15, 11, 25};
    EXPECT_EQ(drain(mrpb, 1), expected) << int(signature);
  }
}

TEST_F(MrpbTest, RandomRequestsOfAWarpKeepTheirOrder) {
  std::mt19937 random(3);
  for (const MrpbDrainPolicy policy :
       {MrpbDrainPolicy::fixed, MrpbDrainPolicy::round_robin, MrpbDrainPolicy::longest,
        MrpbDrainPolicy::greedy_fixed, MrpbDrainPolicy::greedy_round_robin,
        MrpbDrainPolicy::greedy_longest}) {
    MrpbParams p = params(policy, 4);
    p.latency = 3;
    MrpbQueues mrpb(p, 8, 2);
    std::map<unsigned, unsigned> last;  // the newest that left, by warp
    unsigned made = 0;
    unsigned left = 0;
    Transaction* waiting = nullptr;
    for (Cycle now = 0; left < 2000; ++now) {
      ASSERT_LT(now, 100000u) << "no progress";
      if (waiting == nullptr && made < 2000) {
        const auto command = random() % 5 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
        waiting = &request(random() % 8, ++made, command);
      }
      mrpb.choose(waiting, now);
      if (waiting != nullptr) {
        const MrpbQueues::Entry entry = mrpb.look(*waiting);
        if (entry == MrpbQueues::Entry::enters) mrpb.enter(*waiting, now);
        if (entry == MrpbQueues::Entry::passes) mrpb.pass(*waiting);
        if (entry != MrpbQueues::Entry::waits) waiting = nullptr;
      }
      ASSERT_LE(mrpb.held(), 8u * 4);
      if (mrpb.head() != nullptr && random() % 3 != 0) {
        const unsigned warp = access_of(*mrpb.head()).warp;
        ASSERT_GT(id(*mrpb.head()), last[warp]);
        last[warp] = id(*mrpb.head());
        mrpb.pop();
        ++left;
      }
    }
    EXPECT_TRUE(mrpb.empty());
  }
}

}  // namespace
}  // namespace warpmem::cache
