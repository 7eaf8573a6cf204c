// SPDX-License-Identifier: Apache-2.0
// The MSHR files of rtl/ against the plain models, and the models against a file that is wrong.
#include <gtest/gtest.h>

#include <ostream>

#include "cosim/mshr_library.hpp"
#include "cosim/mshr_lockstep.hpp"

namespace warpmem::cosim {

void PrintTo(const MshrFileSize& size, std::ostream* out) {
  *out << size.unit << ' ' << size.sets << 'x' << size.ways << 'x' << size.slots << ", "
       << size.reserved << " reserved";
}

namespace {

MshrLockstepResult run(const MshrFileSize& size) {
  MshrLockstepOptions options;
  options.size = size;
  options.cycles = 200'000;
  options.seed = size.entries() * 100 + size.slots;
  return run_mshr_lockstep(options);
}

class MshrRtl : public testing::TestWithParam<MshrFileSize> {};

TEST_P(MshrRtl, AnswersLikeThePlainModelInEveryCycle) {
  const MshrFileSize& size = GetParam();
  const MshrLockstepResult result = run(size);
  ASSERT_FALSE(result.difference) << result.difference->signal << " in cycle "
                                  << result.difference->cycle << ": model "
                                  << result.difference->of_class << ", RTL "
                                  << result.difference->of_rtl;
  EXPECT_EQ(result.cycles, 200'000u);
  const MshrFileCounts& counts = result.counts;
  for (const std::uint64_t answers : counts.answers) EXPECT_GT(answers, 0u);
  EXPECT_GT(counts.drained, 3000u);
  EXPECT_EQ(counts.back_to_back > 0, size.entries() > 1);
  if (size.unit != "dl_mshr") return;
  EXPECT_EQ(counts.links > 0, size.reserved < size.sets && size.sets > 1);
  if (size.slots == 1) {
    EXPECT_GT(counts.release_waits, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Conventional, MshrRtl,
                         testing::Values(MshrFileSize{"mshr_conventional", 1, 32, 8},
                                         MshrFileSize{"mshr_conventional", 1, 5, 3, 0, 7},
                                         MshrFileSize{"mshr_conventional", 1, 1, 1},
                                         MshrFileSize{"mshr_conventional", 1, 1, 4},
                                         MshrFileSize{"mshr_conventional", 1, 4, 2, 0, 4, 2}));
INSTANTIATE_TEST_SUITE_P(SetAssoc, MshrRtl,
                         testing::Values(MshrFileSize{"mshr_set_assoc", 8, 4, 8},
                                         MshrFileSize{"mshr_set_assoc", 4, 3, 5},
                                         MshrFileSize{"mshr_set_assoc", 8, 1, 1},
                                         MshrFileSize{"mshr_set_assoc", 1, 6, 2},
                                         MshrFileSize{"mshr_set_assoc", 2, 2, 2, 0, 4, 2}));
INSTANTIATE_TEST_SUITE_P(Tsma, MshrRtl,
                         testing::Values(MshrFileSize{"tsma", 1, 48, 8},
                                         MshrFileSize{"tsma", 1, 5, 3},
                                         MshrFileSize{"tsma", 1, 1, 2},
                                         MshrFileSize{"tsma", 1, 4, 2, 0, 4, 2}));
INSTANTIATE_TEST_SUITE_P(
    Dl, MshrRtl,
    testing::Values(MshrFileSize{"dl_mshr", 128, 1, 2, 64}, MshrFileSize{"dl_mshr", 16, 1, 4, 8},
                    MshrFileSize{"dl_mshr", 13, 1, 1, 0}, MshrFileSize{"dl_mshr", 5, 1, 8, 2},
                    MshrFileSize{"dl_mshr", 6, 1, 2, 6}, MshrFileSize{"dl_mshr", 1, 1, 2, 0},
                    MshrFileSize{"dl_mshr", 3, 1, 2, 1, 3, 1}));

// The file has fewer slots than the model believes.
TEST(MshrRtlDifference, IsReportedWithBothValues) {
  MshrLockstepOptions options;
  options.size = {"mshr_conventional", 1, 4, 2};
  const MshrFileSize smaller{"mshr_conventional", 1, 4, 1};
  options.places.library = mshr_library(smaller.unit, parameters_of(smaller), options.places);
  const MshrLockstepResult result = run_mshr_lockstep(options);
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->signal, "req_ready");
  EXPECT_EQ(result.difference->of_class, "1");
  EXPECT_EQ(result.difference->of_rtl, "0");
  EXPECT_EQ(result.cycles, result.difference->cycle);
}

}  // namespace
}  // namespace warpmem::cosim
