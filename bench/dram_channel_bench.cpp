// SPDX-License-Identifier: Apache-2.0
// Requests a second through one DRAM channel alone, timing checker off: a stream and random lines.
#include <benchmark/benchmark.h>

#include "base/random.hpp"
#include "base/transaction.hpp"
#include "dram/channel.hpp"

namespace warpmem::dram {
namespace {

/// Keeps the channel's queue full of 128 B reads until a goal is reached.
class Driver : public sc_core::sc_module, public Clocked {
 public:
  Driver(sc_core::sc_module_name name, ClockDomain& domain, bool random, unsigned window)
      : sc_module(name), Clocked(domain), out("out", *this, 4), random_(random), window_(window) {}

  RequestPort out;

  /// Runs `requests` more requests to their responses.
  void run(std::uint64_t requests) {
    goal_ += requests;
    wake();
    sc_core::sc_start();
    rethrow_tick_failure();
  }

 private:
  Cycle tick(Cycle) override {
    out.begin_cycle();
    while (out.response() != nullptr) {
      static_cast<Transaction*>(out.take_response())->release();
      if (++received_ == goal_) pause_simulation();
    }
    if (sent_ == goal_ || sent_ - received_ == window_ || !out.can_send()) return kNever;
    const Addr line = random_ ? numbers_.below(1u << 23) : sent_;
    ++sent_;
    out.send(pool_.get(tlm::TLM_READ_COMMAND, line * 128, 128));
    if (sent_ != goal_ && sent_ - received_ != window_) wake();
    return kNever;
  }

  bool random_;
  unsigned window_;
  Random numbers_{1};
  TransactionPool pool_;
  std::uint64_t goal_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

Channel::Params bench_params() {
  Channel::Params params;
  params.carry_data = false;
  return params;
}
AddressMapParams one_partition() {
  AddressMapParams params;
  params.partitions = 1;
  return params;
}

struct Bench {
  Bench(const std::string& name, bool random)
      : clock((name + "_clock").c_str(), bench_params().clock_hz),
        map(one_partition()),
        channel((name + "_channel").c_str(), clock, bench_params(), map, image),
        driver((name + "_driver").c_str(), clock, random, bench_params().queue + 2) {
    driver.out.socket.bind(channel.in().socket);
  }
  ClockDomain clock;
  AddressMap map;
  MemoryImage image;
  Channel channel;
  Driver driver;
};

void requests(benchmark::State& state, Bench& bench) {
  constexpr std::uint64_t kRequests = 200'000;
  for (auto _ : state) bench.driver.run(kRequests);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kRequests));
  ChannelStats s = bench.channel.stats();
  s.pending.settle();
  state.counters["row_hit_rate"] =
      static_cast<double>(s.row_hits) / static_cast<double>(s.column_commands);
  state.counters["efficiency"] =
      static_cast<double>(s.data_cycles) / static_cast<double>(s.pending.total());
}

}  // namespace
}  // namespace warpmem::dram

int sc_main(int argc, char** argv) {
  using namespace warpmem::dram;
  warpmem::set_simulation_resolution();
  warpmem::run_ahead_of_kernel();  // as in runs
  Bench stream("stream", false);
  Bench random("random", true);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // from here on modules can be woken
  benchmark::RegisterBenchmark("dram_channel/stream", [&](benchmark::State& state) {
    requests(state, stream);
  })->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("dram_channel/random", [&](benchmark::State& state) {
    requests(state, random);
  })->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
