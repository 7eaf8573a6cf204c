// SPDX-License-Identifier: Apache-2.0
// Whole launches on the default machine (the gu-dlmshr description's shape), data checking off:
// warp instructions, simulated cycles and L1D requests a second.
#include <benchmark/benchmark.h>

#include <systemc>

#include "gpu/machine.hpp"
#include "kernel_files.hpp"
#include "program/device_memory.hpp"
#include "program/ptx/module.hpp"

int sc_main(int, char**) { return 0; }  // libsystemc wants the symbol

namespace {

using namespace warpmem;
using bench::Arguments;
using bench::kernels;
using program::DeviceMemory;

/// There is one machine a process, since SystemC elaborates once.
struct Bench {
  gpu::MachineParams params;
  DeviceMemory memory{1u << 30};
  program::ptx::Module module{kernels(), "kernels.cu"};
  std::unique_ptr<gpu::Machine> machine;

  static Bench& get() {
    static Bench bench;
    return bench;
  }
  void count(benchmark::State& state, std::uint64_t instructions, std::uint64_t cycles,
             std::uint64_t requests) const {
    const auto rate = [](std::uint64_t n) {
      return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
    };
    state.counters["warp_inst/s"] = rate(machine->warp_instructions() - instructions);
    state.counters["cycles/s"] = rate(machine->cycles() - cycles);
    state.counters["l1d_requests/s"] = rate(machine->l1d_requests() - requests);
  }

 private:
  Bench() {
    set_simulation_resolution();
    params.derive();
    machine = std::make_unique<gpu::Machine>("gpu", params);
    module.bind(memory);
  }
};

void vectoradd(benchmark::State& state) {
  Bench& b = Bench::get();
  const int n = static_cast<int>(state.range(0));
  const Addr x = b.memory.allocate(4ull * n), y = b.memory.allocate(4ull * n),
             z = b.memory.allocate(4ull * n);
  const Arguments arguments = Arguments().add(x).add(y).add(z).add(n);
  const std::uint64_t instructions = b.machine->warp_instructions(), cycles = b.machine->cycles(),
                      requests = b.machine->l1d_requests();
  for (auto _ : state) {
    auto grid =
        program::ptx::make_grid(b.module, "vectoradd", {static_cast<unsigned>((n + 255) / 256)},
                                {256}, 0, arguments.bytes, b.memory);
    b.machine->launch(*grid);
  }
  b.count(state, instructions, cycles, requests);
  for (Addr a : {x, y, z}) b.memory.release(a);
}
BENCHMARK(vectoradd)->Arg(1 << 20)->Unit(benchmark::kMillisecond);

// There is one thread a row, so that every load of a warp is 32 requests (atax kernel 1's pattern).
void gemv(benchmark::State& state) {
  Bench& b = Bench::get();
  const int n = static_cast<int>(state.range(0));
  const Addr matrix = b.memory.allocate(4ull * n * n), x = b.memory.allocate(4ull * n),
             y = b.memory.allocate(4ull * n);
  const Arguments arguments = Arguments().add(matrix).add(x).add(y).add(n);
  const std::uint64_t instructions = b.machine->warp_instructions(), cycles = b.machine->cycles(),
                      requests = b.machine->l1d_requests();
  for (auto _ : state) {
    auto grid = program::ptx::make_grid(b.module, "gemv", {static_cast<unsigned>((n + 255) / 256)},
                                        {256}, 0, arguments.bytes, b.memory);
    b.machine->launch(*grid);
  }
  b.count(state, instructions, cycles, requests);
  for (Addr a : {matrix, x, y}) b.memory.release(a);
}
BENCHMARK(gemv)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
