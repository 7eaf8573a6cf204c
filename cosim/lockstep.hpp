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

/// Cycles of random stimulus of a run that is not told otherwise; with the directed vectors before
/// them they must cover everything that a unit can do.
inline constexpr std::uint64_t kDefaultLockstepCycles = 1'000'000;
/// Cycles of random stimulus, at most, for the coverage of the RTL.
inline constexpr std::uint64_t kCodeCoverageCycles = 1'000'000;

struct LockstepOptions {
  std::uint64_t cycles = kDefaultLockstepCycles;  ///< of random stimulus
  std::uint64_t seed = 1;
  bool directed = true;  ///< directed vectors before the random ones
  /// A recording of the unit (unit_recording.hpp) instead of directed and random vectors, of its
  /// size; `cycles` is at most so many. Empty: none.
  std::filesystem::path recorded;
  /// Where to record the RTL (FST): the start of the run, or the cycles around a difference. Empty:
  /// no recording.
  std::filesystem::path waves;
  /// Like `waves`, but only when there is a difference.
  std::filesystem::path waves_of_difference;
  /// Run the beginning once more with RTL that counts lines and toggles.
  bool code_coverage = false;
  UnitPlaces places = default_places();
};

struct Difference {
  std::uint64_t cycle;   ///< since reset, from 0
  std::string signal;    ///< "req_set", "peer[3] after the cycle", or the check that failed
  std::string of_class;  ///< its value in each view; empty for a failed check
  std::string of_systemc;
  std::string of_rtl;
  std::string history;  ///< inputs and outputs of the last cycles, a line each
};

struct LockstepResult {
  explicit LockstepResult(std::uint64_t seed_) : seed(seed_) {}

  std::uint64_t seed;
  std::uint64_t directed_cycles = 0;  ///< of the cycles
  bool recorded = false;              ///< all of them from a recording
  std::uint64_t cycles = 0;           ///< compared
  std::uint64_t resets = 0;           ///< between them: after the directed vectors, then at random
  double seconds = 0;                 ///< for these, without building the units
  std::optional<Difference> difference;
  std::filesystem::path waves;  ///< that were recorded; empty: none
  CodeCoverage code;            ///< of the RTL; empty: not asked for

  /// For people, several lines, with the text of the unit's coverage.
  std::string describe(const std::string& coverage) const;
};

/// Named situations and how often a run was in each.
class CoverPoints {
 public:
  explicit CoverPoints(const std::vector<std::string>& names);

  void hit(std::size_t point) { ++points_[point].second; }
  void hit_if(bool condition, std::size_t point) { points_[point].second += condition; }
  /// A situation that this size of the unit cannot be in is not asked for.
  void leave_out(std::size_t point) { possible_[point] = false; }

  std::uint64_t count(std::size_t point) const { return points_[point].second; }
  /// Of the possible points, in order.
  std::vector<std::pair<std::string, std::uint64_t>> counts() const;
  std::vector<std::string> missing() const;     ///< possible ones that were never hit
  std::vector<std::string> impossible() const;  ///< left out, and hit all the same
  std::string table() const;                    ///< a line for each possible point

 private:
  std::vector<std::pair<std::string, std::uint64_t>> points_;
  std::vector<bool> possible_;
};

/// Result for a unit whose coverage is a list of points.
struct UnitLockstepResult : LockstepResult {
  UnitLockstepResult(std::uint64_t seed_, CoverPoints coverage_)
      : LockstepResult(seed_), coverage(std::move(coverage_)) {}
  CoverPoints coverage;
  std::string describe() const { return LockstepResult::describe(coverage.table()); }
};

}  // namespace warpmem::cosim
