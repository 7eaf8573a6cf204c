// SPDX-License-Identifier: Apache-2.0
// Faults made by hand: mistakes that a designer could make, each a piece of RTL text and what
// stands there instead, kept in mutation/faults/UNIT/NAME.yaml. What must find them is what a user
// has without a word about sizes: `warpmem cosim UNIT`, then `warpmem formal UNIT`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cosim/lockstep.hpp"

namespace warpmem::mutation {

struct HandMadeFault {
  std::string unit;
  std::string name;  ///< name of its file
  std::string what;  ///< what the mistake is, a sentence
  std::string file;  ///< the file, below rtl/
  std::string from;  ///< the text, which stands in it once
  std::string to;
};

/// Returns the faults of all units, or of one when `unit` is not empty; sorted by unit, in the
/// order of attacked_units(), and name. Throws UserError for an unknown unit and for a file that
/// says something else.
std::vector<HandMadeFault> hand_made_faults(const std::filesystem::path& folder,
                                            const std::string& unit);

struct HandMadeRequest {
  /// So many cycles of random stimulus are run at the usual size; a corner has fewer.
  std::uint64_t cycles = cosim::kDefaultLockstepCycles;
  std::uint64_t seed = 1;
  std::string only_size;    ///< sizes to run, of those that cosim runs; empty: all
  unsigned timeout_s = 60;  ///< time limit of one engine's run
  cosim::UnitPlaces places = cosim::default_places();
};

struct HandMadeResult {
  HandMadeFault fault;
  std::string found_by;     ///< "cosim", "formal"; empty: nothing found it
  std::string size;         ///< the size at which it was found
  std::uint64_t cycle = 0;  ///< cycle of the difference; length of the violating run
  std::string signal;       ///< the output, state or check that differed; the property
  double seconds = 0;       ///< processor time until then, with all that is built for it
};

/// Puts the fault into a copy of the RTL and lets the default runs loose on it, until one finds it.
HandMadeResult find(const HandMadeFault& fault, const HandMadeRequest& request);

/// This is the heading of their part of docs/mutation.md.
inline constexpr const char* kHandMadeTitle = "Faults made by hand";
/// Returns a table for people, a line each.
std::string hand_made_table(const std::vector<HandMadeResult>& results);
/// Returns docs/mutation.md, which was `earlier`, with this table for these units; other units keep
/// their rows.
std::string hand_made_page(const std::vector<HandMadeResult>& results, const std::string& earlier);

}  // namespace warpmem::mutation
