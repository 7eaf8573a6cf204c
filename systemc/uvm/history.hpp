// SPDX-License-Identifier: Apache-2.0
// What happened to managed memory over time, for the report: maps of pages against time, with the
// footprint in bands of neighbouring pages, and time lines of faults and migrations.
#pragma once

#include <array>
#include <cstdint>

#include "base/stats.hpp"

namespace warpmem::uvm {

class History {
 public:
  static constexpr unsigned kBands = 64;

  /// `pages` is the number of pages of managed memory.
  void set_pages(std::uint64_t pages) { pages_ = pages == 0 ? 1 : pages; }
  /// Returns the band of the page with that number in the footprint.
  unsigned band(std::uint64_t ordinal) const {
    const std::uint64_t band = ordinal * kBands / pages_;
    return band < kBands ? static_cast<unsigned>(band) : kBands - 1;
  }

  void used(std::uint64_t ordinal, Cycle now) { uses_[band(ordinal)].add(now, 1); }
  void faulted(Cycle now) { faults_.add(now, 1); }
  void came(Cycle now) { arrivals_.add(now, 1); }
  void left(Cycle now) { departures_.add(now, 1); }
  /// A page that had been evicted has come back.
  void thrashed(std::uint64_t ordinal, Cycle now) { thrash_[band(ordinal)].add(now, 1); }

  void register_stats(StatGroup& group) const;

 private:
  std::uint64_t pages_ = 1;
  std::array<TimeSeries, kBands> uses_, thrash_;
  TimeSeries faults_, arrivals_, departures_;
};

}  // namespace warpmem::uvm
