// SPDX-License-Identifier: Apache-2.0
// TSMA and HTSMA under random requests, with the cache's tags beside them, against deques and a
// naive cache: the steering, every refusal and every victim, the capacity, and no target lost,
// duplicated or reordered. (The handlers with tags of their own: handler_contract_test.cpp.)
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "cache/mha/capacity.hpp"
#include "naive_cache.hpp"
#include "support/core_file.hpp"
#include "support/mha_bench.hpp"
#include "units/htsma/htsma_core.hpp"

namespace warpmem::mha {
namespace {

struct TsmaCase {
  const char* name;
  MhaParams params;
  std::uint32_t sets;
  std::uint32_t ways;
  std::unique_ptr<MshrFile> (*file)() = nullptr;  ///< its whole file, which must agree
};
void PrintTo(const TsmaCase& c, std::ostream* out) { *out << c.name; }

MhaParams tsma(std::uint32_t entries, std::uint32_t slots) {
  MhaParams p;
  p.kind = Kind::tsma;
  p.entries = entries;
  p.slots = slots;
  return p;
}
MhaParams htsma(std::uint32_t entries, std::uint32_t slots, std::uint32_t small_entries,
                std::uint32_t small_slots, bool pipelined = false) {
  MhaParams p = tsma(entries, slots);
  p.kind = Kind::htsma;
  p.small_entries = small_entries;
  p.small_slots = small_slots;
  p.pipelined = pipelined;
  return p;
}

/// Makes the file of such a case.
template <unsigned kEntries, unsigned kSlots, unsigned kSmallEntries, unsigned kSmallSlots,
          unsigned kWays>
std::unique_ptr<MshrFile> hybrid_file() {
  static const Lie kNone;
  return std::make_unique<
      LyingFile<units::HtsmaCore<kEntries, kSlots, kSmallEntries, kSmallSlots, kWays, 64, 16>>>(
      "htsma", kNone);
}
TsmaCase with_file(TsmaCase c, std::unique_ptr<MshrFile> (*file)()) {
  c.params.file = View::core;
  c.file = file;
  return c;
}
UnitFactories units_of(const TsmaCase& c, FileEdges* edges) {
  UnitFactories units;
  if (c.file != nullptr) units.file = [&c](View, const MshrSize&) { return c.file(); };
  units.file_edges = edges;
  return units;
}

class TsmaContract : public testing::TestWithParam<TsmaCase> {
 protected:
  struct Entry {
    std::deque<Payload*> targets;
    std::uint32_t taken = 0;
    Match state = Match::pending;
    bool array = false;
    std::uint32_t index = 0;
  };

  void step() {
    bench_.cycle([&] {
      released_ = 0;
      if (Payload* const target = handler().target()) {
        ASSERT_FALSE(drains_.empty());
        ASSERT_EQ(target, entries_[drains_.front()].targets.front());
        ASSERT_EQ(handler().drain_block(), drains_.front());
        if (random_.chance(80)) pop();
      } else {
        ASSERT_TRUE(drains_.empty());
      }
      if (random_.chance(fill_percent_)) fill();
      if (random_.chance(3)) close();
      if (random_.chance(90)) request();
    });
    std::uint32_t taken = 0;
    for (const auto& [block, entry] : entries_) taken += entry.taken;
    ASSERT_EQ(handler().occupied(), taken);
    ASSERT_LE(used(true), params().entries);
    ASSERT_LE(used(false), params().small_entries);
  }

  Where where(Addr block) { return {block, bench_.tags().find(block, block)}; }

  void pop() {
    const Addr block = drains_.front();
    Entry& entry = entries_[block];
    const LineId line = where(block).line;
    handler().pop_target();
    entry.targets.pop_front();
    if (!entry.targets.empty()) {
      ASSERT_EQ(handler().find({block, line}), Match::draining);
      return;
    }
    ASSERT_EQ(handler().find({block, line}), Match::none);
    released_ += entry.array;
    bench_.tags().install(line, block);
    cache_.release(block);
    entries_.erase(block);
    drains_.pop_front();
  }
  void fill() {
    const Addr block = pick(Match::pending, Match::closed);
    if (block == kNone) return;
    Entry& entry = entries_[block];
    const Where w = where(block);
    ASSERT_EQ(w.line != kNoLine, entry.array);
    if (!entry.array) {
      const LineId line = bench_.tags().victim(block);
      ASSERT_EQ(line != kNoLine, cache_.victim(block) != nullptr);
      if (line == kNoLine) return;  // until an older fill has drained
      bench_.tags().reserve(line, block);
      cache_.take(block, NaiveCache::State::filling);
    }
    handler().fill({block, w.line, entry.index});
    entry.state = Match::draining;
    drains_.push_back(block);
  }
  void close() {
    const Addr block = pick(Match::pending, Match::pending);
    if (block == kNone) return;
    handler().close(where(block));
    entries_[block].state = Match::closed;
  }

  // Makes a request at the head of a queue: it asks again until it is accepted.
  void request() {
    if (head_ == nullptr) {
      head_ = &bench_.payload();
      head_block_ = random_.below(blocks_) * kLine;
    }
    const Addr block = head_block_;
    const Where w = where(block);
    const auto entry = entries_.find(block);
    if (w.line != kNoLine && bench_.tags().state(w.line) == LineState::valid) {
      ASSERT_EQ(entry, entries_.end());
      bench_.tags().touch(w.line);
      cache_.hit(*cache_.find(block));
      ++hits_;
      head_ = nullptr;
      return;
    }
    ASSERT_EQ(handler().find(w), entry == entries_.end() ? Match::none : entry->second.state);
    Stall refusal = Stall::none;
    if (entry == entries_.end()) {
      refusal = primary(block);
    } else if (entry->second.state == Match::pending) {
      const std::uint32_t room = entry->second.array ? params().slots : params().small_slots;
      const Stall expected = entry->second.taken < room ? Stall::none : Stall::merge_full;
      refusal = handler().merge(w, *head_);
      if (refusal != Stall::mshr_search) {
        ASSERT_EQ(refusal, expected);
      }
      if (refusal == Stall::none) {
        entry->second.targets.push_back(head_);
        ++entry->second.taken;
      }
    } else {
      return;  // wait until the entry is gone
    }
    ++seen_[refusal];
    if (refusal == Stall::none) head_ = nullptr;
  }

  Stall primary(Addr block) {
    const NaiveCache::Way way = cache_.steer(block, used(true) + released_, used(false));
    const Stall refusal = bench_.allocate(block, *head_);
    const LineId line = bench_.allocation().line;
    EXPECT_EQ(refusal == Stall::mshr_search ? Stall::none : refusal, way.refusal);
    if (refusal != Stall::none) return refusal;
    EXPECT_EQ(line != kNoLine, way.array);
    if (way.array && way.victim.state == NaiveCache::State::valid) {
      EXPECT_EQ(bench_.tags().block(line), way.victim.block);
    }
    Entry entry;
    entry.targets.push_back(head_);
    entry.taken = 1;
    entry.array = way.array;
    entry.index = bench_.allocation().index;
    for (const auto& [other, e] : entries_) EXPECT_NE(e.index, entry.index);
    entries_[block] = entry;
    if (way.array) {
      bench_.tags().reserve(line, block);
      cache_.take(block, NaiveCache::State::shared);
    }
    return refusal;
  }

  std::uint32_t used(bool array) const {
    std::uint32_t n = 0;
    for (const auto& [block, entry] : entries_) n += entry.array == array;
    return n;
  }
  Addr pick(Match a, Match b) {
    std::vector<Addr> found;
    for (const auto& [block, entry] : entries_)
      if (entry.state == a || entry.state == b) found.push_back(block);
    return found.empty() ? kNone : found[random_.below(found.size())];
  }
  MissHandler& handler() { return *bench_; }
  const MhaParams& params() const { return GetParam().params; }

  static constexpr Addr kNone = ~Addr(0);
  FileEdges edges_;
  MhaBench bench_{GetParam().params, units_of(GetParam(), &edges_), GetParam().sets,
                  GetParam().ways};
  NaiveCache cache_{GetParam().params, GetParam().sets, GetParam().ways};
  std::map<Addr, Entry> entries_;
  std::deque<Addr> drains_;
  Random random_{2017};
  unsigned fill_percent_ = 10;
  std::uint64_t blocks_ = 24;
  Payload* head_ = nullptr;
  Addr head_block_ = 0;
  std::uint32_t released_ = 0;  // array entries, in this cycle
  std::uint64_t hits_ = 0;
  std::map<Stall, unsigned> seen_;
};

TEST_P(TsmaContract, AgreesWithTheReference) {
  for (const std::uint64_t blocks : {96, 20, 5}) {
    for (const unsigned fills : {2, 10, 40}) {
      blocks_ = blocks;
      fill_percent_ = fills;
      for (int i = 0; i < 3000; ++i) {
        step();
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(hits_, 100u);
  EXPECT_GT(seen_[Stall::none], 2000u);
  EXPECT_GT(seen_[Stall::merge_full], 0u);
  EXPECT_EQ(seen_[Stall::set_locked] != 0, params().kind == Kind::tsma);
  EXPECT_EQ(edges_.all > 10'000, GetParam().file != nullptr);
  EXPECT_EQ(edges_.second > 10, GetParam().file != nullptr);  // an s-MSHR's entry is free at once
}

// The lines of the cache may allow fewer; what is planned with (capacity.hpp) is what the handler
// says.
TEST_P(TsmaContract, MostMissesAreThoseOfItsParameters) {
  EXPECT_EQ(handler().most_misses(), most_misses(params()));
  EXPECT_EQ(handler().free_entries(), most_misses(params()));
}

TEST_P(TsmaContract, EndsEmpty) {
  for (int i = 0; i < 800; ++i) step();
  head_ = nullptr;
  for (int i = 0; i < 10000 && !entries_.empty(); ++i) {
    bench_.cycle([&] {
      if (handler().target() != nullptr) pop();
      fill();
    });
  }
  EXPECT_FALSE(handler().describe().empty());
  bench_.settle();
  EXPECT_TRUE(handler().empty());
  EXPECT_EQ(handler().occupied(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Handlers, TsmaContract,
    testing::Values(
        TsmaCase{"tsma_8x4_4_sets_of_2", tsma(8, 4), 4, 2},
        TsmaCase{"tsma_6x3_2_sets_of_4", tsma(6, 3), 2, 4},
        TsmaCase{"tsma_4x2_direct_mapped", tsma(4, 2), 8, 1},
        TsmaCase{"htsma_8x4_and_2", htsma(8, 4, 2, 4), 4, 4},
        TsmaCase{"htsma_3x3_and_4", htsma(3, 3, 4, 2), 4, 2},
        TsmaCase{"htsma_pipelined", htsma(6, 4, 1, 8, true), 2, 4},
        TsmaCase{"htsma_direct_mapped", htsma(6, 4, 3, 2), 8, 1},
        with_file({"file_8x4_and_2", htsma(8, 4, 2, 4), 4, 4}, hybrid_file<8, 4, 2, 4, 4>),
        with_file({"file_3x3_and_4", htsma(3, 3, 4, 2), 4, 2}, hybrid_file<3, 3, 4, 2, 2>),
        with_file({"file_pipelined", htsma(6, 4, 1, 8, true), 2, 4}, hybrid_file<6, 4, 1, 8, 4>),
        with_file({"file_direct_mapped", htsma(6, 4, 3, 2), 8, 1}, hybrid_file<6, 4, 3, 2, 1>)),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpmem::mha
