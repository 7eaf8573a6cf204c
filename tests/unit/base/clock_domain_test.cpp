// SPDX-License-Identifier: Apache-2.0
#include "base/clock_domain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "base/errors.hpp"

namespace warpmem {
namespace {

using testing::ElementsAre;
__extension__ typedef unsigned __int128 Wide;

Femtoseconds exact_edge(Cycle c, std::uint64_t hertz) {
  return static_cast<Femtoseconds>(Wide(c) * kFemtosecondsPerSecond / hertz);
}

/// Does not run what happens at the very end of the time.
void run_for(Femtoseconds t) { sc_core::sc_start(sc_core::sc_time::from_value(t)); }

/// Does what the test says at every tick, and remembers the cycles.
class Module : public Clocked {
 public:
  using Work = std::function<Cycle(Module&, Cycle)>;
  Module(ClockDomain& d, Work work, unsigned rank = 0) : Clocked(d, rank), work_(std::move(work)) {}
  std::vector<Cycle> ticks;

 private:
  Cycle tick(Cycle now) override {
    EXPECT_EQ(now, domain().now());
    EXPECT_EQ(simulation_now(), domain().time_of(now));
    EXPECT_EQ(domain().next_cycle(), now + 1);
    ticks.push_back(now);
    return work_(*this, now);
  }
  Work work_;
};

Cycle sleep(Module&, Cycle) { return kNever; }

class ClockDomainTest : public testing::Test {
 protected:
  ClockDomainTest() { set_simulation_resolution(); }
};

// A program with an sc_main of its own may have chosen, or forgotten, the resolution.
std::string refusal() {
  try {
    ClockDomain d("d", 1'000'000'000);
  } catch (const UserError& error) {
    return error.what();
  }
  return "none";
}

TEST(ClockDomainResolution, TheDefaultOfThePicosecondIsRefused) {
  const std::string said = refusal();
  EXPECT_NE(said.find("time resolution is 1 ps; allowed: 1 fs"), std::string::npos) << said;
}

TEST(ClockDomainResolution, AnotherOneIsRefused) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_FS);
  const std::string said = refusal();
  EXPECT_NE(said.find("time resolution is 10 fs; allowed: 1 fs"), std::string::npos) << said;
}

TEST(ClockDomainResolution, AFemtosecondIsTaken) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  EXPECT_EQ(refusal(), "none");
}

TEST_F(ClockDomainTest, EdgesDoNotDrift) {
  constexpr std::uint64_t kHertz = 1'137'000'000;
  ClockDomain d("d", kHertz);
  EXPECT_EQ(d.time_of(kHertz), kFemtosecondsPerSecond) << "a second has exactly f edges";
  std::mt19937_64 random(1);
  for (int n = 0; n < 100'000; ++n) {
    const Cycle c = 1 + random() % 1'000'000'000;
    const Femtoseconds t = d.time_of(c);
    ASSERT_EQ(t, exact_edge(c, kHertz));
    ASSERT_EQ(d.cycle_at(t), c);
    ASSERT_EQ(d.cycle_at(t - 1), c - 1);
  }
}

TEST_F(ClockDomainTest, ABillionCyclesEndOnTheExactEdge) {
  constexpr std::uint64_t kHertz = 1'137'000'000;
  ClockDomain d("d", kHertz);
  Module m(d, [](Module&, Cycle now) { return now < 1'000'000'000 ? now + 999'983 : kNever; });
  run_for(exact_edge(1'001'000'000, kHertz));
  EXPECT_GE(m.ticks.back(), 1'000'000'000u);
  for (std::size_t i = 0; i < m.ticks.size(); ++i) ASSERT_EQ(m.ticks[i], i * 999'983);
}

TEST_F(ClockDomainTest, EveryoneIsTickedAtEdgeZeroThenOnlyWhenAsked) {
  ClockDomain d("d", 1'000'000'000);
  Module sleeper(d, sleep);
  Module worker(d, [](Module&, Cycle now) { return now < 3 ? now + 1 : kNever; });
  run_for(1'000'000'000);
  EXPECT_THAT(sleeper.ticks, ElementsAre(0));
  EXPECT_THAT(worker.ticks, ElementsAre(0, 1, 2, 3));
}

TEST_F(ClockDomainTest, WakeUpsAroundTheSizeOfTheWheel) {
  ClockDomain d("d", 700'000'000);
  const std::vector<Cycle> distances = {1, 2, 63, 64, 65, 255, 256, 257, 511, 512, 513, 100'000};
  std::vector<Cycle> expected = {0};
  for (const Cycle distance : distances) expected.push_back(expected.back() + distance);
  std::size_t next = 0;
  Module m(d, [&](Module&, Cycle now) {
    return next < distances.size() ? now + distances[next++] : kNever;
  });
  run_for(exact_edge(200'000, 700'000'000));
  EXPECT_EQ(m.ticks, expected);
}

TEST_F(ClockDomainTest, RandomWakeUpsOfManyModulesAgreeWithASet) {
  constexpr unsigned kModules = 150;  // three words of a slot
  ClockDomain d("d", 1'137'000'000);
  std::mt19937 random(3);
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<std::set<Cycle>> wanted(kModules);
  for (unsigned i = 0; i < kModules; ++i) {
    wanted[i].insert(0);
    modules.push_back(std::make_unique<Module>(d, [&, i](Module&, Cycle now) {
      if (now > 20'000) return kNever;
      const unsigned other = random() % kModules;  // wakes somebody, and often itself
      const Cycle at = now + 1 + (random() % 4 == 0 ? random() % 1000 : random() % 20);
      wanted[other].insert(at);
      modules[other]->wake_at(at);
      if (random() % 8 == 0) return kNever;
      const Cycle own = now + 1 + random() % 300;
      wanted[i].insert(own);
      return own;
    }));
  }
  run_for(exact_edge(40'000, 1'137'000'000));
  std::size_t ticks = 0;
  for (unsigned i = 0; i < kModules; ++i) {
    ASSERT_EQ(modules[i]->ticks, std::vector<Cycle>(wanted[i].begin(), wanted[i].end())) << i;
    ticks += wanted[i].size();
  }
  EXPECT_GT(ticks, 10'000u);
}

TEST_F(ClockDomainTest, UnrelatedFrequenciesKeepTheirOwnCount) {
  ClockDomain a("a", 1'137'000'000);
  ClockDomain b("b", 924'000'001);
  const auto always = [](Module&, Cycle now) { return now + 1; };
  Module ma(a, always);
  Module mb(b, always);
  run_for(10'000'000'001);  // 10 us and the edges there
  EXPECT_EQ(ma.ticks.back(), a.cycle_at(simulation_now()));
  EXPECT_EQ(mb.ticks.back(), b.cycle_at(simulation_now()));
  EXPECT_EQ(ma.ticks.size(), 11'370u + 1);
  EXPECT_EQ(mb.ticks.size(), 9'240u + 1);
}

/// A sender in one domain wakes a sleeper in another at each of its edges; the sleeper's ticks must
/// be its first edges strictly after, also where the edges coincide, whoever is constructed first.
void check_wake_across(std::uint64_t sender_hertz, std::uint64_t sleeper_hertz, bool sender_first) {
  std::unique_ptr<ClockDomain> a, b;
  std::unique_ptr<Module> sender, sleeper;
  std::set<Cycle> expected = {0};
  const auto make_sender = [&] {
    a = std::make_unique<ClockDomain>("a", sender_hertz);
    sender = std::make_unique<Module>(*a, [&](Module&, Cycle now) {
      const Cycle next = b->next_cycle();
      EXPECT_GT(b->time_of(next), simulation_now());
      EXPECT_LE(b->time_of(next - 1), simulation_now());
      if (now % 3 == 0) {  // otherwise the sleeper's domain stays asleep
        expected.insert(next);
        sleeper->wake();
      }
      return now + 1;
    });
  };
  const auto make_sleeper = [&] {
    b = std::make_unique<ClockDomain>("b", sleeper_hertz);
    sleeper = std::make_unique<Module>(*b, sleep);
  };
  if (sender_first) make_sender();
  make_sleeper();
  if (!sender_first) make_sender();
  run_for(1'000'000'001);
  expected.erase(expected.upper_bound(b->cycle_at(simulation_now())), expected.end());
  EXPECT_EQ(sleeper->ticks, std::vector<Cycle>(expected.begin(), expected.end()));
}

TEST_F(ClockDomainTest, WakeAcrossUnrelatedDomains) {
  check_wake_across(1'137'000'000, 924'000'000, true);
}
TEST_F(ClockDomainTest, WakeAcrossEqualDomainsSenderFirst) {
  check_wake_across(1'000'000'000, 1'000'000'000, true);
}
TEST_F(ClockDomainTest, WakeAcrossEqualDomainsSleeperFirst) {
  check_wake_across(1'000'000'000, 1'000'000'000, false);
}
TEST_F(ClockDomainTest, WakeIntoASlowerDomain) {
  check_wake_across(1'000'000'000, 250'000'000, false);
}
TEST_F(ClockDomainTest, WakeIntoAFasterDomain) {
  check_wake_across(250'000'000, 1'000'000'000, true);
}

TEST_F(ClockDomainTest, NextCycleIsStrictlyAfterNowWhenAsleep) {
  ClockDomain d("d", 1'137'000'000);
  Module m(d, sleep);
  EXPECT_EQ(d.next_cycle(), 1u) << "before the start";
  run_for(0);
  const Femtoseconds steps[] = {1, 10'000'000, d.time_of(1'000'000) - 10'000'001 - 1, 1, 1};
  for (const Femtoseconds step : steps) {
    run_for(step);
    const Cycle next = d.next_cycle();
    EXPECT_GT(d.time_of(next), simulation_now());
    EXPECT_LE(d.time_of(next - 1), simulation_now());
  }
  EXPECT_EQ(d.next_cycle(), 1'000'001u) << "edge 1,000,000 was a femtosecond ago";
}

TEST_F(ClockDomainTest, AWakeBetweenTwoRunsIsKept) {
  ClockDomain d("d", 1'000'000'000);
  Module m(d, sleep);
  m.wake_at(7);  // before the start: ignored, since edge 0 ticks everyone
  run_for(10'500'000);
  m.wake();
  m.wake_at(500);
  run_for(1'000'000'000);
  EXPECT_THAT(m.ticks, ElementsAre(0, 11, 500));
}

TEST_F(ClockDomainTest, AnEarlierWakeOvertakesALaterOne) {
  ClockDomain d("d", 1'000'000'000);
  Module far(d, [](Module&, Cycle now) { return now == 0 ? 1000 : kNever; });
  Module near(d, sleep);
  run_for(100'000'000);
  near.wake_at(300);
  near.wake_at(150);
  run_for(2'000'000'000);
  EXPECT_THAT(near.ticks, ElementsAre(0, 150, 300));
  EXPECT_THAT(far.ticks, ElementsAre(0, 1000));
}

TEST_F(ClockDomainTest, RankFixesTheOrderWithinAnEdge) {
  ClockDomain d("d", 1'000'000'000);
  std::vector<int> order;
  const auto note = [&order](int who) {
    return [&order, who](Module&, Cycle now) {
      order.push_back(who);
      return now < 1 ? now + 1 : kNever;
    };
  };
  Module c(d, note(3), 7);
  Module a(d, note(1), 2);
  Module b(d, note(2), 2);
  run_for(10'000'000);
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 1, 2, 3));
}

TEST_F(ClockDomainTest, AFailingTickPausesAndIsRethrownWithItsType) {
  ClockDomain d("d", 1'000'000'000);
  Module bad(d, [](Module&, Cycle now) -> Cycle {
    if (now == 5) throw SimulationError("broken at 5");
    return now + 1;
  });
  run_for(100'000'000);
  EXPECT_EQ(bad.ticks.back(), 5u);
  EXPECT_THROW(rethrow_tick_failure(), SimulationError);
  EXPECT_NO_THROW(rethrow_tick_failure()) << "forgotten";
}

/// The modules pass tokens on after a while; what they do depends only on the tokens they hold.
struct TokenMachine {
  static constexpr unsigned kModules = 20;
  ClockDomain domain;
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<std::multiset<Cycle>> due{kModules};
  std::vector<std::array<Cycle, 3>> trace;  // cycle, module, tokens left there

  TokenMachine(const char* name, bool tick_all) : domain(name, 1'137'000'000, tick_all) {
    for (unsigned i = 0; i < kModules; ++i) {
      for (unsigned t = 0; t < 3; ++t) due[i].insert(1 + 7 * t * (i + 1));
      modules.push_back(
          std::make_unique<Module>(domain, [this, i](Module&, Cycle now) { return work(i, now); }));
    }
  }
  Cycle work(unsigned i, Cycle now) {
    while (!due[i].empty() && *due[i].begin() <= now) {
      due[i].erase(due[i].begin());
      const std::uint64_t mix = (now * 2654435761u + i * 40503u) >> 3;
      const unsigned to = mix % kModules;
      const Cycle at = now + 1 + mix % 601;
      due[to].insert(at);
      modules[to]->wake_at(at);
      trace.push_back({now, i, due[i].size()});
    }
    return due[i].empty() ? kNever : *due[i].begin();
  }
};

TEST_F(ClockDomainTest, TickingEveryoneGivesTheSameTraceAsSkipping) {
  TokenMachine skipping("skipping", false);
  TokenMachine all("all", true);
  run_for(exact_edge(30'000, 1'137'000'000) + 1);
  EXPECT_GT(skipping.trace.size(), 1000u);
  EXPECT_EQ(skipping.trace, all.trace);
  EXPECT_EQ(all.modules[0]->ticks.size(), 30'001u);
  EXPECT_LT(skipping.modules[0]->ticks.size(), 3'000u);
}

}  // namespace
}  // namespace warpmem
