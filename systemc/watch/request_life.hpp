// SPDX-License-Identifier: Apache-2.0
// One request that has been answered, with its stamps: the slowest of several.
#pragma once

#include <cstdint>
#include <tuple>

#include "base/transaction.hpp"

namespace warpmem::watch {

struct RequestLife {
  Access access;
  Femtoseconds answered = 0;  ///< 0: there is none
  std::uint64_t cta = 0;      ///< number of the CTA in its grid
  Addr address = 0;
  std::uint32_t bytes = 0;

  bool there() const { return answered != 0; }
  /// From the issue of its instruction until its answer.
  Femtoseconds length() const { return answered - access.at(Stage::issue); }
  /// Of requests that took equally long the earlier one is kept, and of these that of the lower SM
  /// and the lower number, so that the order of calls does not show.
  bool is_slower(const Access& other, Femtoseconds now) const {
    const Femtoseconds others = now - other.at(Stage::issue);
    if (!there() || others != length()) return !there() || others > length();
    const auto place = [](const Access& a, Femtoseconds t) {
      return std::make_tuple(t, a.sm, a.warp, a.ordinal);
    };
    return place(other, now) < place(access, answered);
  }
  void keep(const Access& slower, const Payload& payload, Femtoseconds now, std::uint64_t index) {
    access = slower;
    answered = now;
    cta = index;
    address = payload.get_address();
    bytes = payload.get_data_length();
  }
};

}  // namespace warpmem::watch
