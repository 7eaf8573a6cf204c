// SPDX-License-Identifier: Apache-2.0
// Functional speed of the PTX interpreter: warp instructions a second.
#include <benchmark/benchmark.h>

#include <systemc>

#include "kernel_files.hpp"
#include "program/device_memory.hpp"
#include "program/functional.hpp"
#include "program/ptx/module.hpp"

int sc_main(int, char**) { return 0; }  // libsystemc wants the symbol

namespace {

using namespace warpmem;
using bench::Arguments;
using bench::kernels;
using program::DeviceMemory;

void gemm(benchmark::State& state) {
  DeviceMemory memory(1 << 28);
  program::ptx::Module module(kernels(), "kernels.cu");
  module.bind(memory);
  const int n = static_cast<int>(state.range(0));
  const Addr a = memory.allocate(4ull * n * n), b = memory.allocate(4ull * n * n),
             c = memory.allocate(4ull * n * n);
  const Arguments arguments = Arguments().add(a).add(b).add(c).add(n);
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    auto grid = program::ptx::make_grid(module, "gemm", {static_cast<unsigned>(n * n / 256)}, {256},
                                        0, arguments.bytes, memory);
    instructions += program::run_functional(*grid).warp_instructions;
  }
  state.counters["warp_inst/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(gemm)->Arg(128)->Unit(benchmark::kMillisecond);

void bfs(benchmark::State& state) {
  DeviceMemory memory(1 << 28);
  program::ptx::Module module(kernels(), "kernels.cu");
  module.bind(memory);
  const int nodes = static_cast<int>(state.range(0));
  constexpr int kDegree = 8;
  const Addr rows = memory.allocate(4ull * (nodes + 1)),
             columns = memory.allocate(4ull * nodes * kDegree),
             level = memory.allocate(4ull * nodes), changed = memory.allocate(4);
  auto* row = reinterpret_cast<int*>(DeviceMemory::host(rows));
  auto* column = reinterpret_cast<int*>(DeviceMemory::host(columns));
  auto* levels = reinterpret_cast<int*>(DeviceMemory::host(level));
  auto* flag = reinterpret_cast<int*>(DeviceMemory::host(changed));
  std::uint32_t random = 1;
  for (int i = 0; i <= nodes; ++i) row[i] = i * kDegree;
  for (int e = 0; e < nodes * kDegree; ++e)
    column[e] = static_cast<int>((random = random * 1664525u + 1013904223u) >> 8) % nodes;
  std::uint64_t instructions = 0;
  for (auto _ : state) {
    for (int i = 0; i < nodes; ++i) levels[i] = i == 0 ? 0 : -1;
    for (int depth = 0;; ++depth) {
      *flag = 0;
      const Arguments arguments =
          Arguments().add(rows).add(columns).add(level).add(depth).add(nodes).add(changed);
      auto grid =
          program::ptx::make_grid(module, "bfs_level", {static_cast<unsigned>((nodes + 255) / 256)},
                                  {256}, 0, arguments.bytes, memory);
      instructions += program::run_functional(*grid).warp_instructions;
      if (*flag == 0) break;
    }
  }
  state.counters["warp_inst/s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(bfs)->Arg(1 << 16)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
