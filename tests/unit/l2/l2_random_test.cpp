// SPDX-License-Identifier: Apache-2.0
// Random traffic against a flat memory, with random latencies, a memory that answers in any order,
// and back-pressure on both sides, for every policy and handler. Skipping idle cycles changes
// nothing.
#include <tuple>

#include "files/stats_json.hpp"
#include "support/disturbance.hpp"
#include "unit/l2/l2_bench.hpp"
#include "unit/l2/random_requests.hpp"

namespace warpmem::l2 {
namespace {

using BankSetting =
    std::tuple<mha::Kind, Allocate, cache::IndexHash, FrontendKind, CartDrain, WriteMiss, Parts>;

class L2Random : public testing::TestWithParam<BankSetting> {};

TEST_P(L2Random, LoadsReturnWhatWasWritten) {
  const auto [kind, allocate, index, frontend, drain, write_miss, parts] = GetParam();
  L2Bank::Params params = small();
  const bool by_sector = parts == Parts::misses_by_sector || parts == Parts::misses_by_pair;
  const unsigned fetch_bytes =
      parts == Parts::sectors_in_pairs || parts == Parts::misses_by_pair ? 64 : 0;
  if (parts != Parts::lines) {
    params.sector_bytes = 32;
    params.fetch_bytes = fetch_bytes;
    if (by_sector) params.mshr.granularity = mha::Granularity::sector;
  }
  params.mshr.kind = kind;
  params.mshr.associativity = 2;
  params.allocate = allocate;
  params.write_miss = write_miss;
  params.index = index;
  params.frontend.kind = frontend;
  params.frontend.drain = drain;
  params.frontend.cart = {2, 2, 2};
  params.frontend.queues = 3;
  params.frontend.queue_entries = 2;
  params.frontend.overtakes = 12;
  params.bypass = drain == CartDrain::greedy || frontend == FrontendKind::nonblocking
                      ? Bypass::any_rf
                      : Bypass::none;
  params.bypass_reads = 3;
  params.miss_queue = 3;
  params.atomic.words = frontend == FrontendKind::fifo ? 32 : 2;
  params.atomic.interval = index == cache::IndexHash::linear ? 1 : 3;
  params.mshr.tail_pointer =
      index == cache::IndexHash::linear;  // with another index a merge takes several cycles
  params.response_queue = 2;
  std::vector<std::unique_ptr<Bench>> benches;  // skipping idle cycles, and ticking all, in turn
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    params.hit_under_drain = parts != Parts::lines && seed % 2 == 0;
    params.evict_buffer = 1 + static_cast<std::uint32_t>(seed % 3);
    if (write_miss == WriteMiss::through_fetch) ++params.evict_buffer;
    for (const bool tick_all : {false, true}) {
      const std::string name = (tick_all ? "ticking" : "skipping") + std::to_string(seed);
      benches.push_back(std::make_unique<Bench>(name, params, tick_all));
      Bench& b = *benches.back();
      b.fill(0, kLines * kLine, seed);
      disturb(b, seed, 120);
      b.memory->late = true;
      b.script(random_requests(seed, 3000, by_sector ? std::max(32u, fetch_bytes) : kLine));
    }
  }
  for (auto& b : benches) {
    SCOPED_TRACE(b->bank().name());
    b->run();
    EXPECT_EQ(b->bank().stats().rejected, 0u);
    if (parts != Parts::lines) {
      EXPECT_GT(b->bank().stats().sector_misses, 0u);
    }
    EXPECT_EQ(b->debug_read(0, kLines * kLine), b->reference(0, kLines * kLine));
    b->bank().flush();
    EXPECT_EQ(b->in_memory(0, kLines * kLine), b->reference(0, kLines * kLine));
  }
  for (std::size_t i = 0; i < benches.size(); i += 2) {
    SCOPED_TRACE(benches[i]->bank().name());
    EXPECT_TRUE(stats_json(benches[i]->stats) == stats_json(benches[i + 1]->stats));
    EXPECT_TRUE(benches[i]->initiator->responded == benches[i + 1]->initiator->responded);
  }
}

std::string name_of_bank_setting(const testing::TestParamInfo<BankSetting>& info) {
  static const char* const kFrontends[] = {"", "_nonblocking", "_bank_queues", "_cart"};
  static const char* const kDrains[] = {"", "_longest", "_round_robin", "_greedy"};
  static const char* const kWriteMisses[] = {"", "_fetch_partial", "_validate", "_through_fetch"};
  static const char* const kParts[] = {"", "_sectors", "_sectors_in_pairs", "_misses_by_sector",
                                       "_misses_by_pair"};
  const auto [kind, allocate, index, frontend, drain, write_miss, parts] = info.param;
  return std::string(mha::name_of(kind)) +
         (allocate == Allocate::on_miss ? "_on_miss" : "_on_fill") +
         (index == cache::IndexHash::linear ? "_linear" : "_xor") +
         kFrontends[static_cast<int>(frontend)] + kDrains[static_cast<int>(drain)] +
         kWriteMisses[static_cast<int>(write_miss)] + kParts[static_cast<int>(parts)];
}

const auto kHandlers = testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                       mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma);
const auto kIndices = testing::Values(cache::IndexHash::linear, cache::IndexHash::xor5);

INSTANTIATE_TEST_SUITE_P(Policies, L2Random,
                         testing::Combine(kHandlers,
                                          testing::Values(Allocate::on_miss, Allocate::on_fill),
                                          kIndices, testing::Values(FrontendKind::fifo),
                                          testing::Values(CartDrain::same_or_longest_row),
                                          testing::Values(WriteMiss::fetch),
                                          testing::Values(Parts::lines)),
                         name_of_bank_setting);
INSTANTIATE_TEST_SUITE_P(Frontends, L2Random,
                         testing::Combine(kHandlers, testing::Values(Allocate::on_miss), kIndices,
                                          testing::Values(FrontendKind::nonblocking,
                                                          FrontendKind::bank_queues,
                                                          FrontendKind::cart),
                                          testing::Values(CartDrain::same_or_longest_row),
                                          testing::Values(WriteMiss::fetch),
                                          testing::Values(Parts::lines)),
                         name_of_bank_setting);
INSTANTIATE_TEST_SUITE_P(
    Drains, L2Random,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::dl),
                     testing::Values(Allocate::on_fill), kIndices,
                     testing::Values(FrontendKind::cart),
                     testing::Values(CartDrain::longest, CartDrain::round_robin, CartDrain::greedy),
                     testing::Values(WriteMiss::fetch), testing::Values(Parts::lines)),
    name_of_bank_setting);
INSTANTIATE_TEST_SUITE_P(WriteMisses, L2Random,
                         testing::Combine(kHandlers,
                                          testing::Values(Allocate::on_miss, Allocate::on_fill),
                                          testing::Values(cache::IndexHash::linear),
                                          testing::Values(FrontendKind::nonblocking),
                                          testing::Values(CartDrain::same_or_longest_row),
                                          testing::Values(WriteMiss::fetch_partial,
                                                          WriteMiss::validate,
                                                          WriteMiss::through_fetch),
                                          testing::Values(Parts::lines)),
                         name_of_bank_setting);
INSTANTIATE_TEST_SUITE_P(
    Sectors, L2Random,
    testing::Combine(kHandlers, testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::linear),
                     testing::Values(FrontendKind::nonblocking),
                     testing::Values(CartDrain::same_or_longest_row),
                     testing::Values(WriteMiss::fetch, WriteMiss::fetch_partial,
                                     WriteMiss::validate, WriteMiss::through_fetch),
                     testing::Values(Parts::sectors, Parts::sectors_in_pairs)),
    name_of_bank_setting);
// A write that covers several units needs no fetch of them.
INSTANTIATE_TEST_SUITE_P(
    SectorMisses, L2Random,
    testing::Combine(testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl),
                     testing::Values(Allocate::on_miss, Allocate::on_fill),
                     testing::Values(cache::IndexHash::linear), testing::Values(FrontendKind::fifo),
                     testing::Values(CartDrain::same_or_longest_row),
                     testing::Values(WriteMiss::validate),
                     testing::Values(Parts::misses_by_sector, Parts::misses_by_pair)),
    name_of_bank_setting);

TEST(L2Random, CarryingNoBytesChangesNoTime) {
  L2Bank::Params params = small();
  Bench with("a", params);
  params.carry_data = false;
  Bench without("b", params);
  for (Bench* b : {&with, &without}) {
    b->fill(0, kLines * kLine);
    b->memory->extra_latency = 50;
    b->script(random_requests(77, 4000));
  }
  with.run();
  without.run();
  EXPECT_TRUE(stats_json(with.stats) == stats_json(without.stats));
  EXPECT_TRUE(with.initiator->responded == without.initiator->responded);
}

}  // namespace
}  // namespace warpmem::l2
