// SPDX-License-Identifier: Apache-2.0
// What every miss handler must do: random requests against a reference of deques. No target is
// lost, duplicated or reordered; the capacity is that of the structure; a refusal has its cause; a
// closed or draining entry takes no merge. (Handlers that share the cache's tags:
// tsma_contract_test.cpp.)
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "cache/mha/capacity.hpp"
#include "support/mha_bench.hpp"

namespace warpmem::mha {
namespace {

struct HandlerCase {
  const char* name;
  MhaParams params;
};

MhaParams conventional(std::uint32_t entries, std::uint32_t slots) {
  MhaParams p;
  p.entries = entries;
  p.slots = slots;
  return p;
}
MhaParams set_associative(std::uint32_t entries, std::uint32_t slots, std::uint32_t ways) {
  MhaParams p = conventional(entries, slots);
  p.kind = Kind::set_associative;
  p.associativity = ways;
  return p;
}
MhaParams dl(std::uint32_t entries, std::uint32_t slots, std::uint32_t slots_per_set,
             double reserved, bool tail_pointer = true) {
  MhaParams p = conventional(entries, slots);
  p.kind = Kind::dl;
  p.slots_per_set = slots_per_set;
  p.reserved_fraction = reserved;
  p.tail_pointer = tail_pointer;
  return p;
}

void PrintTo(const HandlerCase& c, std::ostream* out) { *out << c.name; }

/// What must be in the handler, by the rules of the structure.
class Reference {
 public:
  explicit Reference(const MhaParams& params) : params_(params) {}

  struct Entry {
    std::deque<Payload*> targets;
    std::uint32_t taken = 0;
    Match state = Match::pending;
    bool reserved_head = false;
    bool uncertain = false;  // whether it got a reserved head
  };

  Match find(Addr block) const {
    const auto it = entries_.find(block);
    return it == entries_.end() ? Match::none : it->second.state;
  }
  Stall expect_allocate(Addr block) const {
    switch (params_.kind) {
      case Kind::conventional:
        return entries_.size() < params_.entries ? Stall::none : Stall::entry_full;
      case Kind::set_associative: {
        const std::uint32_t sets = params_.entries / params_.associativity;
        std::uint32_t used = 0;
        for (const auto& [other, entry] : entries_)
          used += other / kLine % sets == block / kLine % sets;
        return used < params_.associativity ? Stall::none : Stall::mshr_set_full;
      }
      case Kind::dl:
        return used_sets() < params_.dl_sets() ? Stall::none : Stall::entry_full;
      case Kind::tsma:
      case Kind::htsma:
        break;  // tsma_contract_test.cpp
    }
    return Stall::none;
  }
  Stall expect_merge(Addr block) const {
    const Entry& entry = entries_.at(block);
    if (params_.kind != Kind::dl)
      return entry.taken < params_.slots ? Stall::none : Stall::merge_full;
    if (entry.taken % params_.slots_per_set != 0) return Stall::none;
    return ordinary_sets_used() < params_.dl_sets() - params_.dau_size().reserved
               ? Stall::none
               : Stall::merge_full;
  }
  /// With `releasing`, sets that are free here may not be so in the handler yet.
  void allocate(Addr block, Payload& p, bool releasing) {
    Entry entry;
    entry.targets.push_back(&p);
    entry.taken = 1;
    const DauSize dau = params_.dau_size();
    entry.reserved_head = reserved_heads() < dau.reserved;
    entry.uncertain = releasing && dau.reserved != 0 && dau.reserved != dau.sets;
    entries_[block] = entry;
  }
  void merge(Addr block, Payload& p) {
    entries_[block].targets.push_back(&p);
    ++entries_[block].taken;
  }
  void close(Addr block) { entries_[block].state = Match::closed; }
  void fill(Addr block) {
    entries_[block].state = Match::draining;
    drains_.push_back(block);
  }
  Payload* target() const {
    return drains_.empty() ? nullptr : entries_.at(drains_.front()).targets.front();
  }
  Addr drain_block() const { return drains_.front(); }
  void pop() {
    Entry& entry = entries_[drains_.front()];
    entry.targets.pop_front();
    if (!entry.targets.empty()) return;
    entries_.erase(drains_.front());
    drains_.pop_front();
  }
  bool empty() const { return entries_.empty(); }
  bool certain() const {
    for (const auto& [block, entry] : entries_)
      if (entry.uncertain) return false;
    return true;
  }
  std::uint32_t occupied() const {
    std::uint32_t taken = 0;
    for (const auto& [block, entry] : entries_) taken += entry.taken;
    return taken;
  }
  std::vector<Addr> blocks(Match a, Match b) const {
    std::vector<Addr> found;
    for (const auto& [block, entry] : entries_)
      if (entry.state == a || entry.state == b) found.push_back(block);
    return found;
  }

 private:
  std::uint32_t sets_of(const Entry& e) const {
    return (e.taken + params_.slots_per_set - 1) / params_.slots_per_set;
  }
  std::uint32_t used_sets() const {
    std::uint32_t used = 0;
    for (const auto& [block, entry] : entries_) used += sets_of(entry);
    return used;
  }
  std::uint32_t reserved_heads() const {
    std::uint32_t heads = 0;
    for (const auto& [block, entry] : entries_) heads += entry.reserved_head;
    return heads;
  }
  std::uint32_t ordinary_sets_used() const { return used_sets() - reserved_heads(); }

  MhaParams params_;
  std::map<Addr, Entry> entries_;
  std::deque<Addr> drains_;
};

class HandlerContract : public testing::TestWithParam<HandlerCase> {
 protected:
  void run() {
    // Many blocks fill the entries, few blocks their slots; seldom fills fill both.
    for (const std::uint64_t blocks : {64, 6, 2}) {
      for (const unsigned fills : {2, 10, 40}) {
        blocks_ = blocks;
        fill_percent_ = fills;
        for (int i = 0; i < 3000; ++i) {
          step();
          if (HasFatalFailure()) return;
        }
      }
    }
    EXPECT_GT(accepted_, 3000u);
    EXPECT_GT(refused_, 1000u);
  }

  /// Does one cycle of random work, in the order of a cache's stages.
  void step() {
    bench_.cycle([&] {
      if (Payload* const target = handler().target()) {
        ASSERT_EQ(target, reference_.target());
        ASSERT_EQ(handler().drain_block(), reference_.drain_block());
        if (random_.chance(80)) {
          handler().pop_target();
          reference_.pop();
        }
      } else {
        ASSERT_EQ(reference_.target(), nullptr);
      }
      if (random_.chance(fill_percent_)) fill();
      if (random_.chance(3)) close();
      if (random_.chance(90) && (!only_at_rest_ || !handler().busy())) request();
    });
    ASSERT_EQ(handler().occupied(), reference_.occupied());
    ASSERT_LE(handler().occupied(), handler().slots());
  }

  void fill() {
    const std::vector<Addr> waiting = reference_.blocks(Match::pending, Match::closed);
    if (waiting.empty()) return;
    const Addr block = waiting[random_.below(waiting.size())];
    handler().fill(block);
    reference_.fill(block);
  }
  void close() {
    const std::vector<Addr> open = reference_.blocks(Match::pending, Match::pending);
    if (open.empty()) return;
    const Addr block = open[random_.below(open.size())];
    handler().close(block);
    reference_.close(block);
  }
  // Makes a request at the head of a queue: it asks again until it is accepted.
  void request() {
    if (head_ == nullptr) {
      head_ = &bench_.payload();
      head_block_ = random_.below(blocks_) * kLine;
    }
    const Match match = handler().find(head_block_);
    ASSERT_EQ(match, reference_.find(head_block_));
    Stall refusal = Stall::none;
    if (match == Match::none) {
      refusal = bench_.allocate(head_block_, *head_);
      check_refusal(refusal, reference_.expect_allocate(head_block_));
      if (refusal == Stall::none) reference_.allocate(head_block_, *head_, !released());
    } else if (match == Match::pending) {
      refusal = handler().merge(head_block_, *head_);
      check_refusal(refusal, reference_.expect_merge(head_block_));
      if (refusal == Stall::none) reference_.merge(head_block_, *head_);
    } else {
      return;  // wait until the entry is gone
    }
    if (refusal == Stall::none) {
      head_ = nullptr;
      ++accepted_;
    } else {
      ++refused_;
    }
  }
  // Finding a tail may take some cycles, and so does the release of a drained chain: until then
  // there is less room than in the reference. Else the answers are equal.
  void check_refusal(Stall got, Stall expected) {
    if (got == Stall::mshr_search || !reference_.certain()) return;
    if (expected != Stall::none || released()) {
      ASSERT_EQ(got, expected);
      ++compared_;
    }
  }
  bool released() { return GetParam().params.kind != Kind::dl || !handler().busy(); }
  MissHandler& handler() { return *bench_; }

  MhaBench bench_{GetParam().params};
  Reference reference_{GetParam().params};
  Random random_{20190626};
  unsigned fill_percent_ = 20;
  std::uint64_t blocks_ = 24;
  bool only_at_rest_ = false;  // requests come when nothing drains or is being released
  Payload* head_ = nullptr;
  Addr head_block_ = 0;
  std::uint64_t accepted_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t compared_ = 0;
};

TEST_P(HandlerContract, AgreesWithTheReference) { run(); }

// The reference knows no time that a release takes: here every answer is compared.
TEST_P(HandlerContract, AgreesWithTheReferenceAtRest) {
  only_at_rest_ = true;
  run();
  EXPECT_GT(compared_, 3000u);
}

TEST_P(HandlerContract, EndsEmpty) {
  for (int i = 0; i < 500; ++i) step();
  while (!reference_.empty()) {
    bench_.cycle([&] {
      if (handler().target() != nullptr) {
        ASSERT_EQ(handler().target(), reference_.target());
        handler().pop_target();
        reference_.pop();
      }
      fill();
    });
  }
  EXPECT_FALSE(handler().describe().empty());
  bench_.settle();
  EXPECT_TRUE(handler().empty());
  EXPECT_EQ(handler().occupied(), 0u);
  EXPECT_EQ(handler().target(), nullptr);
}

// What is planned with before a handler is made (capacity.hpp) is what it then has.
TEST_P(HandlerContract, HoldsAsManyMissesAsItsParametersSay) {
  unsigned taken = 0;
  while (bench_.allocate(taken * kLine) == Stall::none) ++taken;
  EXPECT_EQ(taken, handler().most_misses());
  EXPECT_EQ(taken, most_misses(GetParam().params));
}

TEST_P(HandlerContract, DrainsInTheOrderOfFills) {
  ASSERT_EQ(bench_.allocate(0 * kLine), Stall::none);
  ASSERT_EQ(bench_.allocate(1 * kLine), Stall::none);
  bench_.cycle([&] { handler().fill(1 * kLine); });
  bench_.cycle([&] { handler().fill(0 * kLine); });
  EXPECT_EQ(handler().find(1 * kLine), Match::draining);
  EXPECT_EQ(handler().drain_block(), 1 * kLine);
  bench_.cycle([&] { handler().pop_target(); });
  EXPECT_EQ(handler().find(1 * kLine), Match::none);
  EXPECT_EQ(handler().drain_block(), 0 * kLine);
}

INSTANTIATE_TEST_SUITE_P(
    Handlers, HandlerContract,
    testing::Values(HandlerCase{"conventional_8x4", conventional(8, 4)},
                    HandlerCase{"conventional_2x1", conventional(2, 1)},
                    HandlerCase{"set_associative_8x4_of_2", set_associative(8, 4, 2)},
                    HandlerCase{"set_associative_12x2_of_4", set_associative(12, 2, 4)},
                    HandlerCase{"dl_16_sets_of_2", dl(8, 4, 2, 0)},
                    HandlerCase{"dl_16_sets_of_2_half_reserved", dl(8, 4, 2, 0.5)},
                    HandlerCase{"dl_5_sets_of_2_some_reserved", dl(5, 2, 2, 0.4)},
                    HandlerCase{"dl_8_sets_of_4", dl(8, 4, 4, 0.5)},
                    HandlerCase{"dl_32_sets_of_1", dl(8, 4, 1, 0.25)},
                    HandlerCase{"dl_all_reserved", dl(4, 4, 2, 1)},
                    HandlerCase{"dl_without_tail_pointer", dl(8, 4, 2, 0.5, false)}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpmem::mha
