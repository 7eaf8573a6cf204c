// SPDX-License-Identifier: Apache-2.0
// Faults in the RTL units: which of them the lockstep runs find, which the proofs, which cannot be
// found because they change nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cosim/unit_library.hpp"
#include "mutation/mutants.hpp"

namespace warpmem::mutation {

struct MutationRequest {
  std::string unit;
  unsigned count = 200;           ///< number of faults
  std::uint64_t seed = 1;         ///< seed of the choice of faults, and of the stimulus
  std::uint64_t cycles = 20'000;  ///< random stimulus; ten times as many for those that live
  unsigned timeout_s = 60;        ///< time limit of one engine's run on one fault
  unsigned jobs = 1;              ///< faults judged at once
  bool all_properties = false;    ///< whether the properties judge what lockstep has found, too
  cosim::UnitPlaces places = cosim::default_places();
  std::function<void(const std::string&)> progress;  ///< gets a line before each step
};

enum class Fate {
  kLockstep,    ///< a lockstep run differed
  kProperty,    ///< only a property of the unit is violated
  kEquivalent,  ///< nothing can tell it from the right unit
  kSurvived,    ///< it differs, and nothing found it
  kUndecided,   ///< the time was over
};

struct MutantResult {
  Mutant mutant;
  Fate fate = Fate::kUndecided;
  std::uint64_t cycle = 0;  ///< cycle of the difference; length of a violating run
  std::string signal;       ///< output or state that differed first
  unsigned refuted = 0;     ///< with all_properties: length of the run that violates one; 0: none
};

struct MutationResult {
  std::string unit;
  cosim::UnitParameters parameters;
  std::uint64_t seed = 0;
  std::uint64_t cycles = 0;
  bool all_properties = false;
  double seconds = 0;
  std::vector<MutantResult> mutants;

  std::size_t count(Fate fate) const;
  /// Returns the share that is killed or shown equivalent, in percent.
  double settled_percent() const;
};

/// This is the least share of the faults that must be killed or shown equivalent, in percent.
inline constexpr double kLeastSettled = 95.0;

/// Runs the attack. Throws UserError for an unknown unit and for a missing tool.
MutationResult run(const MutationRequest& request);

std::string table(const std::vector<MutationResult>& results);
/// Returns docs/mutation.md. `earlier` is that page as it was; its units that are not among the
/// results stay.
std::string page(const std::vector<MutationResult>& results, const std::string& earlier = "");
nlohmann::ordered_json to_json(const MutationResult& result);

}  // namespace warpmem::mutation
