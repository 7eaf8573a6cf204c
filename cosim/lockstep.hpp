// SPDX-License-Identifier: Apache-2.0
// What every lockstep run takes and gives, whatever the unit. lockstep_engine.hpp is the engine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cosim/code_coverage.hpp"
#include "cosim/unit_library.hpp"

namespace warpmem::cosim {

/// These are the cycles of random stimulus of a run that is not told otherwise; with the directed
/// vectors before them they must cover everything that a unit can do.
inline constexpr std::uint64_t kDefaultLockstepCycles = 1'000'000;
/// A run of at most so many cycles takes less time with libraries that are not optimised.
inline constexpr std::uint64_t kShortLockstepCycles = 100'000;
/// So many cycles of random stimulus, at most, count for the coverage of the RTL.
inline constexpr std::uint64_t kCodeCoverageCycles = 1'000'000;

struct LockstepOptions {
  std::uint64_t cycles = kDefaultLockstepCycles;  ///< cycles of random stimulus
  std::uint64_t seed = 1;
  bool directed = true;  ///< whether directed vectors come before the random ones
  /// A recording of the unit (unit_recording.hpp) takes the place of directed and random vectors,
  /// and gives the size; `cycles` is then an upper bound. Empty: none.
  std::filesystem::path recorded;
  /// The RTL is recorded to this file (FST): the start of the run, or the cycles around a
  /// difference. Empty: no recording.
  std::filesystem::path waves;
  /// This is the same, but only where there is a difference.
  std::filesystem::path waves_of_difference;
  /// What the unit gets and answers in this run is written to this file (vector_file.hpp). Empty:
  /// it is not.
  std::filesystem::path vectors;
  /// A user's RTL (places.own) is compared like warpmem's; else in what its surroundings can see.
  bool bit_exact = false;
  /// The beginning is run once more with RTL that counts lines and toggles.
  bool code_coverage = false;
  UnitPlaces places = default_places();
};

struct Difference {
  std::uint64_t cycle;     ///< cycles since the reset, from 0
  std::string signal;      ///< "req_set", "peer[3] after the cycle", or the check that failed
  std::string of_class;    ///< its value in each view; empty for a failed check
  std::string of_systemc;  ///< empty where it is not compared
  std::string of_rtl;
  std::string history;      ///< inputs and outputs of the last cycles, a line each
  std::string reason = {};  ///< why a user's RTL is wrong: "links set 5, which is in use"
};

using CoverCounts = std::vector<std::pair<std::string, std::uint64_t>>;

/// This says where a run was, as far as this size of the unit can be there.
struct CoverageReport {
  /// Lists of situations and how often a run was in each, with the names of the lists.
  std::vector<std::pair<std::string, CoverCounts>> lists;
  std::vector<std::string> missing;     ///< situations that are possible and were never met
  std::vector<std::string> impossible;  ///< situations left out that were met all the same
  std::string table;                    ///< a line for each possible one
};

struct LockstepResult {
  explicit LockstepResult(std::uint64_t seed_) : seed(seed_) {}

  std::uint64_t seed;
  std::uint64_t directed_cycles = 0;  ///< cycles with directed vectors
  bool recorded = false;              ///< whether all cycles are from a recording
  std::uint64_t cycles = 0;           ///< number of cycles compared
  std::uint64_t resets = 0;  ///< resets in between: after the directed vectors, then at random
  double seconds = 0;        ///< wall time of these cycles, without building the units
  std::optional<Difference> difference;
  std::filesystem::path waves;  ///< waveforms that were recorded; empty: none
  CoverageReport coverage;
  CodeCoverage code;  ///< coverage of the RTL; empty: not asked for

  /// Returns several lines for people.
  std::string describe() const;
};

/// These are named situations and how often a run was in each.
class CoverPoints {
 public:
  explicit CoverPoints(const std::vector<std::string>& names);

  void hit(std::size_t point) { ++points_[point].second; }
  void hit_if(bool condition, std::size_t point) { points_[point].second += condition; }
  /// Excludes a situation that this size of the unit cannot be in, so that it is not asked for.
  void leave_out(std::size_t point) { possible_[point] = false; }

  CoverageReport report() const;

 private:
  CoverCounts points_;
  std::vector<bool> possible_;
};

}  // namespace warpmem::cosim
