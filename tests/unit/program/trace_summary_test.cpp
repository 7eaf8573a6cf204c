// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "program/trace/own_format.hpp"
#include "program/trace/summary.hpp"
#include "random_trace.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::program::trace {
namespace {

TEST(TraceSummary, EverySpaceHasAName) {
  std::set<std::string> names;
  for (std::size_t space = 0; space < kSpaces; ++space)
    names.insert(name_of(static_cast<Space>(space)));
  EXPECT_EQ(names.size(), kSpaces);
  EXPECT_EQ(names.count("cluster"), 1u);
}

TEST(TraceSummary, CountsAddUpInLaunchesWithClusters) {
  const warpmem::test::ScratchFolder folder;
  const std::string path = folder / "t.wmtrace";
  OwnFormatWriter writer(path);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    test::RandomKernel kernel(seed, 4, 64, 100, 2);
    copy_kernel(kernel, writer);
  }
  writer.finish();
  const Summary summary = summarize(*open_trace(path));
  EXPECT_EQ(std::accumulate(summary.by_class.begin(), summary.by_class.end(), std::uint64_t(0)),
            summary.warp_instructions);
  std::uint64_t sum = 0, in_cluster = 0;
  for (const auto& [key, count] : summary.by_mnemonic) {
    sum += count;
    if (std::get<2>(key) == Space::cluster) in_cluster += count;
  }
  EXPECT_EQ(sum, summary.warp_instructions);
  EXPECT_GT(in_cluster, 0u);
}

}  // namespace
}  // namespace warpmem::program::trace
