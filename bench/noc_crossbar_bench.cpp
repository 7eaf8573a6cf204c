// SPDX-License-Identifier: Apache-2.0
// Round trips a second through a 28 x 8 crossbar: all inputs busy, and one input alone.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/transaction.hpp"
#include "noc/crossbar.hpp"

namespace warpmem::noc {
namespace {

constexpr unsigned kInputs = 28;
constexpr unsigned kOutputs = 8;
constexpr unsigned kWindow = 16;

/// These are the round trips of all drivers together, and when to pause.
struct Progress {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t goal = 0;
};

class Driver : public sc_core::sc_module, public Clocked {
 public:
  Driver(sc_core::sc_module_name name, ClockDomain& domain, TransactionPool& pool,
         Progress& progress, unsigned seed)
      : sc_module(name),
        Clocked(domain),
        out("out", *this, 4),
        pool_(pool),
        progress_(progress),
        numbers_(seed) {}

  RequestPort out;
  void start() { wake(); }

 private:
  Cycle tick(Cycle) override {
    out.begin_cycle();
    while (out.response() != nullptr) {
      static_cast<Transaction*>(out.take_response())->release();
      --in_flight_;
      if (++progress_.received == progress_.goal) sc_core::sc_pause();
    }
    if (progress_.sent == progress_.goal || in_flight_ == kWindow || !out.can_send()) return kNever;
    ++in_flight_;
    ++progress_.sent;
    out.send(pool_.get(tlm::TLM_READ_COMMAND, numbers_.below(1u << 20) * 128, 128));
    wake();
    return kNever;
  }

  TransactionPool& pool_;
  Progress& progress_;
  Random numbers_;
  unsigned in_flight_ = 0;
};

class Echo : public sc_core::sc_module, public Clocked {
 public:
  Echo(sc_core::sc_module_name name, ClockDomain& domain)
      : sc_module(name), Clocked(domain), in("in", *this, 4) {}
  ServicePort in;

 private:
  Cycle tick(Cycle) override {
    in.begin_cycle();
    if (in.request() == nullptr || !in.can_respond()) return kNever;
    Payload& payload = *in.take_request();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    in.respond(payload);
    return kNever;
  }
};

struct Bench {
  Bench()
      : clock("clock", Crossbar::Params().clock_hz),
        map(AddressMapParams()),
        crossbar("crossbar", clock, Crossbar::Params(), map, kInputs) {
    for (unsigned i = 0; i < kInputs; ++i) {
      drivers.push_back(std::make_unique<Driver>(("driver" + std::to_string(i)).c_str(), clock,
                                                 pool, progress, i + 1));
      drivers[i]->out.socket.bind(crossbar.input(i).socket);
    }
    for (unsigned p = 0; p < kOutputs; ++p) {
      targets.push_back(std::make_unique<Echo>(("target" + std::to_string(p)).c_str(), clock));
      crossbar.output(p).socket.bind(targets[p]->in.socket);
    }
  }
  void run(unsigned active, std::uint64_t round_trips) {
    progress.goal += round_trips;
    for (unsigned i = 0; i < active; ++i) drivers[i]->start();
    sc_core::sc_start();
    rethrow_tick_failure();
  }

  ClockDomain clock;
  AddressMap map;
  TransactionPool pool;
  Progress progress;
  Crossbar crossbar;
  std::vector<std::unique_ptr<Driver>> drivers;
  std::vector<std::unique_ptr<Echo>> targets;
};

void round_trips(benchmark::State& state, Bench& bench, unsigned active) {
  constexpr std::uint64_t kRoundTrips = 100'000;
  const Cycle before = bench.clock.now();
  for (auto _ : state) bench.run(active, kRoundTrips);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kRoundTrips));
  state.counters["cycles_per_second"] = benchmark::Counter(
      static_cast<double>(bench.clock.now() - before), benchmark::Counter::kIsRate);
}

}  // namespace
}  // namespace warpmem::noc

int sc_main(int argc, char** argv) {
  using namespace warpmem::noc;
  warpmem::set_simulation_resolution();
  Bench bench;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // from here on modules can be woken
  for (unsigned active : {kInputs, 1u})
    benchmark::RegisterBenchmark(
        ("noc_crossbar/inputs:" + std::to_string(active)).c_str(),
        [&bench, active](benchmark::State& state) { round_trips(state, bench, active); })
        ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
