// SPDX-License-Identifier: Apache-2.0
// Where the CTAs of a cluster run.
#pragma once

#include <array>
#include <cstdint>

#include "program/cluster.hpp"

namespace warpmem::sm {

/// The port of the GPC's network of the SM of each CTA, by rank.
struct ClusterPlaces {
  unsigned ctas = 1;
  std::array<std::uint8_t, program::kMostClusterCtas> port{};

  /// Returns a bit for the port of each CTA in `ranks`, which has a bit for each rank.
  std::uint64_t ports_of(unsigned ranks) const {
    std::uint64_t ports = 0;
    for (unsigned left = ranks; left != 0; left &= left - 1)
      ports |= std::uint64_t(1) << port[static_cast<unsigned>(__builtin_ctz(left))];
    return ports;
  }
};

}  // namespace warpmem::sm
