// SPDX-License-Identifier: Apache-2.0
// The request queue against a plain list, under random legal operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "dram/request_queue.hpp"

namespace warpmem::dram {
namespace {

struct Reference {
  struct Entry {
    unsigned slot;
    unsigned bank;
    std::uint32_t row;
  };
  std::vector<Entry> entries;  // oldest first
  std::vector<int> open;       // row or -1

  unsigned oldest_of(unsigned bank) const {
    for (const Entry& e : entries)
      if (e.bank == bank) return e.slot;
    return RequestQueue::kNone;
  }
  unsigned oldest_hit(unsigned bank) const {
    for (const Entry& e : entries)
      if (e.bank == bank && open[bank] == static_cast<int>(e.row)) return e.slot;
    return RequestQueue::kNone;
  }
};

void compare(const RequestQueue& queue, const Reference& reference, unsigned capacity) {
  ASSERT_EQ(queue.size(), reference.entries.size());
  ASSERT_EQ(queue.full(), reference.entries.size() == capacity);
  ASSERT_EQ(queue.oldest(),
            reference.entries.empty() ? RequestQueue::kNone : reference.entries.front().slot);
  for (unsigned b = 0; b < reference.open.size(); ++b) {
    ASSERT_EQ(queue.oldest_of(b), reference.oldest_of(b));
    ASSERT_EQ(queue.oldest_hit(b), reference.oldest_hit(b));
    ASSERT_EQ((queue.waiting_banks() >> b & 1) != 0, reference.oldest_of(b) != RequestQueue::kNone);
  }
  unsigned slot = queue.oldest();
  for (const auto& e : reference.entries) {
    ASSERT_EQ(slot, e.slot);
    slot = queue.younger(slot);
  }
}

void random_operations(unsigned capacity, unsigned banks, std::uint64_t seed) {
  RequestQueue queue(capacity, banks);
  Reference reference;
  reference.open.assign(banks, -1);
  Random random(seed);
  for (int step = 0; step < 20'000; ++step) {
    const unsigned bank = static_cast<unsigned>(random.below(banks));
    switch (random.below(5)) {
      case 0:
      case 1:
        if (!queue.full()) {
          Request r;
          r.bank = static_cast<std::uint16_t>(bank);
          r.row = static_cast<std::uint32_t>(random.below(3));
          reference.entries.push_back({queue.push(r), bank, r.row});
        }
        break;
      case 2:
        if (!reference.entries.empty()) {
          const std::size_t i = random.below(reference.entries.size());
          const auto e = reference.entries[i];
          ASSERT_EQ(queue[e.slot].row, e.row);
          ASSERT_EQ(queue.remove(e.slot).bank, e.bank);
          reference.entries.erase(reference.entries.begin() + static_cast<long>(i));
        }
        break;
      case 3: {
        const unsigned row = static_cast<unsigned>(random.below(3));
        queue.row_opened(bank, row);
        reference.open[bank] = static_cast<int>(row);
        break;
      }
      default:
        queue.row_closed(bank);
        reference.open[bank] = -1;
    }
    compare(queue, reference, capacity);
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << " step " << step;
  }
}

TEST(DramRequestQueue, MatchesAPlainList) { random_operations(32, 16, 1); }
TEST(DramRequestQueue, OneSlotOneBank) { random_operations(1, 1, 2); }
TEST(DramRequestQueue, OddSizes) { random_operations(7, 3, 3); }

TEST(DramRequestQueue, OrderNumbersGrow) {
  RequestQueue queue(4, 2);
  const unsigned a = queue.push({});
  const unsigned b = queue.push({});
  EXPECT_LT(queue[a].order, queue[b].order);
  queue.remove(a);
  const unsigned c = queue.push({});
  EXPECT_LT(queue[b].order, queue[c].order);
}

}  // namespace
}  // namespace warpmem::dram
