// SPDX-License-Identifier: Apache-2.0
// Inputs for lockstep runs of the DAU: directed vectors and constrained-random ones.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "cache/mha/dl/dau.hpp"
#include "cache/mha/dl/fast_dau.hpp"

namespace warpmem::cosim {

/// Returns every situation of DL 4.4 and Fig 8 that a unit of this size can be in, one after the
/// other, from reset: all sets as heads (DL Fig 7: 8 sets, 8 primary misses), all sets as one chain
/// (16 slots, 15 secondary misses), refusals and what ends them, release from every state, requests
/// in the cycles of a release, inputs without meaning. All sets are free at the end.
std::vector<mha::DauIn> dau_directed_vectors(const mha::DauSize& size);

/// Directed vectors name the sets that the class gives out. This gives them the names that they
/// have in a unit with other choices.
class DauRenaming {
 public:
  explicit DauRenaming(const mha::DauSize& size) : script_(size), name_of_(size.sets) {}

  void reset() { script_.reset(); }
  /// Returns the vector as the unit is asked, without what is not legal.
  mha::DauIn renamed(const mha::DauIn& vector);
  /// Takes the unit's answer to it.
  void commit(const mha::DauOut& unit);

 private:
  mha::FastDau script_;  // what the vectors were written for
  mha::DauIn in_;
  std::vector<std::uint32_t> name_of_;  // set of the unit, by that of the script
};

/// It draws mostly legal requests. Phases of random length favour primary misses, one long chain, a
/// full pool, or an empty one; a few inputs name sets that head no chain, or do not exist.
class DauRandomStimulus {
 public:
  DauRandomStimulus(const mha::DauSize& size, std::uint64_t seed);

  /// Returns the inputs of the next cycle; `state` is that of the sets now.
  mha::DauIn next(const mha::DauState* state);

 private:
  struct Phase {
    // These are probabilities in 1/256.
    unsigned request;
    unsigned secondary;  ///< secondary ones among the requests
    unsigned favourite;  ///< those among the secondary ones that go to one and the same head
    unsigned ret;
  };
  static const Phase kPhases[];

  void begin_phase();
  std::uint32_t live_head(const mha::DauState* state, std::uint32_t start) const;

  mha::DauSize size_;
  std::uint32_t numbers_;  // number of sets that the pins can carry
  Random random_;
  Phase phase_{};
  std::uint64_t phase_left_ = 0;
  std::uint32_t favourite_ = 0;
};

}  // namespace warpmem::cosim
