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
  enum Part : unsigned {
    coalescer,  ///< issue until the request reaches the queue of L1D, or of the TLB before it
    tlb,        ///< time at the TLB that is none of the next three
    walk,       ///< from the miss at the TLB until the page is found, or found absent
    fault,      ///< while the page is absent, until the host has handled the fault
    transfer,   ///< from then until the page has arrived
    l1d_queue,  ///< waiting at L1D, reservation fails included
    /// From L1D's acceptance until the miss leaves, or until the fill of a merged miss.
    mshr_wait,
    crossbar,       ///< from L1D to L2
    l2_queue,       ///< waiting at L2
    l2_access,      ///< from L2's acceptance until it responds or asks DRAM
    dram_queue,     ///< waiting in the DRAM channel
    dram_service,   ///< from the first command to the last data beat
    response_path,  ///< from L2 to L1D
    writeback,      ///< from L1D to the registers
    kParts
  };

  /// The part that ends when `stage` is entered, and `previous` was the stage before it.
  static Part part_before(Stage stage, Stage previous, const Access& access);

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
