// SPDX-License-Identifier: Apache-2.0
// The matching of virtual output queues: worked examples of pointers and iterations, fairness, and
// random requests against the text of the algorithm, written down plainly.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "noc/islip.hpp"

namespace warpmem::noc {
namespace {

using Pairs = std::vector<std::pair<unsigned, unsigned>>;

/// By output, the inputs that want it.
using Wants = std::vector<PortSet>;

Wants everything(unsigned inputs, unsigned outputs) {
  return Wants(outputs, PortSet::below(inputs));
}

Pairs match(Islip& islip, const Wants& wants, const PortSet& busy = {}, unsigned budget = 4096) {
  Pairs pairs;
  islip.match(
      PortSet::below(static_cast<unsigned>(wants.size())), busy, budget,
      [&](unsigned o) -> const PortSet& { return wants[o]; },
      [&](unsigned i, unsigned o) { pairs.emplace_back(i, o); });
  return pairs;
}

// Two inputs with packets for two outputs, all pointers at 0. Both outputs choose input 0, which
// accepts output 0; their pointers move to 1. From then on the outputs choose different inputs.
TEST(NocIslip, PointersMovePastEachOther) {
  Islip islip(2, 2, 1);
  const Wants wants = everything(2, 2);
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 0}}));
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 1}, {1, 0}}));
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 1}, {1, 0}}));
}

// The same with two: in the second, output 1 finds input 1. It moves no pointer for that, so the
// next cycle is as before.
TEST(NocIslip, ASecondIterationPairsWhatTheFirstLeft) {
  Islip islip(2, 2, 2);
  const Wants wants = everything(2, 2);
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 1}, {1, 0}}));
}

// Output 1 chooses input 0 until that one accepts, whatever else input 1 gets in the meantime.
TEST(NocIslip, AnOutputStaysWithTheInputThatItChose) {
  Islip islip(2, 3, 1);
  Wants wants(3);
  wants[0].set(0);
  wants[1].set(0);
  wants[1].set(1);
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 0}}));  // and not (1, 1)
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 1}}));
  EXPECT_EQ(match(islip, wants), (Pairs{{0, 0}, {1, 1}}));
}

TEST(NocIslip, BusyInputsAreLeftOut) {
  Islip islip(2, 1, 1);
  PortSet busy;
  busy.set(0);
  EXPECT_EQ(match(islip, everything(2, 1), busy), (Pairs{{1, 0}}));
  busy.set(1);
  EXPECT_EQ(match(islip, everything(2, 1), busy), Pairs{});
}

// All queues full: after a few cycles every pair of n inputs and n outputs goes once in n cycles.
TEST(NocIslip, EveryPairHasItsTurn) {
  for (const unsigned n : {2u, 3u, 8u, 70u, 130u}) {
    Islip islip(n, n, 1);
    const Wants wants = everything(n, n);
    for (unsigned t = 0; t < 2 * n; ++t) match(islip, wants);
    std::set<std::pair<unsigned, unsigned>> seen;
    for (unsigned t = 0; t < n; ++t)
      for (const auto& pair : match(islip, wants)) seen.insert(pair);
    EXPECT_EQ(seen.size(), std::size_t(n) * n) << n;
  }
}

TEST(NocIslip, InputsShareABudgetInTurn) {
  Islip islip(3, 3, 1);
  Wants wants(3);
  for (unsigned i = 0; i < 3; ++i) wants[i].set(i);
  EXPECT_EQ(match(islip, wants, {}, 2), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(match(islip, wants, {}, 2), (Pairs{{2, 2}, {0, 0}}));
  EXPECT_EQ(match(islip, wants, {}, 2), (Pairs{{1, 1}, {2, 2}}));
  EXPECT_EQ(match(islip, wants, {}, 0), Pairs{});
}

/// Figure 3 of the paper and its text, over matrices.
class PlainIslip {
 public:
  PlainIslip(unsigned inputs, unsigned outputs, unsigned iterations)
      : accept_(inputs), grant_(outputs), iterations_(iterations) {}

  std::set<std::pair<unsigned, unsigned>> match(const std::vector<std::vector<bool>>& wants) {
    const std::size_t inputs = accept_.size(), outputs = grant_.size();
    std::vector<bool> input_done(inputs), output_done(outputs);
    std::set<std::pair<unsigned, unsigned>> pairs;
    for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
      std::vector<std::vector<bool>> granted(inputs, std::vector<bool>(outputs));
      for (std::size_t o = 0; o < outputs; ++o)
        for (std::size_t step = 0; step < inputs && !output_done[o]; ++step) {
          const std::size_t i = (grant_[o] + step) % inputs;
          if (!wants[i][o] || input_done[i]) continue;
          granted[i][o] = true;
          break;
        }
      for (std::size_t i = 0; i < inputs; ++i)
        for (std::size_t step = 0; step < outputs; ++step) {
          const std::size_t o = (accept_[i] + step) % outputs;
          if (!granted[i][o]) continue;
          input_done[i] = output_done[o] = true;
          pairs.emplace(i, o);
          if (iteration == 0) {
            accept_[i] = (o + 1) % outputs;
            grant_[o] = (i + 1) % inputs;
          }
          break;
        }
    }
    return pairs;
  }

 private:
  std::vector<std::size_t> accept_, grant_;
  unsigned iterations_;
};

TEST(NocIslip, MatchesThePlainTextUnderRandomRequests) {
  Random random(5);
  for (const auto& [inputs, outputs] : Pairs{{1, 1}, {3, 5}, {16, 16}, {66, 80}, {132, 8}}) {
    for (const unsigned iterations : {1u, 2u, 4u}) {
      Islip islip(inputs, outputs, iterations);
      PlainIslip plain(inputs, outputs, iterations);
      for (unsigned t = 0; t < 200; ++t) {
        const auto percent = static_cast<unsigned>(random.below(101));
        Wants wants(outputs);
        std::vector<std::vector<bool>> matrix(inputs, std::vector<bool>(outputs));
        for (unsigned i = 0; i < inputs; ++i)
          for (unsigned o = 0; o < outputs; ++o)
            if (random.chance(percent)) {
              wants[o].set(i);
              matrix[i][o] = true;
            }
        const Pairs found = match(islip, wants);
        ASSERT_EQ((std::set<std::pair<unsigned, unsigned>>(found.begin(), found.end())),
                  plain.match(matrix))
            << inputs << " x " << outputs << ", " << iterations << " iterations, cycle " << t;
      }
    }
  }
}

}  // namespace
}  // namespace warpmem::noc
