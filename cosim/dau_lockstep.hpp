// SPDX-License-Identifier: Apache-2.0
// The three views of the DAU side by side: class, synthesizable SystemC, RTL. All outputs and all
// architectural state are compared in every cycle; the first difference ends the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "cosim/dau_coverage.hpp"
#include "cosim/dau_library.hpp"
#include "mha/dl/dau.hpp"

namespace warpmem::cosim {

struct DauLockstepOptions {
  mha::DauSize size;
  std::uint64_t cycles = 1'000'000;  ///< of random stimulus
  std::uint64_t seed = 1;
  bool directed = true;  ///< directed vectors before the random ones
  /// Where to record the RTL (FST): the start of the run, or the cycles around a difference. Empty:
  /// no recording.
  std::filesystem::path waves;
  /// Like `waves`, but only when there is a difference.
  std::filesystem::path waves_of_difference;
  UnitPlaces places = default_places();
};

struct DauDifference {
  std::uint64_t cycle;   ///< since reset, from 0
  std::string signal;    ///< "req_set", "peer[3] after the cycle", or the check that failed
  std::string of_class;  ///< its value in each view; empty for a failed check
  std::string of_systemc;
  std::string of_rtl;
  std::string history;  ///< inputs and outputs of the last cycles, a line each
};

struct DauLockstepResult {
  DauLockstepResult(const mha::DauSize& size, std::uint64_t seed_) : seed(seed_), coverage(size) {}

  std::uint64_t seed;
  std::uint64_t directed_cycles = 0;  ///< of the cycles
  std::uint64_t cycles = 0;           ///< compared
  double seconds = 0;                 ///< for these, without building the units
  DauCoverage coverage;
  std::optional<DauDifference> difference;
  std::filesystem::path waves;  ///< that were recorded; empty: none

  std::string describe() const;  ///< for people, several lines
};

/// UserError when a unit cannot be built or a file not written, and for a size that is not allowed.
DauLockstepResult run_dau_lockstep(const DauLockstepOptions& options);

}  // namespace warpmem::cosim
