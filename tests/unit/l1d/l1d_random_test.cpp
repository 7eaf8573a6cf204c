// SPDX-License-Identifier: Apache-2.0
// Random traffic against a flat memory: whatever the cache does, a load returns what the requests
// before it left, and skipping idle cycles changes nothing. Random latencies, back-pressure on both
// sides, every policy and handler.
#include <tuple>

#include "files/stats_json.hpp"
#include "support/disturbance.hpp"
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

// Requests have at most `most` bytes.
std::vector<Scripted> random_requests(std::uint64_t seed, unsigned count, unsigned most = kLine) {
  Random random(seed);
  std::vector<Scripted> requests;
  std::uint32_t sequence = 0;
  Cycle at = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (random.chance(2)) at += random.below(300);
    static constexpr unsigned kBytes[] = {128, 128, 32, 4};
    const unsigned bytes = std::min(kBytes[random.below(4)], most);
    const bool local = random.chance(30);
    const Addr address =
        (local ? kLocalBase : 0) + random.below(20) * kLine + random.below(kLine / bytes) * bytes;
    const auto value = static_cast<std::uint8_t>(random.next() >> 13);
    Scripted s = load(address, at, bytes);
    if (random.chance(40)) {
      s = store(address, value, at, bytes);
      s.enables = random.next();
    } else if (!local && random.chance(10)) {
      s = atomic(address & ~Addr(most - 1), value, ++sequence, at);
      s.bytes = most;
      s.enables = random.next();
    } else if (!local && random.chance(10)) {
      s.bypass = true;
    }
    if (bytes >= kSectorBytes)
      s.sectors = static_cast<std::uint8_t>(random.below(1u << bytes / kSectorBytes));
    s.local = local;
    requests.push_back(s);
  }
  return requests;
}

/// How lines are divided, and what misses are tracked by.
enum class Parts {
  lines,
  sectors,
  sectors_in_pairs,
  misses_by_sector,
  banked_lines,
  banked_sectors,
  ways,
  written_lines,
  written_sectors,
  written_misses_by_sector
};

using CacheSetting = std::tuple<mha::Kind, Allocate, cache::IndexHash, bool, Write, Parts>;

class L1dRandom : public testing::TestWithParam<CacheSetting> {};

TEST_P(L1dRandom, LoadsReturnWhatWasWritten) {
  const auto [kind, allocate, index, enable, write, parts] = GetParam();
  L1d::Params params = small();
  const bool by_sector =
      parts == Parts::misses_by_sector || parts == Parts::written_misses_by_sector;
  const bool sectored = parts != Parts::lines && parts != Parts::banked_lines &&
                        parts != Parts::ways && parts != Parts::written_lines;
  if (parts >= Parts::written_lines) params.write_miss = WriteMiss::allocate;
  if (parts == Parts::banked_lines) params.banks = 2;
  if (parts == Parts::banked_sectors) params.banks = 4;
  if (params.banks > 1 && (kind == mha::Kind::conventional || kind == mha::Kind::set_associative)) {
    params.miss_ports = params.banks;
    if (allocate == Allocate::on_fill) params.drain = cache::Drain::line;
  }
  if (parts == Parts::ways) {  // a carve-out takes the others
    params.unified = 4096;
    params.ways = 8;
    params.carveout_steps = params.carveout = "3 KiB";
  }
  if (sectored) {
    params.sector_bytes = 32;
    if (parts == Parts::sectors_in_pairs) params.fetch_bytes = 64;
    if (by_sector) params.mshr.granularity = mha::Granularity::sector;
  }
  params.write = write;
  params.mshr.kind = kind;
  params.mshr.slots = 4;
  params.mshr.associativity = 2;
  params.mshr.tail_pointer =
      index == cache::IndexHash::linear;  // without it a merge takes several cycles
  params.allocate = allocate;
  params.index = index;
  params.enable = enable;
  params.outstanding_writes = 8;
  params.miss_queue = 3;
  params.response_queue = 2;
  params.hit_cycles = 3;
  std::vector<std::unique_ptr<Bench>> benches;  // skipping idle cycles, and ticking all, in turn
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const bool tick_all : {false, true}) {
      const std::string name = (tick_all ? "ticking" : "skipping") + std::to_string(seed);
      benches.push_back(std::make_unique<Bench>(name, params, tick_all));
      Bench& b = *benches.back();
      b.fill(0, 20 * kLine, seed);
      b.fill(kLocalBase, 20 * kLine, seed + 100);
      disturb(b, seed, 80);
      b.script(random_requests(seed, 3000, by_sector ? 32 : kLine));
    }
  }
  for (auto& b : benches) {
    SCOPED_TRACE(b->cache->name());
    b->run();
    EXPECT_EQ(b->cache->stats().rejected, 0u);
    if (params.banks > 1) {
      EXPECT_GT(b->cache->stats().accepted_together, 0u);
    }
    if (sectored) {
      EXPECT_GT(b->cache->stats().sector_misses, 0u);
    }
    if (params.write_miss == WriteMiss::allocate) {
      EXPECT_GT(b->cache->stats().write_allocations, 0u);
      EXPECT_GT(b->cache->stats().placements, 0u);
    }
  }
  for (std::size_t i = 0; i < benches.size(); i += 2) {
    SCOPED_TRACE(benches[i]->cache->name());
    EXPECT_TRUE(stats_json(benches[i]->stats) == stats_json(benches[i + 1]->stats));
    EXPECT_TRUE(benches[i]->initiator->responded == benches[i + 1]->initiator->responded);
  }
}

std::string name_of_cache_setting(const testing::TestParamInfo<CacheSetting>& info) {
  static const char* const kParts[] = {"",
                                       "_sectors",
                                       "_sectors_in_pairs",
                                       "_misses_by_sector",
                                       "_banked_lines",
                                       "_banked_sectors",
                                       "_ways",
                                       "_written_lines",
                                       "_written_sectors",
                                       "_written_misses_by_sector"};
  const auto [kind, allocate, index, enable, write, parts] = info.param;
  return std::string(mha::name_of(kind)) +
         (allocate == Allocate::on_miss ? "_on_miss" : "_on_fill") +
         (index == cache::IndexHash::linear ? "_linear" : "_xor") + (enable ? "" : "_disabled") +
         (write == Write::through_evict ? "" : "_update") + kParts[static_cast<int>(parts)];
}

INSTANTIATE_TEST_SUITE_P(
    Policies, L1dRandom,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma),
                     testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::linear, cache::IndexHash::xor5),
                     testing::Values(true, false), testing::Values(Write::through_evict),
                     testing::Values(Parts::lines)),
    name_of_cache_setting);
INSTANTIATE_TEST_SUITE_P(
    Sectors, L1dRandom,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma),
                     testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::linear), testing::Values(true),
                     testing::Values(Write::through_evict, Write::through_update),
                     testing::Values(Parts::sectors, Parts::sectors_in_pairs)),
    name_of_cache_setting);
INSTANTIATE_TEST_SUITE_P(
    Carveouts, L1dRandom,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma),
                     testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::xor5), testing::Values(true),
                     testing::Values(Write::through_update), testing::Values(Parts::ways)),
    name_of_cache_setting);
INSTANTIATE_TEST_SUITE_P(
    Allocations, L1dRandom,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma),
                     testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::linear), testing::Values(true),
                     testing::Values(Write::through_update),
                     testing::Values(Parts::written_lines, Parts::written_sectors)),
    name_of_cache_setting);
INSTANTIATE_TEST_SUITE_P(AllocationsBySector, L1dRandom,
                         testing::Combine(testing::Values(mha::Kind::conventional,
                                                          mha::Kind::set_associative,
                                                          mha::Kind::dl),
                                          testing::Values(Allocate::on_miss, Allocate::on_fill),
                                          testing::Values(cache::IndexHash::linear),
                                          testing::Values(true),
                                          testing::Values(Write::through_update),
                                          testing::Values(Parts::written_misses_by_sector)),
                         name_of_cache_setting);
INSTANTIATE_TEST_SUITE_P(
    SectorMisses, L1dRandom,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl),
                     testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::linear), testing::Values(true),
                     testing::Values(Write::through_evict, Write::through_update),
                     testing::Values(Parts::misses_by_sector)),
    name_of_cache_setting);

INSTANTIATE_TEST_SUITE_P(
    Banks, L1dRandom,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma),
                     testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::linear), testing::Values(true),
                     testing::Values(Write::through_update),
                     testing::Values(Parts::banked_lines, Parts::banked_sectors)),
    name_of_cache_setting);

TEST(L1dRandom, CarryingNoBytesChangesNoTime) {
  L1d::Params params = small();
  Bench with("a", params);
  params.carry_data = false;
  Bench without("b", params);
  for (Bench* b : {&with, &without}) {
    b->fill(0, 20 * kLine);
    b->fill(kLocalBase, 20 * kLine);
    b->memory->extra_latency = 50;
    b->script(random_requests(77, 4000));
  }
  with.run();
  without.run();
  EXPECT_TRUE(stats_json(with.stats) == stats_json(without.stats));
  EXPECT_TRUE(with.initiator->responded == without.initiator->responded);
}

}  // namespace
}  // namespace warpmem::l1d
