// SPDX-License-Identifier: Apache-2.0
// Each miss handler under a stream of misses: half primary, half merges, as many fills.
#include <benchmark/benchmark.h>

#include <systemc>
#include <vector>

#include "base/random.hpp"
#include "base/transaction.hpp"
#include "cache/mha/registry.hpp"

int sc_main(int, char**) { return 0; }  // libsystemc wants the symbol

namespace {

using namespace warpmem;

void misses(benchmark::State& state, mha::Kind kind) {
  static ClockDomain clock("clock", (set_simulation_resolution(), 1'000'000'000));
  mha::MhaParams params;
  params.kind = kind;
  const cache::TagArray tags(32, 4, 128, cache::IndexHash::linear);
  const auto handler = mha::make_miss_handler(params, tags, cache::Allocate::on_miss, clock, {});
  TransactionPool pool;
  Transaction& request = pool.get(tlm::TLM_READ_COMMAND, 0, 128);
  Random random(1);
  std::vector<Addr> pending;
  Cycle now = 1;
  std::uint64_t accepted = 0;
  for (auto _ : state) {
    handler->begin_cycle(now);
    if (handler->target() != nullptr) handler->pop_target();
    const Addr block = 128 * random.below(64);
    const mha::Match match = handler->find(block);
    if (match == mha::Match::none) {
      if (handler->allocate({block, block}, {}, request).refusal == cache::Stall::none) {
        pending.push_back(block);
        ++accepted;
      }
    } else if (match == mha::Match::pending) {
      accepted += handler->merge(block, request) == cache::Stall::none;
    }
    if (pending.size() > 16) {
      const std::size_t i = random.below(pending.size());
      handler->fill(pending[i]);
      pending[i] = pending.back();
      pending.pop_back();
    }
    handler->end_cycle();
    ++now;
  }
  request.release();
  state.counters["accepted/s"] =
      benchmark::Counter(static_cast<double>(accepted), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(misses, conventional, mha::Kind::conventional);
BENCHMARK_CAPTURE(misses, dl, mha::Kind::dl);

}  // namespace

BENCHMARK_MAIN();
