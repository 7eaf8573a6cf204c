// SPDX-License-Identifier: Apache-2.0
// The coalescer on fully coalesced, strided and random addresses.
#include <benchmark/benchmark.h>

#include <systemc>

#include "base/random.hpp"
#include "sm/coalescer.hpp"

int sc_main(int, char**) { return 0; }  // libsystemc wants the symbol

namespace {

using namespace warpmem;

void run(benchmark::State& state, const std::array<Addr, kWarpLanes>& address) {
  sm::Coalescer coalescer(sm::Granularity::line, 128);
  sm::RequestList list;
  unsigned degree = 0;
  for (auto _ : state) {
    degree = coalescer.coalesce(address.data(), ~LaneMask(0), 4, 0, list, 0);
    benchmark::DoNotOptimize(list);
  }
  state.counters["requests"] = degree;
}

void stride(benchmark::State& state) {
  std::array<Addr, kWarpLanes> address;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    address[lane] = 0x10000 + lane * static_cast<Addr>(state.range(0));
  run(state, address);
}
BENCHMARK(stride)->Arg(0)->Arg(4)->Arg(64)->Arg(4096);

void random_words(benchmark::State& state) {
  Random random(1);
  std::array<Addr, kWarpLanes> address;
  for (Addr& a : address) a = 4 * random.below(1 << 16);
  run(state, address);
}
BENCHMARK(random_words);

}  // namespace

BENCHMARK_MAIN();
