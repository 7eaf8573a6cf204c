// SPDX-License-Identifier: Apache-2.0
#include "uvm/history.hpp"

#include <fmt/format.h>

namespace warpmem::uvm {

void History::register_stats(StatGroup& g) const {
  g.series("faults_over_time", faults_, "faults", "faults sent to the host", "sm");
  g.series("pages_in_over_time", arrivals_, "pages", "pages that arrived in device memory", "sm");
  g.series("pages_out_over_time", departures_, "pages", "pages that were evicted", "sm");
  for (unsigned band = 0; band < kBands; ++band) {
    g.series(fmt::format("map.uses.{:02}", band), uses_[band], "requests",
             fmt::format("requests to band {} of {} of the managed pages", band, kBands), "sm");
    g.series(fmt::format("map.thrash.{:02}", band), thrash_[band], "pages",
             fmt::format("pages of band {} of {} that came back after an eviction", band, kBands),
             "sm");
  }
}

}  // namespace warpmem::uvm
