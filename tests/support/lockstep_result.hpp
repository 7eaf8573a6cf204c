// SPDX-License-Identifier: Apache-2.0
// Lockstep runs of a unit with a list of situations: their options, and what each must show.
#pragma once

#include <gmock/gmock.h>

#include "cosim/lockstep.hpp"

namespace warpmem::cosim {

inline LockstepOptions options_of(std::uint64_t cycles, std::uint32_t seed) {
  LockstepOptions options;
  options.cycles = cycles;
  options.seed = seed;
  return options;
}

/// Expects no difference; every situation that this size can be in was met, and no other.
inline void expect_all(const LockstepResult& result) {
  EXPECT_FALSE(result.difference) << result.describe();
  EXPECT_THAT(result.coverage.missing, testing::IsEmpty()) << result.describe();
  EXPECT_THAT(result.coverage.impossible, testing::IsEmpty()) << result.describe();
}

}  // namespace warpmem::cosim
