// SPDX-License-Identifier: Apache-2.0
// Where the time of load requests goes, by stage of the path (docs/mechanisms.md 7), and how long
// whole loads take by un-coalescing degree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/degree_class.hpp"
#include "base/stats.hpp"
#include "base/transaction.hpp"
#include "sm/request_parts.hpp"

namespace warpmem::sm {

class LoadLatency {
 public:
  /// `translated` tells that a TLB stands before L1D, whose parts are in the statistics then.
  explicit LoadLatency(bool translated);

  /// A request's response reached the registers at `t`; its stamps say when it entered each stage.
  /// Returns whether it hit in L1D.
  bool request_done(const Access& access, Femtoseconds t);
  /// The last request of a load instruction of `degree` requests came back after `cycles`.
  /// `all_hit` tells whether each of them hit in L1D.
  void load_done(unsigned degree, Cycle cycles, bool all_hit);

  void register_stats(StatGroup& group);

 private:
  const bool translated_;
  std::array<std::uint64_t, kParts> femtoseconds_{};
  std::uint64_t all_femtoseconds_ = 0;  // sum of the times from issue to the registers
  std::uint64_t requests_ = 0;
  std::uint64_t requests_scaled_ = 0;  // requests × 10^6, which turns fs into mean ns
  struct DegreeClass {
    std::uint64_t loads = 0;
    std::uint64_t cycles = 0;
    std::uint64_t all_hit = 0;
  };
  std::array<DegreeClass, kDegreeClasses> by_degree_{};
  Histogram latency_;
};

}  // namespace warpmem::sm
