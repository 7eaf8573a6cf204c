// SPDX-License-Identifier: Apache-2.0
// Ports of TSMA's index generator, in all its views.
#pragma once

#include <cstdint>

namespace warpmem::units {

struct TsmaIndexGenIn {
  bool take = false;              ///< a primary miss takes idx; without effect while full
  bool release = false;           ///< entry release_idx is free again; it must be taken before
  std::uint16_t release_idx = 0;  ///< 0 .. entries - 1

  bool operator==(const TsmaIndexGenIn& o) const {
    return take == o.take && release == o.release && release_idx == o.release_idx;
  }
};

struct TsmaIndexGenOut {
  std::uint16_t idx = 0;  ///< the next available index; 0 while full
  bool full = false;      ///< no index is available

  bool operator==(const TsmaIndexGenOut& o) const { return idx == o.idx && full == o.full; }
  bool operator!=(const TsmaIndexGenOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
