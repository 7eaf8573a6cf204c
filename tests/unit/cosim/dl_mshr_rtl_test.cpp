// SPDX-License-Identifier: Apache-2.0
// rtl/dl_mshr against a naive model of the file: blocks with lists of sets and of requests. It
// gives out the lowest free sets and frees a chain from its tail, a set a cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <ostream>
#include <set>
#include <vector>

#include "base/random.hpp"
#include "cosim/mshr_library.hpp"

namespace warpmem::cosim {
namespace {

struct Size {
  std::uint32_t sets, slots, reserved;
};

void PrintTo(const Size& size, std::ostream* out) {
  *out << size.sets << 'x' << size.slots << ", " << size.reserved << " reserved";
}

struct Block {
  std::uint32_t addr = 0;
  std::vector<std::uint32_t> chain;
  std::vector<std::uint32_t> requests;
  std::size_t drained = 0;
};

/// What a request would get.
struct Answer {
  MshrFail fail = MshrFail::none;
  std::uint32_t set = 0;
  bool link = false;
};

class NaiveDl {
 public:
  explicit NaiveDl(const Size& size) : size_(size) {
    for (std::uint32_t i = 0; i < size.sets; ++i) free_.insert(i);
  }

  Block* find(std::uint32_t addr) {
    for (Block& block : blocks_)
      if (block.addr == addr) return &block;
    return nullptr;
  }
  Block* draining() { return drains_ ? find(draining_) : nullptr; }
  bool release_done() const { return releasing_.size() <= 1; }

  Answer ask(std::uint32_t addr, bool returns_now) {
    const Block* const block = find(addr);
    if (block == nullptr) {
      if (free_.empty()) return {MshrFail::entry_full};
      return {MshrFail::none, *free_.begin()};
    }
    if (block == draining() || returns_now) return {MshrFail::draining};
    if (block->requests.size() < block->chain.size() * size_.slots)
      return {MshrFail::none, block->chain.back()};
    const auto linkable = free_.lower_bound(size_.reserved);
    if (linkable == free_.end()) return {MshrFail::merge_full};
    return {MshrFail::none, *linkable, true};
  }
  void take(std::uint32_t addr, std::uint32_t set, std::uint32_t request) {
    Block* block = find(addr);
    if (block == nullptr) {
      blocks_.push_back({addr, {}, {}, 0});
      block = &blocks_.back();
    }
    if (block->chain.empty() || block->chain.back() != set) {
      block->chain.push_back(set);
      free_.erase(set);
    }
    block->requests.push_back(request);
  }
  void returns(std::uint32_t addr) {
    drains_ = true;
    draining_ = addr;
  }
  /// The clock edge of the releases; `pops`: a request has left.
  void end_cycle(bool pops) {
    if (!releasing_.empty()) {
      free_.insert(releasing_.front());
      releasing_.pop_front();
    }
    if (!pops) return;
    Block* const block = draining();
    if (++block->drained < block->requests.size()) return;
    releasing_.assign(block->chain.rbegin(), block->chain.rend());
    blocks_.erase(blocks_.begin() + (block - blocks_.data()));
    drains_ = false;
  }
  std::uint32_t n_free() const { return static_cast<std::uint32_t>(free_.size()); }
  bool releasing() const { return !releasing_.empty(); }
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  Size size_;
  std::set<std::uint32_t> free_;
  std::vector<Block> blocks_;
  std::deque<std::uint32_t> releasing_;  // tail first
  bool drains_ = false;
  std::uint32_t draining_ = 0;
};

class DlMshrRtl : public testing::TestWithParam<Size> {};

TEST_P(DlMshrRtl, AnswersLikeTheNaiveModelInEveryCycle) {
  constexpr std::uint32_t kAddrBits = 25;
  const Size& size = GetParam();
  const auto unit = make_library_mshr("dl_mshr",
                                      {{"SETS", size.sets},
                                       {"SLOTS", size.slots},
                                       {"RESERVED", size.reserved},
                                       {"ADDR_BITS", kAddrBits},
                                       {"SLOT_BITS", 16}},
                                      default_places());
  NaiveDl model(size);
  Random random(size.sets * 100 + size.slots);
  std::uint64_t fails[4] = {}, links = 0, drained = 0, waits = 0;

  for (unsigned cycle = 0; cycle < 200000; ++cycle) {
    const std::uint32_t addresses = cycle / 1000 % 2 == 0 ? size.sets / 4 + 1 : size.sets * 2 + 1;
    const unsigned returns = cycle / 3000 % 2 == 0 ? 2 : 60;
    const auto address = [&] {
      const std::uint32_t mask = (std::uint32_t{1} << kAddrBits) - 1;
      return static_cast<std::uint32_t>(random.below(addresses) * 2654435761u) & mask;
    };
    MshrIn in;
    in.req_valid = random.chance(85);
    in.req_addr = address();
    in.req_slot = static_cast<std::uint32_t>(random.below(1 << 16));
    in.rsp_ready = random.chance(80);
    in.ret_valid = random.chance(returns);
    in.ret_addr = address();  // also of no block
    if (!model.blocks().empty() && random.chance(70))
      in.ret_addr = model.blocks()[random.below(model.blocks().size())].addr;

    const MshrOut out = unit->eval(in);
    const Block* const draining = model.draining();
    const bool last = draining != nullptr && draining->drained + 1 == draining->requests.size();
    const bool responds = draining != nullptr && (!last || model.release_done());
    waits += draining != nullptr && !responds;
    ASSERT_EQ(out.rsp_valid, responds) << "cycle " << cycle;
    ASSERT_EQ(out.rsp_last, responds && last) << "cycle " << cycle;
    if (responds) {
      ASSERT_EQ(out.rsp_addr, draining->addr) << "cycle " << cycle;
      ASSERT_EQ(out.rsp_slot, draining->requests[draining->drained]) << "cycle " << cycle;
      ASSERT_EQ(out.rsp_entry, draining->chain[draining->drained / size.slots]);
    }
    ASSERT_EQ(out.ret_ready, draining == nullptr || (responds && last && in.rsp_ready));
    ASSERT_EQ(out.n_free, model.n_free()) << "cycle " << cycle;
    ASSERT_EQ(out.release_busy, model.releasing()) << "cycle " << cycle;

    const Block* const back = model.find(in.ret_addr);
    const bool ret_fires = in.ret_valid && out.ret_ready && back != nullptr && back != draining;
    const Answer answer = model.ask(in.req_addr, ret_fires && in.ret_addr == in.req_addr);
    const bool accepted = answer.fail == MshrFail::none;
    ASSERT_EQ(out.req_ready, accepted) << "cycle " << cycle;
    ASSERT_EQ(out.rf, in.req_valid && !accepted);
    ASSERT_EQ(out.rf_cause, in.req_valid ? answer.fail : MshrFail::none) << "cycle " << cycle;
    ASSERT_EQ(out.req_secondary, model.find(in.req_addr) != nullptr);
    ASSERT_EQ(out.req_entry, answer.set) << "cycle " << cycle;
    ASSERT_EQ(out.req_link, answer.link) << "cycle " << cycle;

    const bool pops = responds && in.rsp_ready;
    if (in.req_valid) ++fails[static_cast<unsigned>(answer.fail)];
    drained += pops;
    if (in.req_valid && accepted) {
      model.take(in.req_addr, answer.set, in.req_slot);
      links += answer.link;
    }
    model.end_cycle(pops);
    if (ret_fires) model.returns(in.ret_addr);
    unit->commit(in);
    ASSERT_EQ(unit->failure(), "") << "cycle " << cycle;
  }
  for (const std::uint64_t fail : fails) EXPECT_GT(fail, 0u);
  EXPECT_EQ(links > 0, size.reserved < size.sets && size.sets > 1);
  if (size.slots == 1) {
    EXPECT_GT(waits, 0u);
  }
  EXPECT_GT(drained, 5000u);
}

INSTANTIATE_TEST_SUITE_P(Sizes, DlMshrRtl,
                         testing::Values(Size{128, 2, 64}, Size{16, 4, 8}, Size{13, 1, 0},
                                         Size{5, 8, 2}, Size{6, 2, 6}, Size{1, 2, 0}));

}  // namespace
}  // namespace warpmem::cosim
