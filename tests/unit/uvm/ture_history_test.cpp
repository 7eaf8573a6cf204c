// SPDX-License-Identifier: Apache-2.0
// TURE against a reference that keeps nothing but maps and lists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "fake_memory.hpp"
#include "uvm/evict/ture.hpp"

namespace warpmem::uvm {
namespace {

// This is the mechanism again, with nothing but maps and lists that are searched from end to end.
class NaiveTure {
 public:
  NaiveTure(const FakeMemory& memory, const TureParams& params)
      : memory_(memory), params_(params) {}

  void arrived(PageNumber page, Cycle now) {
    advance(now);
    const unsigned group = memory_.allocation_of(page)->index;
    left_[page] = lease_[group] == 0 ? -1 : lease_[group];
    use_block(page);
  }
  void touched(PageNumber page, Cycle now) {
    advance(now);
    const Allocation& a = *memory_.allocation_of(page);
    if (now % params_.period_cycles < params_.sample_cycles) sample(a, page);
    use_block(page);
    int& left = left_[page];
    const int lease = lease_[a.index];
    const Key key{a.index, page / 16};
    if (left == 0) {
      for (const PageNumber p : table_[key]) left_[p] = std::max(1, lease / 2);
      left = std::max(1, lease / 2);
      table_.erase(key);
      order_.erase(std::remove(order_.begin(), order_.end(), key), order_.end());
      return;
    }
    if (left < 0 && lease != 0) left = lease;
    if (left < 0 || --left > 0) return;
    if (table_.count(key) == 0 && table_.size() == params_.table_entries) {
      left = 1;
      return;
    }
    table_[key].insert(page);
    order_.erase(std::remove(order_.begin(), order_.end(), key), order_.end());
    order_.push_back(key);
  }
  void gone(PageNumber page) {
    const Key key = key_of(page);
    left_.erase(page);
    const auto entry = table_.find(key);
    if (entry != table_.end() && entry->second.erase(page) != 0 && entry->second.empty()) {
      table_.erase(entry);
      order_.erase(std::remove(order_.begin(), order_.end(), key), order_.end());
    }
  }
  bool full() const { return table_.size() == params_.table_entries; }
  std::vector<PageNumber> choose_expired() {
    const Key key = order_.front();
    std::vector<PageNumber> victims;
    for (const PageNumber p : table_[key])
      if (memory_.evictable(p)) victims.push_back(p);
    table_.erase(key);
    order_.erase(order_.begin());
    for (const PageNumber p : victims) left_.erase(p);
    return victims;
  }
  std::vector<PageNumber> choose(std::uint64_t wanted) {
    std::vector<PageNumber> victims;
    while (victims.size() < wanted) {
      for (unsigned i = 0; i < params_.blocks; ++i) {
        std::vector<Key> keys = order_;
        std::vector<std::pair<std::uint64_t, Key>> lru;
        for (const auto& [key, time] : block_use_) lru.emplace_back(time, key);
        std::sort(lru.begin(), lru.end());
        for (const auto& entry : lru) keys.push_back(entry.second);
        const std::size_t before = victims.size();
        for (std::size_t k = 0; k < keys.size() && victims.size() == before; ++k)
          for (PageNumber p = keys[k].second * 16; p < keys[k].second * 16 + 16; ++p)
            if (left_.count(p) != 0 && memory_.allocation_of(p)->index == keys[k].first &&
                memory_.evictable(p))
              victims.push_back(p);
        if (victims.size() == before) return victims;
        for (std::size_t v = before; v < victims.size(); ++v) gone(victims[v]);
      }
    }
    return victims;
  }
  int remaining(PageNumber page) const { return left_.at(page); }
  std::size_t entries() const { return table_.size(); }

 private:
  using Key = std::pair<unsigned, PageNumber>;
  struct Sample {
    unsigned uses = 0;
    std::set<PageNumber> pages;
  };
  Key key_of(PageNumber page) const { return {memory_.allocation_of(page)->index, page / 16}; }
  void use_block(PageNumber page) { block_use_[key_of(page)] = ++clock_; }
  void sample(const Allocation& a, PageNumber page) {
    const Key key = key_of(page);
    if (samples_.count(key) == 0) {
      std::uint64_t own = 0, all = 0;
      for (const auto& entry : samples_) own += entry.first.first == a.index;
      for (const Allocation& other : memory_.allocations()) all += other.pages;
      if (samples_.size() == params_.sample_entries ||
          own >= std::max<std::uint64_t>(1, params_.sample_entries * a.pages / all))
        return;
    }
    Sample& entry = samples_[key];
    entry.uses = std::min(entry.uses + 1, (1u << params_.counter_bits) - 1);
    entry.pages.insert(page);
  }
  void advance(Cycle now) {
    if (now / params_.period_cycles == window_ &&
        now % params_.period_cycles < params_.sample_cycles)
      return;
    std::map<unsigned, std::vector<double>> ratios;
    for (const auto& [key, entry] : samples_)
      ratios[key.first].push_back(
          std::floor(256.0 * entry.uses / static_cast<double>(entry.pages.size())));
    for (const auto& [group, list] : ratios) {
      const double average =
          std::floor(std::accumulate(list.begin(), list.end(), 0.0) / list.size());
      const double old = 256.0 * lease_[group];
      const double next =
          old == 0 ? average
                   : std::floor((params_.weight * average + (100 - params_.weight) * old) / 100);
      lease_[group] =
          std::clamp(static_cast<int>(std::ceil(next / 256)), 1, (1 << params_.lease_bits) - 2);
    }
    samples_.clear();
    window_ = now / params_.period_cycles;
  }

  const FakeMemory& memory_;
  TureParams params_;
  Cycle window_ = 0;
  std::uint64_t clock_ = 0;
  std::map<unsigned, int> lease_;
  std::map<Key, Sample> samples_;
  std::map<PageNumber, int> left_;  // -1: no lease yet
  std::map<Key, std::set<PageNumber>> table_;
  std::vector<Key> order_;  // keys of the table, by last update
  std::map<Key, std::uint64_t> block_use_;
};

TEST(TureHistory, AgainstMapsAndLists) {
  std::uint64_t recalls = 0, full_pages = 0, short_blocks = 0, coalesced = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    TureParams params;
    params.table_entries = 2 + static_cast<unsigned>(random.below(9));
    params.sample_entries = 1 + static_cast<unsigned>(random.below(16));
    params.sample_cycles = 50;
    params.period_cycles = 200;
    params.blocks = 1 + static_cast<unsigned>(random.below(4));
    params.counter_bits = 4;
    params.lease_bits = 3 + static_cast<unsigned>(random.below(8));
    params.weight = 1 + static_cast<unsigned>(random.below(100));
    FakeMemory memory(64 * kMiB);
    TureEvictor ture(memory, 12, params);
    memory.evictor = &ture;
    NaiveTure naive(memory, params);
    for (unsigned i = 0; i < 3; ++i)
      memory.allocate(kBase + i * 2 * kMiB + (i == 1 ? 20 * kKiB : 0),
                      64 * kKiB + random.below(kMiB));
    for (int step = 0; step < 6000; ++step) {
      memory.now += random.below(6);
      const Allocation& a = memory.allocations()[random.below(3)];
      const PageNumber page = a.first + random.below(a.pages);
      const PageNumber end = std::min(page + 1 + random.below(12), a.first + a.pages);
      const std::uint64_t what = random.below(20);
      if (what < 5) {
        for (PageNumber p = page; p < end; ++p) {
          if (memory.resident(p)) continue;
          memory.bring(p);
          naive.arrived(p, memory.now);
        }
      } else if (what < 18) {
        for (PageNumber p = page; p < end; ++p) {
          if (!memory.resident(p)) continue;
          memory.touch(p);
          naive.touched(p, memory.now);
        }
      } else if (what < 19) {
        if (memory.resident(page)) {
          memory.drop(page, false);
          naive.gone(page);
        }
      } else {
        memory.pinned.clear();
        for (const PageNumber p : memory.resident_pages)
          if (random.chance(3)) memory.pinned.insert(p);
        const std::uint64_t wanted = 1 + random.below(60);
        const auto expected = naive.choose(wanted);
        ASSERT_EQ(memory.evict(wanted), expected) << "step " << step;
        memory.pinned.clear();
      }
      ASSERT_EQ(ture.has_expired(), naive.full()) << "step " << step;
      if (ture.has_expired() && random.chance(60)) {
        const auto expected = naive.choose_expired();
        ASSERT_EQ(memory.evict_expired(), expected) << "step " << step;
      }
      ASSERT_EQ(ture.table().used(), naive.entries()) << "step " << step;
      if (memory.resident(page)) {
        const auto left = static_cast<int>(ture.remaining(a, page));
        ASSERT_EQ(left == (1 << params.lease_bits) - 1 ? -1 : left, naive.remaining(page));
      }
    }
    const TureEvictor::Stats& s = ture.stats();
    EXPECT_EQ(s.arrived, s.full_pages + s.short_pages + s.left + s.resident);
    EXPECT_EQ(s.resident, memory.resident_pages.size());
    recalls += s.recalls;
    full_pages += s.full_pages;
    short_blocks += s.short_blocks;
    coalesced += s.coalesced;
  }
  EXPECT_GT(recalls, 1000u);
  EXPECT_GT(full_pages, 1000u);
  EXPECT_GT(short_blocks, 100u);
  EXPECT_GT(coalesced, 1000u);
}

TEST(TureHistory, NothingIsLeftWhenAnAllocationIsFreed) {
  FakeMemory memory(64 * kMiB);
  TureEvictor ture(memory, 12, {});
  memory.evictor = &ture;
  const Allocation a = memory.allocate(kBase, kMiB);
  for (const PageNumber p : range(a.first, a.pages)) memory.bring(p);
  memory.now = 500;
  for (const PageNumber p : range(a.first, a.pages)) memory.touch(p);
  memory.now = 1500;
  for (const PageNumber p : range(a.first, a.pages)) memory.touch(p);
  EXPECT_EQ(ture.table().used(), 16u);
  for (const PageNumber p : range(a.first, a.pages)) memory.drop(p, false);
  EXPECT_EQ(ture.table().used(), 0u);
  ture.freed(memory.allocations().front());
  std::vector<PageNumber> victims;
  ture.choose(1, 2000, victims);
  EXPECT_TRUE(victims.empty());
}

}  // namespace
}  // namespace warpmem::uvm
