// SPDX-License-Identifier: Apache-2.0
// The edges that the kernel calls and those that follow one another without it are the same, in the
// same order, at the same times.
#include "base/edge_loop.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/after_ticks.hpp"
#include "base/errors.hpp"

namespace warpmem {
namespace {

/// Three domains, two of them with common edges, whose modules wake each other at random and ask
/// for callbacks after the ticks.
class Crowd {
 public:
  Crowd()
      : a_("a", 1'137'000'000),
        b_("b", 500'000'000),
        c_("c", 1'000'000'000),
        change_("change", AfterTicks::Does::changes, [this] { change(); }),
        look_("look", AfterTicks::Does::looks, [this] { look(); }) {
    for (unsigned i = 0; i < 12; ++i) modules_.push_back(std::make_unique<Member>(*this, i));
  }

  /// What happened, when: who was ticked, 100 and the number of ticks and changes that a callback
  /// saw, or 99 at a pause. In an instant the domains have no order.
  using Event = std::pair<Femtoseconds, std::uint64_t>;
  std::vector<Event> events;
  void note(std::uint64_t what) { events.emplace_back(simulation_now(), what); }

 private:
  struct Member : Clocked {
    Member(Crowd& all, unsigned i)
        : Clocked(i % 3 == 0   ? all.a_
                  : i % 3 == 1 ? all.b_
                               : all.c_),
          crowd(all),
          number(i),
          random(i) {}
    Cycle tick(Cycle now) override { return crowd.ticked(*this, now); }

    Crowd& crowd;
    unsigned number;
    std::mt19937 random;
    unsigned ticks = 0;
  };

  Cycle ticked(Member& member, Cycle now) {
    EXPECT_EQ(simulation_now(), member.domain().time_of(now));
    note(member.number);
    ++member.ticks;
    if (member.random() % 16 == 0) look_.request();
    if (member.random() % 16 == 0) change_.request();
    if (member.random() % 64 == 0) pause_simulation();
    if (member.random() % 2 == 0) modules_[member.random() % modules_.size()]->wake();
    if (now > 3000) return kNever;
    return member.random() % 8 == 0 ? kNever : now + 1 + member.random() % 400;
  }
  void change() {
    ++changes_;
    modules_[changes_ % modules_.size()]->wake();
    if (changes_ % 8 == 0) change_.request();
  }
  void look() {
    std::uint64_t sum = changes_;
    for (const auto& module : modules_) sum += module->ticks;
    note(100 + sum);
    if (sum % 5 == 0) modules_[sum % modules_.size()]->wake();
    if (sum % 8 == 0) pause_simulation();
  }

  ClockDomain a_, b_, c_;  // b's edges are edges of c, too
  std::vector<std::unique_ptr<Member>> modules_;
  AfterTicks change_, look_;
  std::uint64_t changes_ = 0;
};

/// Runs until nothing is left to do, over all pauses.
std::string all_events(bool ahead) {
  set_simulation_resolution();
  if (ahead) run_ahead_of_kernel();
  Crowd crowd;
  do {
    sc_core::sc_start();
    crowd.note(99);
  } while (sc_core::sc_pending_activity());
  const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(crowd.events.begin(), crowd.events.end(), earlier)) return "time goes back";
  std::sort(crowd.events.begin(), crowd.events.end());
  // Who asks twice for a pause in one instant may get one or two.
  const auto end = std::unique(crowd.events.begin(), crowd.events.end());
  crowd.events.erase(end, crowd.events.end());
  std::string text;
  for (const auto& [time, what] : crowd.events)
    text += std::to_string(time) + ": " + std::to_string(what) + "\n";
  return text;
}

/// The same from a process of its own, since SystemC elaborates once in each.
std::string all_events_of_another_process(bool ahead) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = all_events(ahead);
    const bool written = write(ends[1], text.data(), text.size()) == ssize_t(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t size; (size = read(ends[0], part, sizeof part)) > 0;) text.append(part, size);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? text : "failed";
}

TEST(EdgeLoop, TheEdgesAreThoseOfTheKernel) {
  const std::string with_kernel = all_events_of_another_process(false);
  const std::string ahead = all_events_of_another_process(true);
  const auto differs =
      std::mismatch(ahead.begin(), ahead.end(), with_kernel.begin(), with_kernel.end());
  EXPECT_EQ(std::string(differs.first, ahead.end()).substr(0, 200),
            std::string(differs.second, with_kernel.end()).substr(0, 200));
  EXPECT_GT(with_kernel.size(), 20'000u);
  EXPECT_NE(with_kernel.find(": 99\n"), with_kernel.rfind(": 99\n"));
}

TEST(EdgeLoop, TheKernelsTimeStandsStill) {
  struct Counter : Clocked {
    using Clocked::Clocked;
    Cycle tick(Cycle now) override {
      if (now != 0) kernel_times.push_back(sc_core::sc_time_stamp().value());
      return now < 5 ? now + 1 : kNever;
    }
    std::vector<Femtoseconds> kernel_times;
  };
  set_simulation_resolution();
  run_ahead_of_kernel();
  ClockDomain domain("domain", 1'000'000'000);
  Counter counter(domain);
  sc_core::sc_start();
  EXPECT_EQ(counter.kernel_times, std::vector<Femtoseconds>(5, 1'000'000));
  EXPECT_EQ(simulation_now(), 5'000'000u);
}

TEST(EdgeLoop, NothingFollowsAFailure) {
  struct Failing : Clocked {
    using Clocked::Clocked;
    Cycle tick(Cycle now) override {
      last = now;
      if (now == 3) throw SimulationError("in cycle 3");
      return now + 1;
    }
    Cycle last = 0;
  };
  set_simulation_resolution();
  run_ahead_of_kernel();
  ClockDomain first("first", 1'000'000'000), second("second", 1'000'000'000);
  Failing failing(first), other(second);
  sc_core::sc_start();
  EXPECT_EQ(failing.last, 3u);
  EXPECT_EQ(other.last, 2u);
  EXPECT_EQ(simulation_now(), 3'000'000u);
  EXPECT_THROW(rethrow_tick_failure(), SimulationError);
}

}  // namespace
}  // namespace warpmem
