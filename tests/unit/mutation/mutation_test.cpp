// SPDX-License-Identifier: Apache-2.0
// Faults in a small unit: who finds them, and that the sums and the reports agree.
#include "mutation/mutation.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/work_folder.hpp"
#include "mutation/judge.hpp"

namespace warpmem::mutation {
namespace {

using testing::HasSubstr;

MutationRequest request_for(const std::string& unit, unsigned count) {
  MutationRequest request;
  request.unit = unit;
  request.count = count;
  request.cycles = 2000;
  return request;
}

TEST(Mutation, FaultsOfTheSteeringAreKilledOrEquivalent) {
  const MutationResult result = run(request_for("htsma_steer", 25));
  ASSERT_EQ(result.mutants.size(), 25u);
  EXPECT_GE(result.settled_percent(), kLeastSettled) << table({result});
  EXPECT_GT(result.count(Fate::kLockstep), 15u);
  for (const MutantResult& m : result.mutants) {
    EXPECT_THAT(m.mutant.place, testing::StartsWith("htsma_steer/htsma_steer.sv:"));
    EXPECT_EQ(m.fate == Fate::kLockstep, !m.signal.empty());
  }
  EXPECT_THAT(page({result}), HasSubstr("warpmem mutate htsma_steer -n 25 --seed 1 --cycles 2000"));
  const auto doc = to_json(result);
  EXPECT_EQ(doc["mutants"].size(), 25u);
  EXPECT_EQ(doc["lockstep"], result.count(Fate::kLockstep));
}

TEST(Mutation, SameSeedSameFaults) {
  const MutationResult a = run(request_for("tsma_index_gen", 8));
  const MutationResult b = run(request_for("tsma_index_gen", 8));
  ASSERT_EQ(a.mutants.size(), b.mutants.size());
  for (std::size_t i = 0; i < a.mutants.size(); ++i) {
    EXPECT_EQ(a.mutants[i].mutant.arguments, b.mutants[i].mutant.arguments);
    EXPECT_EQ(a.mutants[i].cycle, b.mutants[i].cycle);
  }
  MutationRequest other = request_for("tsma_index_gen", 8);
  other.seed = 2;
  EXPECT_NE(run(other).mutants[0].mutant.arguments, a.mutants[0].mutant.arguments);
}

// What lockstep has told from the right unit must not pass for equivalent, and properties see some.
TEST(Mutation, JudgementsOfFaultsThatAreKnownToDiffer) {
  MutationRequest request = request_for("tsma_index_gen", 12);
  request.all_properties = true;
  const MutationResult result = run(request);
  ASSERT_GT(result.count(Fate::kLockstep), 6u);
  const WorkFolder work;
  const Mutants mutants(work.path(), find_unit(request.places.rtl, request.unit),
                        attacked_unit(request.unit), request.count, request.seed);
  unsigned refuted = 0;
  for (std::size_t i = 0; i < result.mutants.size(); ++i) {
    const MutantResult& m = result.mutants[i];
    if (m.fate != Fate::kLockstep) continue;
    ASSERT_EQ(mutants.list()[i].arguments, m.mutant.arguments);
    const Opinion opinion = judge(mutants, mutants.list()[i], 20);
    EXPECT_TRUE(opinion.judgement == Judgement::kRefuted ||
                opinion.judgement == Judgement::kDifferent)
        << m.mutant.place << m.mutant.arguments;
    EXPECT_GT(opinion.cycles, 0u);
    if (m.refuted == 0) continue;
    EXPECT_EQ(opinion.judgement, Judgement::kRefuted);
    ++refuted;
  }
  EXPECT_GT(refuted, 0u);
}

TEST(Mutation, ThePageKeepsUnitsThatWereNotAttacked) {
  const MutationResult steer = run(request_for("htsma_steer", 5));
  const MutationResult index_gen = run(request_for("tsma_index_gen", 5));
  const std::string both = page({steer, index_gen});
  EXPECT_EQ(page({index_gen}, page({steer})), both);
  EXPECT_EQ(page({steer}, both), both);
  EXPECT_EQ(page({}, both), both);
}

TEST(Mutation, UnknownUnit) {
  try {
    run(request_for("dua", 1));
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean dau?"));
  }
}

}  // namespace
}  // namespace warpmem::mutation
