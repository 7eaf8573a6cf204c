// SPDX-License-Identifier: Apache-2.0
// The slots in use over time: the averages of a launch, and the series.
#include "cache/mha/slot_occupancy.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "base/stats_detail.hpp"

namespace warpmem::mha {
namespace {

class SlotOccupancyTest : public testing::Test {
 protected:
  SlotOccupancyTest() { occupancy_.register_stats(registry_.group("l1d")); }

  void pass(double cycles) { sc_core::sc_start(cycles, sc_core::SC_NS); }
  const stats_detail::Path& path() { return registry_.account().paths.front(); }
  std::size_t number_of(const char* name) {
    std::size_t number = 0;
    while (path().entries()[number].name != name) ++number;
    return number;
  }

  static constexpr unsigned kSlots = 4;
  ClockDomain clock_{"clock", (set_simulation_resolution(), std::uint64_t(1'000'000'000))};
  SlotOccupancy occupancy_{kSlots, clock_};
  StatRegistry registry_;
};

TEST_F(SlotOccupancyTest, TheSeriesHasEachCycleInItsInterval) {
  occupancy_.change(1000, 3);
  occupancy_.change(2100, 1);
  occupancy_.change(2110, 0);
  const TimeSeries& series = *path().entries()[number_of("mshr.occupancy")].series;
  ASSERT_EQ(series.interval(), 1024u);
  EXPECT_EQ(series.points(), (std::vector<double>{24 * 3, 1024 * 3, 52 * 3 + 10}));
}

TEST_F(SlotOccupancyTest, TimeBeforeAKernelIsInNoAverage) {
  registry_.begin_kernel("k");
  pass(1000);
  registry_.leave_out_time();
  occupancy_.change(1000, 2);
  pass(500);
  occupancy_.change(1500, 0);
  pass(500);
  registry_.end_kernel();
  const std::uint64_t* const ratio =
      &registry_.account().total[path().base + path().offsets[number_of("mshr.utilization")]];
  EXPECT_EQ(ratio[0], 500u * 2);
  EXPECT_EQ(ratio[1], 1000u * kSlots);
}

}  // namespace
}  // namespace warpmem::mha
