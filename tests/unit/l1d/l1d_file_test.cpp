// SPDX-License-Identifier: Apache-2.0
// Random traffic on lines of sectors with the core of the whole MSHR file beside the handler: every
// answer of the file is the handler's, which sectors are fetched and when an entry drains included,
// and statistics are those of a run without it. tests/integration/views_test.py has the other
// views.
#include <tuple>

#include "files/stats_json.hpp"
#include "support/core_file.hpp"
#include "support/disturbance.hpp"
#include "unit/l1d/l1d_bench.hpp"
#include "units/dl_mshr/dl_mshr_core.hpp"
#include "units/dl_mshr_pipe/dl_mshr_pipe_core.hpp"
#include "units/htsma/htsma_core.hpp"
#include "units/mshr_conventional/mshr_conventional_core.hpp"
#include "units/mshr_set_assoc/mshr_set_assoc_core.hpp"
#include "units/tsma/tsma_core.hpp"

namespace warpmem::l1d {
namespace {

using units::MshrKind;

/// Loads of some of the four sectors of twenty lines, and stores to any bytes of them.
std::vector<Scripted> random_requests(std::uint64_t seed, unsigned count, unsigned most) {
  Random random(seed);
  std::vector<Scripted> requests;
  Cycle at = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (random.chance(2)) at += random.below(300);
    const unsigned bytes = std::min(random.chance(50) ? kLine : 32u, most);
    const bool local = random.chance(30);
    const Addr address =
        (local ? kLocalBase : 0) + random.below(20) * kLine + random.below(kLine / bytes) * bytes;
    Scripted s = load(address, at, bytes);
    if (random.chance(25)) {
      s = store(address, static_cast<std::uint8_t>(random.next() >> 13), at, bytes);
      s.enables = random.next();
    }
    s.sectors = static_cast<std::uint8_t>(random.below(1u << bytes / kSectorBytes));
    s.local = local;
    requests.push_back(s);
  }
  return requests;
}

const mha::Lie kHonest;

/// Makes the core of a file of this size: sixteen slots, of `kSectors` sectors.
template <unsigned kSectors>
std::unique_ptr<mha::MshrFile> make_core(const mha::MshrSize& size) {
  EXPECT_EQ(size.sectors, kSectors);
  switch (size.kind) {
    case MshrKind::conventional:
      return std::make_unique<mha::LyingFile<units::MshrConventionalCore<4, 4, 64, 16, kSectors>>>(
          "file", kHonest);
    case MshrKind::set_assoc:
      return std::make_unique<mha::LyingFile<units::MshrSetAssocCore<4, 2, 4, 64, 16, kSectors>>>(
          "file", kHonest);
    case MshrKind::tsma:
      return std::make_unique<mha::LyingFile<units::TsmaCore<4, 4, 16, kSectors>>>("file", kHonest);
    case MshrKind::htsma:
      return std::make_unique<mha::LyingFile<units::HtsmaCore<4, 4, 2, 4, 2, 64, 16, kSectors>>>(
          "file", kHonest);
    case MshrKind::dl:
      return std::make_unique<mha::LyingFile<units::DlMshrCore<8, 2, 4, 64, 16, 8, kSectors>>>(
          "file", kHonest);
    case MshrKind::dl_pipe:
      return std::make_unique<
          mha::LyingFile<units::DlMshrPipeCore<8, 2, 4, 64, 16, 8, 1, kSectors>>>("file", kHonest);
    case MshrKind::any:
      break;
  }
  return nullptr;
}

std::unique_ptr<mha::MshrFile> make_file(View, const mha::MshrSize& size) {
  if (size.sectors == 4) return make_core<4>(size);
  return size.sectors == 2 ? make_core<2>(size) : make_core<1>(size);
}

/// What an entry tracks, and what a miss asks for.
enum class Track { line, line_in_pairs, fetch, fetch_in_pairs };

using FileSetting = std::tuple<mha::Kind, bool, Allocate, Track>;

class L1dFile : public testing::TestWithParam<FileSetting> {};

TEST_P(L1dFile, AnswersAsItsHandlerDoesOnSectoredLines) {
  const auto [kind, pipelined, allocate, track] = GetParam();
  const bool apart = track == Track::fetch || track == Track::fetch_in_pairs;
  const bool in_pairs = track == Track::line_in_pairs || track == Track::fetch_in_pairs;
  const unsigned most = !apart ? kLine : in_pairs ? 64 : 32;
  L1d::Params params = small();
  params.sector_bytes = 32;
  if (in_pairs) params.fetch_bytes = 64;
  if (apart) params.mshr.granularity = mha::Granularity::sector;
  params.allocate = allocate;
  params.write = Write::through_update;
  params.write_miss = WriteMiss::allocate;
  params.mshr.kind = kind;
  params.mshr.slots = 4;
  params.mshr.associativity = 2;
  params.mshr.small_entries = 2;
  params.mshr.small_slots = 4;
  params.miss_queue = 3;
  params.response_queue = 2;
  mha::FileEdges edges;
  mha::UnitFactories units;
  units.file = make_file;
  units.file_edges = &edges;
  std::vector<std::unique_ptr<Bench>> benches;  // without a file, and with it, in turn
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const bool file : {false, true}) {
      params.mshr.file = file ? View::core : View::fast_class;
      params.mshr.file_pipelined = file && pipelined;
      const std::string name = (file ? "file" : "plain") + std::to_string(seed);
      benches.push_back(std::make_unique<Bench>(name, params, false, units));
      Bench& b = *benches.back();
      b.fill(0, 20 * kLine, seed);
      b.fill(kLocalBase, 20 * kLine, seed + 100);
      disturb(b, seed, 80);
      b.script(random_requests(seed, 2000, most));
    }
  }
  for (auto& b : benches) {
    SCOPED_TRACE(b->cache->name());
    b->run();
    EXPECT_GT(b->cache->stats().sector_misses, 0u);
    if (!apart) {
      EXPECT_GT(b->cache->stats().added_fetches, 0u);
    }
  }
  EXPECT_GT(edges.all, 1000u);
  for (std::size_t i = 0; i < benches.size(); i += 2) {
    SCOPED_TRACE(benches[i]->cache->name());
    EXPECT_TRUE(stats_json(benches[i]->stats) == stats_json(benches[i + 1]->stats));
    EXPECT_TRUE(benches[i]->initiator->responded == benches[i + 1]->initiator->responded);
  }
}

std::string name_of_file_setting(const testing::TestParamInfo<FileSetting>& info) {
  static const char* const kTracks[] = {"line", "line_in_pairs", "fetch", "fetch_in_pairs"};
  const auto [kind, pipelined, allocate, track] = info.param;
  return std::string(mha::name_of(kind)) + (pipelined ? "_pipelined" : "") +
         (allocate == Allocate::on_miss ? "_on_miss_" : "_on_fill_") +
         kTracks[static_cast<int>(track)];
}

const auto kAllocations = testing::Values(Allocate::on_miss, Allocate::on_fill);

INSTANTIATE_TEST_SUITE_P(Kinds, L1dFile,
                         testing::Combine(testing::Values(mha::Kind::conventional,
                                                          mha::Kind::set_associative,
                                                          mha::Kind::dl),
                                          testing::Values(false), kAllocations,
                                          testing::Values(Track::line, Track::line_in_pairs,
                                                          Track::fetch, Track::fetch_in_pairs)),
                         name_of_file_setting);
INSTANTIATE_TEST_SUITE_P(Shared, L1dFile,
                         testing::Combine(testing::Values(mha::Kind::tsma, mha::Kind::htsma),
                                          testing::Values(false), kAllocations,
                                          testing::Values(Track::line, Track::line_in_pairs)),
                         name_of_file_setting);
INSTANTIATE_TEST_SUITE_P(Pipelined, L1dFile,
                         testing::Combine(testing::Values(mha::Kind::dl), testing::Values(true),
                                          kAllocations,
                                          testing::Values(Track::line, Track::line_in_pairs,
                                                          Track::fetch, Track::fetch_in_pairs)),
                         name_of_file_setting);

}  // namespace
}  // namespace warpmem::l1d
