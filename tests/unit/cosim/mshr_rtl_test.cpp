// SPDX-License-Identifier: Apache-2.0
// The MSHR files of rtl/ against a naive model: a list of blocks, each with the requests that wait
// for it. Random requests, also of blocks that drain; the model knows no entries, so that those
// that the unit names are checked for being free, and unique.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "cosim/mshr_library.hpp"

namespace warpmem::cosim {
namespace {

struct Size {
  std::string unit;
  UnitParameters parameters;
  std::uint32_t sets;   ///< of entries
  std::uint32_t ways;   ///< entries of a set
  std::uint32_t slots;  ///< of an entry
  std::uint32_t addr_bits;
};

void PrintTo(const Size& size, std::ostream* out) {
  *out << size.unit << ' ' << size.sets << 'x' << size.ways << 'x' << size.slots;
}

struct Block {
  std::uint32_t addr = 0;  ///< tsma: a name of ours, the unit has the entry alone
  std::uint32_t entry = 0;
  std::deque<std::uint32_t> requests;
  std::uint32_t count = 0;  ///< requests taken
};

class NaiveMshr {
 public:
  explicit NaiveMshr(const Size& size) : size_(size) {}

  Block* find(std::uint32_t addr) {
    for (Block& block : blocks_)
      if (block.addr == addr) return &block;
    return nullptr;
  }
  bool drains(const Block* block) const { return block != nullptr && block->addr == draining_; }
  MshrFail refusal(std::uint32_t addr, bool returns_now) {
    const Block* const block = find(addr);
    if (block == nullptr) {
      const auto of_set = std::count_if(blocks_.begin(), blocks_.end(), [&](const Block& b) {
        return b.addr % size_.sets == addr % size_.sets;
      });
      return of_set == size_.ways ? MshrFail::entry_full : MshrFail::none;
    }
    if (drains(block) || returns_now) return MshrFail::draining;
    return block->count == size_.slots ? MshrFail::merge_full : MshrFail::none;
  }
  void take(std::uint32_t addr, std::uint32_t entry, std::uint32_t request) {
    Block* block = find(addr);
    if (block == nullptr) {
      blocks_.push_back({addr, entry, {}, 0});
      block = &blocks_.back();
    }
    block->requests.push_back(request);
    ++block->count;
  }
  void returns(std::uint32_t addr) { draining_ = addr; }
  Block* draining() { return draining_ == kNone ? nullptr : find(draining_); }
  void pop() {
    Block* const block = draining();
    block->requests.pop_front();
    if (!block->requests.empty()) return;
    blocks_.erase(blocks_.begin() + (block - blocks_.data()));
    draining_ = kNone;
  }
  std::vector<Block>& blocks() { return blocks_; }
  bool entry_used(std::uint32_t entry) const {
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [&](const Block& b) { return b.entry == entry; });
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Size size_;
  std::vector<Block> blocks_;
  std::uint32_t draining_ = kNone;
};

class MshrRtl : public testing::TestWithParam<Size> {};

TEST_P(MshrRtl, AnswersLikeTheNaiveModelInEveryCycle) {
  const Size& size = GetParam();
  const bool tagless = size.unit == "tsma";
  const auto unit = make_library_mshr(size.unit, size.parameters, default_places());
  const std::uint32_t entries = size.sets * size.ways;
  NaiveMshr model(size);
  Random random(entries * 100 + size.slots);
  std::uint64_t fails[4] = {}, drained = 0, back_to_back = 0;

  for (unsigned cycle = 0; cycle < 200000; ++cycle) {
    // Phases: few blocks (merges), many blocks (no entry), slow and fast returns.
    const std::uint32_t addresses = cycle / 1000 % 2 == 0 ? entries / 2 + 1 : entries * 2 + 1;
    const unsigned returns = cycle / 3000 % 2 == 0 ? 10 : 60;
    const std::uint32_t mask = (std::uint32_t{1} << size.addr_bits) - 1;
    // Odd factors keep different numbers different, and use all bits.
    const auto address = [&] {
      return static_cast<std::uint32_t>(random.below(addresses) * 2654435761u) & mask;
    };

    MshrIn in;
    in.req_valid = random.chance(80);
    const std::uint32_t addr = address();
    in.req_slot = static_cast<std::uint32_t>(random.below(1 << 16));
    in.rsp_ready = random.chance(80);
    std::uint32_t returned = address();  // also of no block
    if (!model.blocks().empty() && random.chance(70))
      returned = model.blocks()[random.below(model.blocks().size())].addr;
    in.ret_valid = random.chance(returns);
    if (tagless) {
      const Block* const found = model.find(addr);
      in.req_secondary = found != nullptr;
      in.req_addr =
          found != nullptr ? found->entry : static_cast<std::uint32_t>(random.below(entries));
      const Block* const back = model.find(returned);
      if (back == nullptr) in.ret_valid = false;
      in.ret_addr = back != nullptr ? back->entry : 0;
    } else {
      in.req_addr = addr;
      in.ret_addr = returned;
    }

    const MshrOut out = unit->eval(in);
    Block* const draining = model.draining();
    const bool leaves = draining != nullptr && draining->requests.size() == 1 && in.rsp_ready;
    ASSERT_EQ(out.rsp_valid, draining != nullptr) << "cycle " << cycle;
    if (draining != nullptr) {
      ASSERT_EQ(out.rsp_slot, draining->requests.front()) << "cycle " << cycle;
      ASSERT_EQ(out.rsp_entry, draining->entry);
      if (!tagless) {
        ASSERT_EQ(out.rsp_addr, draining->addr);
      }
    }
    ASSERT_EQ(out.rsp_last, draining != nullptr && draining->requests.size() == 1);
    ASSERT_EQ(out.ret_ready, draining == nullptr || leaves);

    Block* const back = model.find(returned);
    const bool ret_fires = in.ret_valid && out.ret_ready && back != nullptr && !model.drains(back);
    const MshrFail fail = model.refusal(addr, ret_fires && returned == addr);
    ASSERT_EQ(out.req_ready, fail == MshrFail::none) << "cycle " << cycle;
    ASSERT_EQ(out.rf, in.req_valid && fail != MshrFail::none);
    ASSERT_EQ(out.rf_cause, in.req_valid ? fail : MshrFail::none) << "cycle " << cycle;
    const Block* const found = model.find(addr);
    if (!tagless) {
      ASSERT_EQ(out.req_secondary, found != nullptr);
    }
    if (fail == MshrFail::none) {
      ASSERT_LT(out.req_entry, entries);
      if (found != nullptr) {
        ASSERT_EQ(out.req_entry, found->entry);
      } else {
        ASSERT_FALSE(model.entry_used(out.req_entry)) << "cycle " << cycle;
        ASSERT_EQ(out.req_entry / size.ways, addr % size.sets);
      }
    } else {
      ASSERT_EQ(out.req_entry, 0u);
    }

    const bool takes = in.req_valid && fail == MshrFail::none;
    fails[static_cast<unsigned>(out.rf_cause)] += in.req_valid;
    if (draining != nullptr && in.rsp_ready) {
      model.pop();
      ++drained;
    }
    if (takes) model.take(addr, out.req_entry, in.req_slot);
    if (ret_fires) {
      model.returns(returned);
      back_to_back += leaves;
    }
    unit->commit(in);
    ASSERT_EQ(unit->failure(), "") << "cycle " << cycle;
  }
  for (const std::uint64_t fail : fails) EXPECT_GT(fail, 0u);
  EXPECT_GT(drained, 3000u);
  EXPECT_EQ(back_to_back > 0, entries > 1);
}

Size conventional(std::uint32_t entries, std::uint32_t slots, std::uint32_t addr_bits = 25) {
  return {"mshr_conventional",
          {{"ENTRIES", entries}, {"SLOTS", slots}, {"ADDR_BITS", addr_bits}, {"SLOT_BITS", 16}},
          1,
          entries,
          slots,
          addr_bits};
}
Size set_assoc(std::uint32_t sets, std::uint32_t ways, std::uint32_t slots) {
  return {"mshr_set_assoc",
          {{"ENTRIES", sets * ways},
           {"WAYS", ways},
           {"SLOTS", slots},
           {"ADDR_BITS", 25},
           {"SLOT_BITS", 16}},
          sets,
          ways,
          slots,
          25};
}
Size tsma(std::uint32_t entries, std::uint32_t slots) {
  return {"tsma", {{"ENTRIES", entries}, {"SLOTS", slots}, {"SLOT_BITS", 16}}, 1, entries, slots,
          25};
}

INSTANTIATE_TEST_SUITE_P(Conventional, MshrRtl,
                         testing::Values(conventional(32, 8), conventional(5, 3, 7),
                                         conventional(1, 1), conventional(1, 4)));
INSTANTIATE_TEST_SUITE_P(SetAssoc, MshrRtl,
                         testing::Values(set_assoc(8, 4, 8), set_assoc(4, 3, 5), set_assoc(8, 1, 1),
                                         set_assoc(1, 6, 2)));
INSTANTIATE_TEST_SUITE_P(Tsma, MshrRtl, testing::Values(tsma(48, 8), tsma(5, 3), tsma(1, 2)));

}  // namespace
}  // namespace warpmem::cosim
