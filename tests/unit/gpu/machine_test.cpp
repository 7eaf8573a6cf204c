// SPDX-License-Identifier: Apache-2.0
// What a program that links the simulator sees of its launches.
#include "gpu/machine.hpp"

#include <gtest/gtest.h>

#include "base/stats_detail.hpp"
#include "program/device_memory.hpp"
#include "program/ptx/module.hpp"

namespace warpmem::gpu {
namespace {

constexpr const char* kText =
    ".version 6.4\n.target sm_60\n.address_size 64\n.visible .entry nothing() { ret; }\n";

TEST(Machine, NumbersTheLaunchesThatHaveNoNumber) {
  set_simulation_resolution();
  const MachineParams params =
      read_params("", {"sm.count=2", "memory.partitions=1", "gpu.concurrent_kernels=2"});
  Machine machine("gpu", params);
  program::DeviceMemory memory(params.memory_bytes);
  program::ptx::Module module(kText, "nothing.ptx");
  module.bind(memory);
  const auto grid = [&] {
    return program::ptx::make_grid(module, "nothing", {1}, {32}, 0, {}, memory);
  };
  const auto a = grid(), b = grid(), c = grid(), d = grid(), e = grid();

  machine.launch(std::vector<Launch>{});
  machine.launch(*a);
  machine.launch({{b.get()}, {c.get()}});
  machine.launch(*d, {}, 7);  // launches that were not timed lie before it
  machine.launch(*e);

  const auto& rows = machine.stats().account().kernels;
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].launch, 1u);
  EXPECT_EQ(rows[1].launch, 2u);
  ASSERT_EQ(rows[1].together.size(), 2u);
  EXPECT_EQ(rows[1].together[0].launch, 2u);
  EXPECT_EQ(rows[1].together[1].launch, 3u);
  EXPECT_EQ(rows[2].launch, 7u);
  EXPECT_EQ(rows[3].launch, 8u);
}

// L2 and the SMs have clocks of their own.
TEST(Machine, SeriesOfTheCachesNameTheirClock) {
  set_simulation_resolution();
  const MachineParams params = read_params("", {"sm.count=2", "memory.partitions=1"});
  Machine machine("gpu", params);
  unsigned series = 0;
  for (const stats_detail::Path& path : machine.stats().account().paths) {
    if (path.name != "l1d" && path.name != "l2") continue;
    for (const stats_detail::Entry& entry : path.entries()) {
      if (entry.kind != stats_detail::Kind::series) continue;
      EXPECT_EQ(entry.clock, path.name == "l1d" ? "sm" : "l2") << path.name << "." << entry.name;
      ++series;
    }
  }
  EXPECT_GE(series, 4u);
}

}  // namespace
}  // namespace warpmem::gpu
