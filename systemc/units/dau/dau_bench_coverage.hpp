// SPDX-License-Identifier: Apache-2.0
// Which states and transitions of the DAU's sets a run has been through.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cache/mha/dl/dau.hpp"
#include "cosim/lockstep.hpp"

namespace warpmem::cosim {

struct DauTransition {
  mha::DauState from;
  mha::DauState to;
};

/// Returns the transitions of DL Fig 8 that a unit of this size can make: those without S1 and S6
/// for one slot a set, and without links where no set can be linked.
std::vector<DauTransition> dau_transitions(const mha::DauSize& size);

class DauCoverage {
 public:
  explicit DauCoverage(const mha::DauSize& size);

  /// Counts the sets whose state differs between two cycles.
  void add(const mha::DauState* before, const mha::DauState* after);

  /// Returns how often any set entered the state.
  std::uint64_t entered(mha::DauState state) const;
  std::uint64_t count(DauTransition t) const { return taken_[index(t.from)][index(t.to)]; }
  /// Returns "S4 -> S3" for each possible transition that was not taken.
  std::vector<std::string> missing() const;
  /// Returns the transitions that were taken although DL Fig 8 does not have them.
  std::vector<std::string> impossible() const;

  /// Returns states and possible transitions with their counts.
  CoverageReport report() const;

 private:
  static unsigned index(mha::DauState s) { return static_cast<unsigned>(s); }

  mha::DauSize size_;
  std::vector<DauTransition> possible_;
  // There is one more, for a code that is no state.
  std::array<std::array<std::uint64_t, mha::kDauStates + 1>, mha::kDauStates + 1> taken_{};
};

}  // namespace warpmem::cosim
