// SPDX-License-Identifier: Apache-2.0
// The front ends by themselves, between a scripted initiator and a bank that takes what it is told
// to take: GU Figs 2.2, 2.3, 2.5 and 2.6, order within a line, and the bound on overtaking.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "cache/frontend/cart_branch.hpp"
#include "cache/frontend/registry.hpp"
#include "support/cache_bench.hpp"

namespace warpmem::cache {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing_support::load;
using testing_support::Scripted;

const AddressMap& map() {
  static const AddressMap one_partition = [] {
    AddressMapParams params;
    params.partitions = 1;
    params.bank_xor = false;
    return AddressMap(params);
  }();
  return one_partition;
}

Addr address(unsigned bank, unsigned row, unsigned column) {
  return Addr(row) * 16 * 2048 + bank * 2048 + column * 128;
}

/// Takes one request a cycle from `opens` on, unless `refuses` it, and answers it at once.
class Bank : public sc_core::sc_module, public Clocked {
 public:
  Bank(sc_core::sc_module_name name, ClockDomain& domain, const FrontendParams& params)
      : sc_module(name),
        Clocked(domain),
        in("in", *this, 32),
        frontend(make_frontend(params, {in, 128, Stage::l2_queue, &map(), 0, 0})) {}

  ServicePort in;
  std::unique_ptr<Frontend> frontend;
  Cycle opens = 0;
  std::function<Stall(std::uint32_t number, Cycle now)> refuses = [](auto, auto) {
    return Stall::none;
  };
  std::vector<std::uint32_t> order;  ///< script numbers of the requests taken
  std::vector<Cycle> when;

 private:
  Cycle tick(Cycle now) override {
    in.begin_cycle();
    frontend->note_arrivals(now, simulation_now());
    frontend->moved();
    frontend->fill(now);
    while (Waiting* const w = now < opens ? nullptr : frontend->select(now)) {
      const std::uint32_t number = access_of(*w->payload).tag;
      const Stall stall = refuses(number, now);
      if (stall == Stall::none) {
        Payload& payload = *w->payload;
        frontend->accepted(now);
        order.push_back(number);
        when.push_back(now);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        in.respond(payload);
        break;
      }
      if (!frontend->refused(now, stall)) break;
    }
    return now + 1;
  }
};

struct Bench {
  explicit Bench(const FrontendParams& params, std::vector<Scripted> script) {
    testing_support::resolution_once();
    clock = std::make_unique<ClockDomain>("clock", 1'000'000'000, false);
    initiator = std::make_unique<testing_support::Initiator>("initiator", *clock, pool);
    bank = std::make_unique<Bank>("bank", *clock, params);
    initiator->out.socket.bind(bank->in.socket);
    initiator->script = std::move(script);
    initiator->carry_data = false;
  }
  /// Returns the order in which the bank took them.
  const std::vector<std::uint32_t>& run() {
    for (int i = 0; i < 1000 && !initiator->done(); ++i) {
      sc_core::sc_start(sc_core::sc_time::from_value(clock->time_of(50)));
      rethrow_tick_failure();
    }
    EXPECT_TRUE(initiator->done()) << bank->frontend->describe();
    EXPECT_TRUE(bank->frontend->empty());
    return bank->order;
  }

  TransactionPool pool;
  std::unique_ptr<ClockDomain> clock;
  std::unique_ptr<testing_support::Initiator> initiator;
  std::unique_ptr<Bank> bank;
};

FrontendParams cart(CartDrain drain = CartDrain::same_or_longest_row, CartSize size = {}) {
  FrontendParams params;
  params.kind = FrontendKind::cart;
  params.drain = drain;
  params.cart = size;
  return params;
}

// These are the queues of GU Fig 2.6 as the figure shows them, the right end first. Numbers are the
// paper's.
class Figure26 {
 public:
  /// `bank_2` is what its queue holds: Q3 and with it perhaps Q4 of the figure.
  std::vector<std::uint32_t> order(CartDrain drain,
                                   std::vector<std::uint32_t> bank_2 = {13, 12, 15, 14}) {
    const struct {
      Addr address;
      std::vector<std::uint32_t> requests;
    } queues[] = {
        {address(1, 1, 0), {2, 1, 0}},      {address(1, 1, 1), {7, 6, 5, 4, 3}},
        {address(1, 2, 2), {11, 10, 9, 8}}, {address(2, 1, 1), bank_2},
        {address(3, 3, 1), {18, 17, 16}},
    };
    std::vector<Scripted> script;
    std::vector<std::uint32_t> names;
    for (const auto& queue : queues)
      for (const std::uint32_t name : queue.requests) {
        script.push_back(load(queue.address));
        names.push_back(name);
      }
    Bench bench(cart(drain, {4, 2, 5}), script);
    bench.bank->opens = 60;
    std::vector<std::uint32_t> result;
    for (const std::uint32_t number : bench.run()) result.push_back(names[number]);
    return result;
  }
};

TEST(Cart, RotatesBanksAndKeepsTheRow) {
  EXPECT_THAT(Figure26().order(CartDrain::same_or_longest_row),
              ElementsAreArray({7, 13, 18, 6, 12, 17, 5, 15, 16, 4, 14, 3, 2, 1, 0, 11, 10, 9, 8}));
}

TEST(Cart, LongestFirstLeavesBanksIdle) {
  std::vector<std::uint32_t> order = Figure26().order(CartDrain::longest, {13, 12});
  order.resize(6);
  EXPECT_THAT(order, ElementsAre(7, 6, 11, 2, 5, 10));
}

// With four requests of bank 2 in one leaf there are five leaves; each gives one in turn.
TEST(Cart, RoundRobinTakesALeafAfterTheOther) {
  std::vector<std::uint32_t> order = Figure26().order(CartDrain::round_robin);
  order.resize(7);
  EXPECT_THAT(order, ElementsAre(2, 7, 11, 13, 18, 1, 6));
}

TEST(Cart, GreedyEmptiesALeaf) {
  std::vector<std::uint32_t> order = Figure26().order(CartDrain::greedy);
  order.resize(9);
  EXPECT_THAT(order, ElementsAre(2, 1, 0, 7, 6, 5, 4, 3, 11));
}

// In GU Fig 2.5 MR0 and MR2 are one line, MR4 is of their row, MR1 of another row of the bank, MR3
// of another bank.
TEST(Cart, BringsALineARowAndTheBanksTogether) {
  Bench bench(cart(), {load(address(0, 0, 0)), load(address(0, 1, 0)), load(address(0, 0, 0)),
                       load(address(1, 2, 0)), load(address(0, 0, 1))});
  bench.bank->opens = 40;
  EXPECT_THAT(bench.run(), ElementsAre(0, 3, 2, 4, 1));
}

TEST(CartBranch, FillsTheLeafOfTheLineThenOneOfItsRowThenAFreeRow) {
  CartBranch branch({2, 2, 2});
  Waiting w;
  const auto fill = [&](std::uint32_t row, std::uint32_t column) {
    const unsigned leaf = branch.place(row, column);
    if (leaf != CartBranch::kNone) branch.push(leaf, row, column, w);
    ++w.number;
    return leaf;
  };
  EXPECT_EQ(fill(5, 0), 0u);
  EXPECT_EQ(fill(5, 0), 0u);
  EXPECT_EQ(fill(6, 1), 2u);                 // a row of its own
  EXPECT_EQ(fill(5, 0), 1u);                 // the leaf of its line is full: another of the row
  EXPECT_EQ(fill(5, 3), CartBranch::kNone);  // the row's leaves are taken
  EXPECT_EQ(fill(7, 0), CartBranch::kNone);  // the rows are
  EXPECT_EQ(fill(6, 0), 3u);
  // Leaf 0 has room again, but the line's newer requests are in leaf 1.
  EXPECT_TRUE(branch.drains(0));
  EXPECT_FALSE(branch.drains(1));
  branch.pop(0);
  EXPECT_EQ(fill(5, 0), 1u);
  EXPECT_EQ(branch.place(5, 0), CartBranch::kNone);
  branch.pop(0);
  EXPECT_TRUE(branch.drains(1));
  EXPECT_EQ(branch.place(5, 0), 0u);
  // A row whose leaves are empty is free for another one.
  branch.pop(2);
  branch.pop(3);
  EXPECT_EQ(fill(7, 0), 2u);
}

TEST(Cart, ARefusedRequestDoesNotBlockTheOthers) {
  Bench bench(cart(), {load(address(0, 0, 0)), load(address(0, 1, 0)), load(address(1, 0, 0))});
  bench.bank->opens = 40;
  bench.bank->refuses = [](std::uint32_t number, Cycle now) {
    return number == 0 && now < 60 ? Stall::entry_full : Stall::none;
  };
  EXPECT_THAT(bench.run(), ElementsAre(2, 1, 0));
}

// A stream to one line would keep its leaf for ever; the request to the other row of the bank goes
// after as many as may overtake it.
TEST(Cart, NobodyStarves) {
  FrontendParams params = cart();
  params.overtakes = 20;
  std::vector<Scripted> script(200, load(address(0, 0, 0)));
  script[10] = load(address(0, 1, 0));
  Bench bench(params, script);
  bench.bank->opens = 60;
  const auto order = bench.run();
  EXPECT_EQ(order[30], 10u);
  EXPECT_EQ(order[29], 30u);
}

TEST(Nonblocking, PassesAStalledRequestInTheSameCycle) {
  FrontendParams params;
  params.kind = FrontendKind::nonblocking;
  Bench bench(params, {load(0), load(128), load(0), load(256), load(384)});
  bench.bank->opens = 40;
  bench.bank->refuses = [](std::uint32_t number, Cycle now) {
    return number == 0 && now < 50 ? Stall::entry_full : Stall::none;
  };
  // The third request is of the first one's line and stays behind it.
  EXPECT_THAT(bench.run(), ElementsAre(1, 3, 4, 0, 2));
  EXPECT_THAT(bench.bank->when, ElementsAre(40, 41, 42, 50, 51));
}

TEST(Nonblocking, AnOverdueRequestIsTheOnlyOneTried) {
  FrontendParams params;
  params.kind = FrontendKind::nonblocking;
  params.overtakes = 3;
  std::vector<Scripted> script;
  for (unsigned i = 0; i < 8; ++i) script.push_back(load(128 * i));
  Bench bench(params, script);
  bench.bank->opens = 40;
  bench.bank->refuses = [](std::uint32_t number, Cycle now) {
    return number == 1 && now < 90 ? Stall::entry_full : Stall::none;
  };
  EXPECT_THAT(bench.run(), ElementsAre(0, 2, 3, 4, 1, 5, 6, 7));
  EXPECT_EQ(bench.bank->when[4], 90u);
}

/// Returns whether what enters queues is among the statistics of such a front end.
bool counts_what_enters_queues(FrontendKind kind) {
  FrontendParams params;
  params.kind = kind;
  Bench bench(params, {});
  StatRegistry registry;
  bench.bank->frontend->register_stats(registry.group("l2"), *bench.clock);
  registry.begin_kernel("k");
  registry.end_kernel();
  const std::string stats = stats_json(registry);
  EXPECT_NE(stats.find("l2.frontend.reordered"), std::string::npos);
  const bool filled = stats.find("l2.frontend.filled") != std::string::npos;
  EXPECT_EQ(stats.find("l2.frontend.fill_stall_cycles") != std::string::npos, filled);
  return filled;
}
TEST(Nonblocking, HasNoQueuesToCount) {
  EXPECT_FALSE(counts_what_enters_queues(FrontendKind::nonblocking));
}
TEST(BankQueues, CountsWhatEntersThem) {
  EXPECT_TRUE(counts_what_enters_queues(FrontendKind::bank_queues));
}

TEST(BankQueues, TakeTurns) {
  FrontendParams params;
  params.kind = FrontendKind::bank_queues;
  params.queues = 4;
  Bench bench(params, {load(address(0, 0, 0)), load(address(4, 0, 0)), load(address(1, 0, 0)),
                       load(address(1, 1, 0)), load(address(3, 0, 0))});
  bench.bank->opens = 40;
  EXPECT_THAT(bench.run(), ElementsAre(0, 2, 4, 1, 3));  // bank 4 shares a queue with bank 0
}

TEST(BankQueues, AFullQueueHoldsUpTheLink) {
  FrontendParams params;
  params.kind = FrontendKind::bank_queues;
  params.queues = 2;
  params.queue_entries = 1;
  Bench bench(params, {load(address(0, 0, 0)), load(address(0, 1, 0)), load(address(1, 0, 0))});
  bench.bank->opens = 40;
  EXPECT_THAT(bench.run(), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace warpmem::cache
