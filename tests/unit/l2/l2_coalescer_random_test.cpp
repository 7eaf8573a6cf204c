// SPDX-License-Identifier: Apache-2.0
// Random traffic through a coalescer and its bank against a flat memory, with a memory that answers
// in any order and back-pressure on both sides, for every handler, front end and write rule.
// Skipping idle cycles changes nothing.
#include "files/stats_json.hpp"
#include "support/disturbance.hpp"
#include "unit/l2/coalescer_bench.hpp"
#include "unit/l2/random_requests.hpp"

namespace warpmem::l2 {
namespace {

struct Setting {
  const char* name;
  mha::Kind kind;
  FrontendKind frontend;
  WriteMiss write_miss;
  Parts parts;
  std::uint32_t entries, merges;
  Allocate allocate = Allocate::on_miss;
};

class CoalescerRandom : public testing::TestWithParam<Setting> {};

L2Bank::Params params_of(const Setting& setting) {
  L2Bank::Params params = coalesced(setting.entries, setting.merges);
  params.mshr.kind = setting.kind;
  params.mshr.associativity = 2;
  params.frontend.kind = setting.frontend;
  params.frontend.cart = {2, 2, 2};
  params.frontend.queues = 3;
  params.frontend.queue_entries = 2;
  params.write_miss = setting.write_miss;
  params.allocate = setting.allocate;
  if (setting.parts != Parts::lines) params.sector_bytes = 32;
  if (setting.parts == Parts::misses_by_sector) params.mshr.granularity = mha::Granularity::sector;
  params.bypass = Bypass::any_rf;
  params.bypass_reads = 3;
  params.input_queue = 4;
  params.miss_queue = 3;
  params.response_queue = 2;
  params.evict_buffer = 3;
  params.atomic.words = 2;
  params.atomic.interval = 3;
  return params;
}

TEST_P(CoalescerRandom, LoadsReturnWhatWasWritten) {
  const L2Bank::Params params = params_of(GetParam());
  std::vector<std::unique_ptr<CoalescedBench>>
      benches;  // skipping idle cycles, ticking all, in turn
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const bool tick_all : {false, true}) {
      const std::string name = (tick_all ? "ticking" : "skipping") + std::to_string(seed);
      benches.push_back(std::make_unique<CoalescedBench>(name, params, tick_all));
      CoalescedBench& b = *benches.back();
      b.fill(0, kLines * kLine, seed);
      disturb(b, seed, 120);
      b.memory->late = true;
      b.script(random_requests(seed, 3000, params.misses_by_sector() ? 32 : kLine));
    }
  }
  for (auto& b : benches) {
    SCOPED_TRACE(b->cache->bank.name());
    b->run();
    if (GetParam().merges > 1) {
      EXPECT_GT(b->counts().merged, 0u);
    }
    EXPECT_GT(b->counts().closed_by_writes + (GetParam().merges == 1), 0u);
    EXPECT_EQ(b->debug_read(0, kLines * kLine), b->reference(0, kLines * kLine));
    b->cache->bank.flush();
    EXPECT_EQ(b->in_memory(0, kLines * kLine), b->reference(0, kLines * kLine));
  }
  for (std::size_t i = 0; i < benches.size(); i += 2) {
    EXPECT_TRUE(stats_json(benches[i]->stats) == stats_json(benches[i + 1]->stats));
    EXPECT_TRUE(benches[i]->initiator->responded == benches[i + 1]->initiator->responded);
  }
}

std::string name_of_setting(const testing::TestParamInfo<Setting>& info) { return info.param.name; }

using Kind = mha::Kind;
using End = FrontendKind;
INSTANTIATE_TEST_SUITE_P(
    Machines, CoalescerRandom,
    testing::Values(
        Setting{"conventional", Kind::conventional, End::fifo, WriteMiss::fetch, Parts::lines, 8,
                4},
        Setting{"one_entry", Kind::conventional, End::fifo, WriteMiss::fetch, Parts::lines, 1, 3},
        Setting{"one_read", Kind::dl, End::fifo, WriteMiss::fetch, Parts::lines, 4, 1},
        Setting{"set_associative_cart", Kind::set_associative, End::cart, WriteMiss::fetch_partial,
                Parts::lines, 16, 2},
        Setting{"dl_nonblocking", Kind::dl, End::nonblocking, WriteMiss::validate, Parts::lines, 32,
                8},
        Setting{"dl_on_fill", Kind::dl, End::bank_queues, WriteMiss::through_fetch, Parts::lines, 5,
                64, Allocate::on_fill},
        Setting{"shared_tags", Kind::tsma, End::nonblocking, WriteMiss::fetch, Parts::lines, 8, 4},
        Setting{"htsma_cart", Kind::htsma, End::cart, WriteMiss::validate, Parts::lines, 8, 4},
        Setting{"sectors", Kind::conventional, End::nonblocking, WriteMiss::fetch, Parts::sectors,
                8, 4},
        Setting{"sectors_dl_cart", Kind::dl, End::cart, WriteMiss::validate, Parts::sectors, 16,
                16},
        Setting{"sectors_dl_on_fill", Kind::dl, End::fifo, WriteMiss::fetch_partial, Parts::sectors,
                3, 4, Allocate::on_fill},
        Setting{"sectors_tsma", Kind::tsma, End::fifo, WriteMiss::through_fetch, Parts::sectors, 8,
                4},
        Setting{"sectors_htsma", Kind::htsma, End::bank_queues, WriteMiss::validate, Parts::sectors,
                8, 4},
        Setting{"misses_by_sector", Kind::conventional, End::fifo, WriteMiss::validate,
                Parts::misses_by_sector, 8, 4},
        Setting{"misses_by_sector_dl", Kind::dl, End::nonblocking, WriteMiss::validate,
                Parts::misses_by_sector, 8, 4, Allocate::on_fill}),
    name_of_setting);

}  // namespace
}  // namespace warpmem::l2
